import * as pulumi from "@pulumi/pulumi";
import type { PlannedGuest } from "../bed/guest-plan";
import type { ReviewBed } from "../bed/review-bed";
import type { Site } from "../bed/site";
import { parseBytes, parseDuration } from "../bed/units";
import type { SysbenchSettings } from "../bed/workload-settings";
import { Dataset, Run, Verdict } from "../provider/sdk/bench";
import { byKey } from "./keyed";
import { guestAddress, guestSocket, type SysbenchGuests } from "./sysbench-guests";

export interface BenchmarkSuiteArgs {
  readonly site: Site;
  readonly guests: readonly PlannedGuest[];
  readonly machines: SysbenchGuests;
  readonly sysbench: SysbenchSettings;
  readonly cases: readonly { readonly name: string; readonly guests: readonly string[] }[];
  /** A new value asks for a new measurement. */
  readonly runId: string;
  /** What is measured, for reports: `AFF A250`, `fcp`, `9.8`. */
  readonly array: ReviewBed["array"];
}

/** Data on every guest, the cases one after another, and a verdict that fails the `up` at the end. */
export class BenchmarkSuite extends pulumi.ComponentResource {
  /** By guest key. */
  readonly datasets: Readonly<Record<string, Dataset>>;
  /** By case name. */
  readonly runs: Readonly<Record<string, Run>>;
  readonly verdict: Verdict;

  constructor(name: string, args: BenchmarkSuiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:BenchmarkSuite", name, {}, opts);
    this.datasets = Object.fromEntries(
      args.guests.map((guest) => [
        guest.key,
        createDataset(`${name}-${guest.key}-data`, args, guest, this),
      ]),
    );
    const runs: Record<string, Run> = {};
    let previous: Run | undefined;
    for (const bench of args.cases) {
      previous = createRun(`${name}-${bench.name}`, args, bench, this.datasets, previous, this);
      runs[bench.name] = previous;
    }
    this.runs = runs;
    this.verdict = new Verdict(
      `${name}-verdict`,
      {
        cases: Object.fromEntries(
          Object.entries(runs).map(([key, run]) => [
            key,
            { valid: run.valid, reasons: run.reasons, folder: run.folder },
          ]),
        ),
      },
      { parent: this },
    );
    this.registerOutputs({});
  }
}

function createDataset(
  name: string,
  args: BenchmarkSuiteArgs,
  guest: PlannedGuest,
  parent: pulumi.Resource,
): Dataset {
  const machine = byKey(args.machines.machines, guest.key, "machine");
  const ready = byKey(args.machines.ready, guest.key, "ready guest");
  return new Dataset(
    name,
    {
      vmUuid: machine.uuid,
      ready: ready.id,
      guest: guestAddress(args.site, guest),
      socket: guestSocket(args.site, guest),
      engine: "mariadb",
      tables: args.sysbench.tables,
      rows: args.sysbench.rows,
      bufferPoolBytes: parseBytes(args.sysbench.bufferPool).toString(),
    },
    { parent, dependsOn: [ready] },
  );
}

function createRun(
  name: string,
  args: BenchmarkSuiteArgs,
  bench: { readonly name: string; readonly guests: readonly string[] },
  datasets: Readonly<Record<string, Dataset>>,
  previous: Run | undefined,
  parent: pulumi.Resource,
): Run {
  const guests = args.guests.filter((guest) => bench.guests.includes(guest.key));
  return new Run(
    name,
    {
      case: bench.name,
      runId: args.runId,
      guests: Object.fromEntries(
        guests.map((guest) => [
          guest.key,
          {
            vmUuid: byKey(args.machines.machines, guest.key, "machine").uuid,
            guest: guestAddress(args.site, guest),
            socket: guestSocket(args.site, guest),
            dataset: byKey(datasets, guest.key, "data set").fingerprint,
          },
        ]),
      ),
      workload: {
        kind: "sysbench-oltp",
        tables: args.sysbench.tables,
        rows: args.sysbench.rows,
        threads: args.sysbench.threads,
        preconditionSeconds: Math.round(parseDuration(args.sysbench.precondition) / 1000),
        measureSeconds: Math.round(parseDuration(args.sysbench.measure) / 1000),
        reportIntervalSeconds: Math.max(
          1,
          Math.round(parseDuration(args.sysbench.reportInterval) / 1000),
        ),
      },
      platform: platformOf(args),
    },
    {
      parent,
      dependsOn: [
        ...guests.map((guest) => byKey(datasets, guest.key, "data set")),
        ...(previous === undefined ? [] : [previous]),
      ],
      customTimeouts: { create: "24h", delete: "15m" },
    },
  );
}

function platformOf({ site, array }: BenchmarkSuiteArgs) {
  const lab = site.lab;
  return {
    kind: lab === undefined ? ("hardware" as const) : ("lab" as const),
    label: lab === undefined ? site.name : `embedded lab, level ${lab.level}`,
    array: array.model,
    protocol: array.protocol,
    software: array.software ?? "not stated",
  };
}
