import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  LocalWorkspace,
  PulumiCommand,
  type DestroyOptions,
  type Stack,
  type UpResult,
} from "@pulumi/pulumi/automation";
import { SanbedError } from "../../bed/errors";
import { labBedIdOf } from "../../stacks/lab-bed-id";
import type { Terminal } from "../terminal";
import { parse, stringify } from "yaml";
import { invalidCases, type Deployment } from "./invalid-cases";
import { printCertificate, inventoryDigest } from "./certificate";
import { claimDemo, type DemoClaim } from "./claim";
import { demoMessage, refuseOthersBed } from "./others-bed";
import { removeDeadLocks } from "./stack-locks";
import { startLab, type DemoLab } from "./lab";
import { showProgress } from "./progress";
import { printResults } from "./results";

const stackName = "lab";
/** Project of Pulumi.yaml and stack, as the backend's folders are named. */
const stackPath = `testbed/${stackName}`;

export interface DemoOptions {
  readonly projectRoot: string;
  /** Environment in which `pulumi` finds engine, plugins and state. */
  readonly env: Record<string, string>;
  readonly engineBin: string;
  readonly terminal: Terminal;
  /** Ends the demo early and cleans up: first Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * The main job on the embedded lab, by a real engine: up, report, destroy, certificate. Leaves nothing
 * running. Answers false when a case was invalid or something was left behind.
 */
export async function demo(options: DemoOptions): Promise<boolean> {
  const claim = await claimDemo(options.projectRoot);
  let ours = claim.leftSince !== undefined;
  try {
    removeDeadLocks(options.env["PULUMI_BACKEND_URL"] ?? "", stackPath);
    const ok = await withLab(options, claim, () => {
      claim.building();
      ours = true;
    });
    ours = false;
    return ok;
  } finally {
    // Else the record stays, and with it the right of the next demo to take down what is left.
    if (!ours) claim.release();
  }
}

/** Ends with an empty stack, or throws. */
async function withLab(
  options: DemoOptions,
  claim: DemoClaim,
  building: () => void,
): Promise<boolean> {
  const { terminal } = options;
  const started = Date.now();
  terminal.heading("1 of 5: start the lab");
  const lab = await startLab(options.projectRoot, terminal);
  try {
    const stack = await removeLeftovers(await selectStack(options), lab, options, claim);
    building();
    const before = await inventoryDigest(lab.client);
    const ok = await upAndReport(stack, lab, options);
    terminal.heading("4 of 5: pulumi destroy");
    await stack.destroy(takeDown(terminal));
    terminal.heading("5 of 5: the certificate");
    const same = printCertificate(
      terminal,
      bedFolder(options, lab),
      before,
      await inventoryDigest(lab.client),
    );
    terminal.line("");
    terminal.step(`the demo took ${((Date.now() - started) / 1000).toFixed(0)} s`);
    return ok && same;
  } finally {
    await lab.stop();
  }
}

async function upAndReport(stack: Stack, lab: DemoLab, options: DemoOptions): Promise<boolean> {
  const { terminal } = options;
  terminal.heading("2 of 5: pulumi up (stack lab, bed aff-a250-fcp)");
  try {
    const { outputs } = await measure(stack, options);
    terminal.heading("3 of 5: the report");
    return await printResults(terminal, {
      bedId: bedIdOf(lab),
      bedFolder: bedFolder(options, lab),
      level: lab.level,
      runFolders: runFoldersOf(outputs["runs"]?.value),
    });
  } catch (error) {
    const why = options.signal.aborted ? "stopped" : `up failed: ${reasonOf(error)}`;
    terminal.step(`${why}; destroying what there is`);
    await stack.destroy(takeDown(terminal));
    throw new SanbedError("demo", `${why}. What there was has been destroyed.`, { cause: error });
  }
}

/**
 * Up; where cases came out invalid, once more under another run id, as a reviewer would: a machine
 * that does other work at the same time may stall for longer than the lab's short window allows.
 */
async function measure(stack: Stack, options: DemoOptions): Promise<UpResult> {
  const { terminal, signal } = options;
  const up = (configFile?: string): Promise<UpResult> =>
    stack.up({
      onEvent: showProgress(terminal, "up"),
      suppressOutputs: true,
      message: demoMessage,
      signal,
      ...(configFile === undefined ? {} : { configFile }),
    });
  try {
    return await up();
  } catch (error) {
    const invalid = signal.aborted ? [] : invalidCases(await deploymentOf(stack));
    if (invalid.length === 0) throw error;
    for (const { name, reasons } of invalid) {
      terminal.step(`case ${name} is invalid: ${reasons[0] ?? "no reason was given"}`);
    }
    terminal.step("measuring once more, as `pulumi config set runId again` and `pulumi up` would");
    return up(configWithRunId(options.projectRoot, "again"));
  }
}

/** A copy of the stack's configuration: the committed one stays as it is. */
function configWithRunId(projectRoot: string, runId: string): string {
  const committed = path.join(projectRoot, "stacks", "Pulumi.lab.yaml");
  const settings = parse(readFileSync(committed, "utf8")) as { config: Record<string, unknown> };
  settings.config["testbed:runId"] = runId;
  const copy = path.join(projectRoot, ".sanbed", "Pulumi.lab.again.yaml");
  writeFileSync(copy, stringify(settings));
  return copy;
}

async function deploymentOf(stack: Stack): Promise<Deployment | undefined> {
  return ((await stack.exportStack()) as { deployment?: Deployment }).deployment;
}

/** The stack's output `runs`: `{ <case>: { folder, ... } }`. */
function runFoldersOf(runs: unknown): string[] {
  if (typeof runs !== "object" || runs === null) return [];
  return Object.values(runs as Record<string, { folder?: unknown }>).flatMap(({ folder }) =>
    typeof folder === "string" ? [folder] : [],
  );
}

async function selectStack(options: DemoOptions): Promise<Stack> {
  const pulumiCommand = await PulumiCommand.get({ root: path.dirname(options.engineBin) });
  return LocalWorkspace.createOrSelectStack(
    { stackName, workDir: options.projectRoot },
    { envVars: options.env, pulumiCommand },
  );
}

/**
 * What an interrupted earlier demo left is taken down first, never built upon. A bed that anybody else built or
 * went on with is theirs.
 */
async function removeLeftovers(
  stack: Stack,
  lab: DemoLab,
  options: DemoOptions,
  { leftSince }: DemoClaim,
): Promise<Stack> {
  const { terminal } = options;
  const resources = (await deploymentOf(stack))?.resources ?? [];
  if (resources.length === 0) return stack;
  refuseOthersBed(resources.length, leftSince, (await stack.history(1))[0]);
  const bed = resources.find((one) => one.type === "pulumi:providers:sanbed")?.inputs?.["bedId"];
  if (bed !== undefined && bed !== bedIdOf(lab)) {
    // The lab was made anew: nothing of that bed exists any more, and its endpoints are gone.
    terminal.step("an earlier demo's lab is gone: forgetting its stack");
    await stack.workspace.removeStack(stackName, { force: true, preserveConfig: true });
    return selectStack(options);
  }
  terminal.step("an earlier demo was interrupted: taking down what it left");
  await stack.destroy(takeDown(terminal));
  return stack;
}

function takeDown(terminal: Terminal): DestroyOptions {
  return {
    onEvent: showProgress(terminal, "destroy"),
    suppressOutputs: true,
    message: demoMessage,
  };
}

/** `.sanbed/beds/<bedId>` */
function bedFolder(options: DemoOptions, lab: DemoLab): string {
  return path.join(options.projectRoot, ".sanbed", "beds", bedIdOf(lab));
}

/** By the lab's own id: the lab stack has none in its configuration. */
function bedIdOf(lab: DemoLab): string {
  const labId = lab.client.site().lab?.bedId;
  if (labId === undefined) throw new SanbedError("lab", "the lab's site inventory has no bed id");
  return labBedIdOf(labId, stackName);
}

/** The engine's own words; the message of the Automation API is its whole output. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const reasons = [...text.matchAll(/\berror: (.+)/g)].map(([, reason = ""]) => reason);
  return reasons.find((reason) => reason !== "update failed") ?? text.split("\n")[0] ?? "";
}
