import { join } from "node:path";
import { binsOf, mergeHistograms } from "../results/histogram";
import type { GuestMeasurement } from "../results/measurement";
import { sealRun, writeWhole, type Declaration, type Environment } from "../results/run-folder";
import { csvField, samplesCsv, samplesParquet } from "../results/samples";
import { summarize, type CaseSummary } from "../results/summary";
import { sanbedVersion } from "../../bed/version";
import { sysbenchExpectation } from "../workloads/sysbench/measure";
import type { SysbenchCase } from "../workloads/sysbench/plan";
import { measureGuest } from "./harvest";
import type { JobDeclaration } from "./launch";
import type { JobEnd } from "./watch";

export interface SealedCase {
  readonly summary: CaseSummary;
  /** SHA-256 of the run's manifest. */
  readonly sha256: string;
}

/** A run whose files lie in its folder. */
export interface HarvestedRun {
  readonly id: string;
  readonly folder: string;
  readonly declaration: Declaration;
  readonly spec: SysbenchCase;
}

/**
 * Judges what was harvested, writes figures and samples, and closes the run folder. `ends` says how
 * jobs ended where that is known better than by their own records.
 */
export async function sealCase(
  order: HarvestedRun,
  ends: ReadonlyMap<string, JobEnd>,
  partial: boolean,
): Promise<SealedCase> {
  const names = order.declaration.guests.map((guest) => guest.name);
  const read = names.map((name) => measureGuest(order.spec, order.folder, name, ends.get(name)));
  const guests = read.map((r) => r.measurement);
  const declared = read.flatMap((r) => (r.declared === undefined ? [] : [r.declared]));
  const summary = summarize(sysbenchExpectation(order.spec, names), guests, partial);
  const key = { runId: order.declaration.runId, caseName: order.declaration.caseName };
  const write = (name: string, content: string | Uint8Array): void => {
    writeWhole(join(order.folder, name), content);
  };
  write("declaration.json", json(order.declaration));
  write("environment.json", json(environmentOf(declared)));
  write("samples.parquet", samplesParquet(key, guests));
  write("samples.csv", samplesCsv(key, guests));
  write("histogram.csv", histogramCsv(guests));
  write("summary.json", json(summary));
  const startAtMs = declared[0]?.startAtMs;
  const sha256 = await sealRun(order.folder, {
    id: order.id,
    sanbed: sanbedVersion,
    ...(startAtMs === undefined ? {} : { startAt: new Date(startAtMs).toISOString() }),
    harvestedAt: new Date().toISOString(),
    verdict: summary.verdict,
  });
  return { summary, sha256 };
}

function environmentOf(declared: readonly JobDeclaration[]): Environment {
  const versions = (of: (d: JobDeclaration) => string): string =>
    [...new Set(declared.map(of))].sort().join(", ");
  return {
    tools: {
      sanbed: sanbedVersion,
      sysbench: versions((d) => d.facts.sysbench),
      server: versions((d) => d.facts.server),
    },
    guests: Object.fromEntries(declared.map(({ guest, facts }) => [guest, facts])),
  };
}

/** Bins of each guest and, under the name `*`, of all together. Values are bucket values in ms. */
function histogramCsv(guests: readonly GuestMeasurement[]): string {
  const rows = [
    ...guests.map((g) => [g.guest, g.histogram] as const),
    ["*", mergeHistograms(guests.map((g) => g.histogram))] as const,
  ].flatMap(([name, histogram]) =>
    binsOf(histogram).map(
      (bin) => `${csvField(name)},${bin.valueMs.toFixed(6)},${bin.count.toString()}`,
    ),
  );
  return `${["guest,value_ms,count", ...rows].join("\r\n")}\r\n`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
