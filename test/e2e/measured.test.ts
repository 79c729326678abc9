import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { readRun, type StoredRun } from "../../runner/results/run-folder";
import { missingForLevelA } from "../lab/guests/level-a";
import { changes } from "../support/pulumi-cli";
import { E2eBed, expectDone, oneMoreGroup, smallScale, type Declared } from "../support/e2e-bed";
import { killPlugin } from "../support/process-tree";

const missing = missingForLevelA();
const atLevelA = missing.length === 0 ? describe : describe.skip;
const title = missing.length === 0 ? "" : ` (skipped, no level A here: ${missing.join("; ")})`;

jest.setTimeout(180_000);

const runType = "sanbed:bench:Run";
const measuring = (output: string): boolean => output.includes("measuring on 2 guests");
const lasting = (measure: string, runId = "1"): Declared => ({
  scale: { sysbench: { ...smallScale.sysbench, measure } },
  config: { runId },
});

interface RunOutputs {
  readonly verdict: string;
  readonly origin?: string;
  readonly reasons: readonly string[];
  readonly folder: string;
}

atLevelA(`a bed with real guests${title}`, () => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("measured", "A");
  });

  afterAll(() => bed.dispose());

  const guestNames = (run: StoredRun) => run.summary.perGuest.map(({ guest }) => guest);

  it("goes on measuring while the plugin is dead, and the next up loses no sample", async () => {
    const declared = lasting("8s");
    const cut = await bed.upStruck(declared, measuring, killPlugin);
    expect(cut.code).not.toBe(0);
    await bed.up(declared);
    const outputs = await bed.outputsOf<RunOutputs>(runType);
    expect(outputs).toMatchObject({ verdict: "valid", origin: "attached", reasons: [] });
    const run = await readRun(outputs.folder);
    for (const guest of guestNames(run)) {
      expect(secondsOf(run.samplesCsv, guest).slice(0, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
    const journal = readFileSync(path.join(outputs.folder, "journal.jsonl"), "utf8");
    expect(journal.match(/"launched"/g)).toHaveLength(1);
  });

  it("stands still: a second up and a refresh change nothing and write to no device", async () => {
    await bed.stands(lasting("8s"));
    const writes = await bed.watchWrites();
    expect(changes(expectDone(await bed.cli.up("--expect-no-changes")))).toEqual({});
    expect(changes(expectDone(await bed.cli.refresh("--expect-no-changes")))).toEqual({});
    expect(await writes()).toEqual([]);
  });

  it("takes a host and a volume group in and lets them go without disturbing the load", async () => {
    const { sysbench } = smallScale;
    const hosts = bed.lab.site().hosts.map((host) => host.name);
    await bed.stands(lasting("8s"));
    for (const guest of ["g01", "g02"]) {
      await bed.onGuest(guest, ...loadUnit(bed.bedId, sysbench));
    }
    const changed = lasting("8s");
    await bed.up({
      ...changed,
      scale: { ...changed.scale, hosts: hosts.slice(0, 5), ...oneMoreGroup },
    });
    await bed.up(changed);
    for (const guest of ["g01", "g02"]) {
      expect(await bed.onGuest(guest, "systemctl", "is-active", "e2e-load")).toBe("active");
      const log = await bed.onGuest(
        guest,
        "journalctl",
        "-u",
        "e2e-load",
        "-o",
        "cat",
        "--no-pager",
      );
      expect(log).not.toMatch(/FATAL|error|err\/s: (?!0\.00)/);
      const rates = [...log.matchAll(/tps: ([\d.]+)/g)].map((match) => Number(match[1]));
      expect(rates.length).toBeGreaterThan(5);
      expect(Math.min(...rates.slice(1))).toBeGreaterThan(0);
      await bed.onGuest(guest, "systemctl", "stop", "e2e-load");
    }
  });

  it("MariaDB killed during the run: the case is invalid, the guest named, the bed still good", async () => {
    const { code, output } = await bed.upStruck(lasting("60s", "2"), measuring, async () => {
      await bed.onGuest("g02", "systemctl", "kill", "--signal=KILL", "mariadb");
    });
    expect(code).not.toBe(0);
    expect(output).toMatch(/1 of 1 cases are no evidence[^]*sysbench-2vm: not valid[^]*-g02: /);
    const outputs = await bed.outputsOf<RunOutputs>(runType);
    expect(outputs.verdict).toBe("invalid");
    expect(outputs.reasons.join("\n")).toMatch(
      /-g02: the job ended with exit code 1: error 20(13|06|02)/,
    );
    expect(guestNames(await readRun(outputs.folder))).toHaveLength(2);
    // Its own unit starts MariaDB again; a new run id is a new measurement on the same bed.
    await bed.onGuest("g02", "mariadb-admin", "--wait=20", "ping");
    const again = await bed.up(lasting("4s", "3"));
    // The run is another, and its verdict; nothing else is touched.
    const { replace, ...rest } = changes(again);
    expect([replace, Object.values(rest)]).toEqual([1, [1]]);
    expect((await bed.outputsOf<RunOutputs>(runType)).verdict).toBe("valid");
  });

  it.each<[string, string, (pulumi: number) => void]>([
    ["engine killed", "4", (pulumi) => process.kill(pulumi, "SIGKILL")],
    ["plugin killed", "5", killPlugin],
    ["Ctrl-C", "6", (pulumi) => process.kill(pulumi, "SIGINT")],
  ])(
    "%s during the run, then destroy: the job is stopped and harvested, nothing is left",
    async (_, runId, blow) => {
      const before = runFolders(bed);
      const { code } = await bed.upStruck(lasting("120s", runId), measuring, blow);
      expect(code).not.toBe(0);
      await bed.destroyToNothing();
      const [folder, ...others] = runFolders(bed).filter((name) => !before.includes(name));
      expect(others).toEqual([]);
      const { summary } = await readRun(folder ?? "");
      expect(summary.verdict).toBe("partial");
      expect(summary.perGuest.map(({ samples }) => samples > 0)).toEqual([true, true]);
    },
  );
});

function runFolders(bed: E2eBed): string[] {
  const runs = path.join(bed.bedFolder, "runs");
  try {
    return readdirSync(runs).map((name) => path.join(runs, name));
  } catch {
    return [];
  }
}

/** A load of our own, which knows nothing of beds: sysbench in a unit of the guest, until stopped. */
function loadUnit(bedId: string, { tables, rows }: { tables: number; rows: number }): string[] {
  return [
    ...["systemd-run", "--unit=e2e-load", "--quiet", "sysbench", "oltp_read_write"],
    ...["--mysql-user=root", "--mysql-socket=/run/mysqld/mysqld.sock"],
    `--mysql-db=sanbed_${bedId}`,
    ...[`--tables=${tables.toString()}`, `--table-size=${rows.toString()}`],
    ...["--threads=1", "--time=0", "--report-interval=1", "run"],
  ];
}

/** Seconds of a guest's samples, from the start of the precondition part. */
function secondsOf(csv: string, guest: string): number[] {
  return csv
    .trim()
    .split("\r\n")
    .slice(1)
    .map((row) => row.split(","))
    .flatMap((row) => (row[2] === guest ? [Number(row[3])] : []));
}
