import path from "node:path";
import { LocalWorkspace, PulumiCommand, type Stack } from "@pulumi/pulumi/automation";
import { SanbedError } from "../../bed/errors";
import type { Terminal } from "../terminal";
import { printCertificate, inventoryDigest } from "./certificate";
import { startLab, type DemoLab } from "./lab";
import { showProgress } from "./progress";
import { printResults } from "./results";

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
  const { terminal } = options;
  const started = Date.now();
  terminal.heading("1 of 5: start the lab");
  const lab = await startLab(options.projectRoot, terminal);
  try {
    const stack = await removeLeftovers(await selectStack(options), lab, options);
    const before = await inventoryDigest(lab.client);
    const ok = await upAndReport(stack, lab, options);
    terminal.heading("4 of 5: pulumi destroy");
    await stack.destroy({ onEvent: showProgress(terminal, "destroy"), suppressOutputs: true });
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
  const { terminal, signal } = options;
  terminal.heading("2 of 5: pulumi up (stack lab, bed aff-a250-fcp)");
  try {
    const { outputs } = await stack.up({
      onEvent: showProgress(terminal, "up"),
      suppressOutputs: true,
      signal,
    });
    terminal.heading("3 of 5: the report");
    return await printResults(terminal, {
      bedId: bedIdOf(lab),
      bedFolder: bedFolder(options, lab),
      level: lab.level,
      runFolders: runFoldersOf(outputs["runs"]?.value),
    });
  } catch (error) {
    const why = signal.aborted ? "stopped" : `up failed: ${reasonOf(error)}`;
    terminal.step(`${why}; destroying what there is`);
    await stack.destroy({ onEvent: showProgress(terminal, "destroy"), suppressOutputs: true });
    throw new SanbedError("demo", `${why}. What there was has been destroyed.`, { cause: error });
  }
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
    { stackName: "lab", workDir: options.projectRoot },
    { envVars: options.env, pulumiCommand },
  );
}

/** An interrupted earlier demo leaves its stack: it is taken down first, never built upon. */
async function removeLeftovers(stack: Stack, lab: DemoLab, options: DemoOptions): Promise<Stack> {
  const { terminal } = options;
  const { deployment } = (await stack.exportStack()) as { deployment?: StackState };
  const resources = deployment?.resources ?? [];
  if (resources.length === 0) return stack;
  await stack.cancel().catch(() => undefined);
  const bed = resources.find((one) => one.type === "pulumi:providers:sanbed")?.inputs?.["bedId"];
  if (bed !== undefined && bed !== bedIdOf(lab)) {
    // The lab was made anew: nothing of that bed exists any more, and its endpoints are gone.
    terminal.step("an earlier demo's lab is gone: forgetting its stack");
    await stack.workspace.removeStack("lab", { force: true, preserveConfig: true });
    return selectStack(options);
  }
  terminal.step("an earlier demo was interrupted: taking down what it left");
  await stack.destroy({ onEvent: showProgress(terminal, "destroy"), suppressOutputs: true });
  return stack;
}

interface StackState {
  readonly resources?: readonly {
    readonly type: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
  }[];
}

/** `.sanbed/beds/<bedId>` */
function bedFolder(options: DemoOptions, lab: DemoLab): string {
  return path.join(options.projectRoot, ".sanbed", "beds", bedIdOf(lab));
}

/** The lab's own bed id: the lab stack has none in its configuration. */
function bedIdOf(lab: DemoLab): string {
  const bedId = lab.client.site().lab?.bedId;
  if (bedId === undefined) throw new SanbedError("lab", "the lab's site inventory has no bed id");
  return bedId;
}

/** The engine's own words; the message of the Automation API is its whole output. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const reasons = [...text.matchAll(/\berror: (.+)/g)].map(([, reason = ""]) => reason);
  return reasons.find((reason) => reason !== "update failed") ?? text.split("\n")[0] ?? "";
}
