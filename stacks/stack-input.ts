import path from "node:path";
import { ConfigError, type Problem, SanbedError } from "../bed/errors";
import type { ReviewBed } from "../bed/review-bed";
import { quoted } from "../bed/schema-problems";
import { parseSettings, type Settings } from "../bed/settings";
import type { Site } from "../bed/site";
import { readSite } from "./input-file";
import { reviewBeds } from "./beds/catalogue";
import { labBedIdOf } from "./lab-bed-id";

/** Configuration of a stack, whoever reads it: the engine for `pulumi up`, a file for `sanbed plan`. */
export interface StackConfig {
  /** Every key of the project's own namespace, without the namespace. */
  readonly keys: readonly string[];
  get(key: string): string | undefined;
  /** @throws when the value is no object. */
  getObject(key: string): unknown;
}

/** All that a plan is made of. */
export interface StackInput {
  readonly bed: ReviewBed;
  readonly site: Site;
  readonly settings: Settings;
}

const known = ["site", "bed", "phase", "bedId", "runId", "scale"];

/**
 * Reads what a stack's configuration says and the site that it names.
 * @throws {ConfigError} with every problem of configuration and site at once.
 */
export function readStackInput(
  config: StackConfig,
  stack: string,
  projectRoot: string,
): StackInput {
  const problems: Problem[] = [];
  for (const key of config.keys.filter((one) => !known.includes(one))) {
    problems.push({
      path: key,
      message: "there is no such setting of a stack",
      remedy: `settings are ${known.join(", ")}`,
    });
  }
  const siteFile = required(config, "site", problems);
  const site =
    siteFile === undefined
      ? undefined
      : attempt(problems, () => readSite(path.resolve(projectRoot, siteFile)));
  const bed = chooseBed(required(config, "bed", problems), problems);
  const phase = required(config, "phase", problems);
  const scale = attempt(problems, () => objectOf(config, "scale"));
  // Where the site cannot be read, the id that it may hold is no second problem.
  const labId = site === undefined ? "unread" : site.lab?.bedId;
  const settings = attempt(problems, () =>
    parseSettings({
      bedId: config.get("bedId") ?? (labId === undefined ? "" : labBedIdOf(labId, stack)),
      stack,
      phase: phase ?? "",
      runId: config.get("runId") ?? "1",
      scale: scale ?? {},
    }),
  );
  if (problems.length > 0 || !site || !bed || !settings) {
    throw new ConfigError(problems, `stack ${stack} has problems`);
  }
  return { bed, site, settings };
}

function required(config: StackConfig, key: string, problems: Problem[]): string | undefined {
  const value = config.get(key);
  if (value !== undefined) return value;
  const message = "is missing in the stack's configuration";
  problems.push({ path: key, message, remedy: `pulumi config set ${key} ...` });
  return undefined;
}

function chooseBed(id: string | undefined, problems: Problem[]): ReviewBed | undefined {
  if (id === undefined) return undefined;
  const bed = Object.hasOwn(reviewBeds, id) ? reviewBeds[id] : undefined;
  if (bed !== undefined) return bed;
  problems.push({
    path: "bed",
    message: `there is no bed ${quoted(id)}`,
    remedy: `there are ${Object.keys(reviewBeds).join(", ")}`,
  });
  return undefined;
}

function objectOf(config: StackConfig, key: string): unknown {
  try {
    return config.getObject(key);
  } catch {
    throw new ConfigError([{ path: key, message: "expected a map of settings" }]);
  }
}

/** What is wrong in one part does not keep the others from being read. */
function attempt<T>(problems: Problem[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigError) problems.push(...error.problems);
    else if (error instanceof SanbedError) problems.push({ path: "", message: error.message });
    else throw error;
    return undefined;
  }
}
