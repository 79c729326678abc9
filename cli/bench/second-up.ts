import path from "node:path";
import { SanbedError } from "../../bed/errors";
import type { StackResource } from "../stack-runner";
import type { BenchBed, Operation } from "./bench-bed";
import type { EngineResource } from "./engine-program";
import { smallProject } from "./small-project";

/** An `up` that has nothing to do, against the engine's own time for as many resources. */
export interface SecondUp {
  readonly resources: number;
  readonly wallMs: number;
  /** Second `up` of the same resources without any plugin. */
  readonly engineOnlyMs: number;
  readonly beyondEngineMs: number;
  readonly budgetMs: number;
  readonly ratioToBudget: number;
  /** Requests that could have changed a device. */
  readonly deviceWrites: number;
  readonly deviceReads: number;
}

/** "< 1.5 s beyond the engine's own time" */
const budgetMs = 1500;

export async function compareSecondUp(bed: BenchBed, second: Operation): Promise<SecondUp> {
  const resources = await bed.resources();
  const engineOnlyMs = await engineOnly(path.join(bed.folder, "engine-only"), resources);
  const writes = second.requests.filter((request) => request.write).length;
  return {
    resources: resources.length,
    wallMs: second.wallMs,
    engineOnlyMs,
    beyondEngineMs: second.wallMs - engineOnlyMs,
    budgetMs,
    ratioToBudget: (second.wallMs - engineOnlyMs) / budgetMs,
    deviceWrites: writes,
    deviceReads: second.requests.length - writes,
  };
}

/** Wall clock of a second `up` of the same resources as the engine's built-in kind. */
async function engineOnly(folder: string, resources: readonly StackResource[]): Promise<number> {
  const same: EngineResource[] = resources
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .map(({ urn, custom, inputs, parent, dependencies }) => ({
      urn,
      custom: custom === true,
      inputs,
      parent,
      dependencies: dependencies ?? [],
    }));
  const runner = await smallProject(folder, "engine-program", same);
  const first = await runner.up();
  const second = await runner.up("--expect-no-changes");
  for (const { code, output } of [first, second]) {
    if (code !== 0) throw new SanbedError("engine", `the engine-only baseline failed:\n${output}`);
  }
  return second.endedAtMs - second.startedAtMs;
}
