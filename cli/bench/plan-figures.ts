import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

export interface PlanFigures {
  readonly hosts: number;
  readonly volumes: number;
  readonly guests: number;
  /** Least of the repeats: other load only adds. */
  readonly planMs: number;
  readonly peakBytes: number;
  readonly budgetMs: number;
  readonly budgetBytes: number;
}

const repeats = 5;
/** "A 128-host, 4,096-volume plan in under 1 s and 256 MiB": in proportion for other sizes. */
const budget = { hosts: 128, ms: 1000, bytes: 256 * 1024 ** 2 };

/** Plans a bed of so many hosts, each time in a fresh process: the first plan is the one that users wait for. */
export async function measurePlan(hosts: number, signal: AbortSignal): Promise<PlanFigures> {
  const runs: Omit<PlanFigures, "budgetMs" | "budgetBytes">[] = [];
  const program = path.join(__dirname, "plan-program.js");
  for (let run = 0; run < repeats; run++) {
    const { stdout } = await promisify(execFile)(process.execPath, [program, hosts.toString()], {
      signal,
    });
    runs.push(JSON.parse(stdout) as (typeof runs)[number]);
  }
  const [first] = runs;
  if (first === undefined) throw new Error("nothing was measured");
  return {
    ...first,
    planMs: Math.min(...runs.map((run) => run.planMs)),
    peakBytes: Math.max(...runs.map((run) => run.peakBytes)),
    budgetMs: (budget.ms * hosts) / budget.hosts,
    budgetBytes: budget.bytes,
  };
}
