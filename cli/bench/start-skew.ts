import type { StackResource } from "../stack-runner";
import { BenchBed } from "./bench-bed";

/** How far apart the guests of one case began their load. */
export interface StartSkew {
  readonly guests: number;
  /** Latest start minus earliest, milliseconds; undefined when no guest told its start. */
  readonly skewMs: number | undefined;
  readonly budgetMs: number;
  readonly ratioToBudget: number | undefined;
  readonly verdict: string;
  readonly reasons: readonly string[];
  /** The `up`, with cloning, booting and loading. */
  readonly upMs: number;
  readonly destroyMs: number;
}

/** "< 50 ms on one clock" over 32 guests */
const budgetMs = 50;

/** Real guests with the smallest load that still shows its start. */
const scale = (guests: number): Record<string, unknown> => ({
  cases: [guests],
  volumeGroups: { sysbench: { count: 4, size: "24 GiB" } },
  guests: {
    sysbench: {
      vcpus: 1,
      memory: "256 MiB",
      disks: { boot: "16 GiB", prebuilt: null, test: "2 GiB" },
    },
  },
  sysbench: {
    tables: 1,
    rows: 10_000,
    threads: 1,
    bufferPool: "8 MiB",
    precondition: "2s",
    measure: "4s",
    reportInterval: "1s",
  },
});

/** Builds a bed with so many real guests (level A), runs one short case and takes it down. */
export async function measureStartSkew(guests: number, signal: AbortSignal): Promise<StartSkew> {
  return BenchBed.with({ level: "A", scale: scale(guests), signal }, async (bed) => {
    // An invalid case fails the verdict and with it the `up`; when its guests began is known all the same.
    const up = await bed.operate("up", true);
    const run = (await bed.resources()).find(({ type }) => type === "sanbed:bench:Run");
    if (run === undefined) throw new Error(`nothing was measured:\n${up.result.output}`);
    const destroy = await bed.operate("destroy");
    return { guests, ...readRun(run), upMs: up.wallMs, destroyMs: destroy.wallMs };
  });
}

function readRun({
  outputs = {},
}: StackResource): Omit<StartSkew, "guests" | "upMs" | "destroyMs"> {
  const skew = outputs["startSkewMs"];
  const skewMs = typeof skew === "number" ? skew : undefined;
  const reasons = outputs["reasons"];
  return {
    skewMs,
    budgetMs,
    ratioToBudget: skewMs === undefined ? undefined : skewMs / budgetMs,
    verdict: String(outputs["verdict"]),
    reasons: Array.isArray(reasons) ? reasons.map(String) : [],
  };
}
