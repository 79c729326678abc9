import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";

export interface CliResult {
  readonly code: number | null;
  readonly output: string;
  /** Engine events of the run, in order. */
  readonly events: readonly EngineEvent[];
}

export interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: StepMetadata };
  readonly resOutputsEvent?: { readonly metadata: StepMetadata };
  readonly summaryEvent?: { readonly resourceChanges: Readonly<Record<string, number>> };
}

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly detailedDiff?: unknown;
}

const root = path.resolve(__dirname, "..", "..");

/**
 * The real `pulumi` command on the project of this checkout, with a stack, home, state and
 * configuration of its own: several run side by side.
 */
export class PulumiCli {
  readonly env: NodeJS.ProcessEnv;
  private readonly configFile: string;

  constructor(
    private readonly folder: string,
    readonly stack: string,
  ) {
    const home = process.env["PULUMI_HOME"] ?? "";
    if (!existsSync(path.join(home, "plugins"))) {
      throw new Error("run this through `npm test`: it sets up engine and plugins");
    }
    mkdirSync(path.join(folder, "state"), { recursive: true });
    this.env = { ...process.env, PULUMI_DEBUG_COMMANDS: "true", PULUMI_BACKEND_URL: `file://${path.join(folder, "state")}` };
    this.configFile = path.join(root, "stacks", `Pulumi.${stack}.yaml`);
  }

  /** Writes the stack's configuration; keys without the project's name. */
  configure(config: Readonly<Record<string, unknown>>): void {
    const salt = existsSync(this.configFile)
      ? /encryptionsalt: (.*)/.exec(readFileSync(this.configFile, "utf8"))?.[1]
      : undefined;
    const entries = Object.entries(config).map(
      ([key, value]) => [`testbed:${key}`, value] as const,
    );
    writeFileSync(
      this.configFile,
      stringify({
        config: Object.fromEntries(entries),
        ...(salt === undefined ? {} : { encryptionsalt: salt }),
      }),
    );
  }

  async init(): Promise<void> {
    const result = await this.run(["stack", "init", this.stack, "--no-select"]);
    if (result.code !== 0) throw new Error(result.output);
  }

  up(...args: string[]): Promise<CliResult> {
    return this.operation("up", "--yes", "--skip-preview", ...args);
  }

  preview(...args: string[]): Promise<CliResult> {
    return this.operation("preview", ...args);
  }

  refresh(...args: string[]): Promise<CliResult> {
    return this.operation("refresh", "--yes", "--skip-preview", ...args);
  }

  destroy(...args: string[]): Promise<CliResult> {
    return this.operation("destroy", "--yes", "--skip-preview", ...args);
  }

  /** Starts an operation without waiting, to interrupt it. */
  start(
    command: string,
    ...args: string[]
  ): { readonly child: ChildProcess; readonly done: Promise<CliResult> } {
    const log = path.join(this.folder, `events-${Math.random().toString(36).slice(2)}.jsonl`);
    const child = spawn(
      "pulumi",
      [command, "--stack", this.stack, "--non-interactive", "--event-log", log, ...args],
      { cwd: root, env: this.env, stdio: ["ignore", "pipe", "pipe"] },
    );
    return { child, done: collect(child, log) };
  }

  /** The deployment of the stack, as `pulumi stack export` gives it. */
  async resources(): Promise<StackResource[]> {
    const result = await this.run(["stack", "export", "--stack", this.stack]);
    const state = JSON.parse(result.output) as { deployment?: { resources?: StackResource[] } };
    return state.deployment?.resources ?? [];
  }

  dispose(): void {
    rmSync(this.configFile, { force: true });
  }

  private operation(command: string, ...args: string[]): Promise<CliResult> {
    return this.start(command, ...args).done;
  }

  private run(args: readonly string[]): Promise<CliResult> {
    const child = spawn("pulumi", [...args, "--non-interactive"], {
      cwd: root,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return collect(child);
  }
}

export interface StackResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
}

function collect(child: ChildProcess, eventLog?: string): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    let output = "";
    const add = (chunk: Buffer): void => {
      output += chunk.toString("utf8");
    };
    child.stdout?.on("data", add);
    child.stderr?.on("data", add);
    child.on("error", reject);
    child.on("close", (code) => {
      const text =
        eventLog !== undefined && existsSync(eventLog) ? readFileSync(eventLog, "utf8") : "";
      const events = text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as EngineEvent);
      resolve({ code, output, events });
    });
  });
}

/** What an operation did, `create 3, same 5`, without the resources that stayed the same. */
export function changes(result: CliResult): Record<string, number> {
  const summary =
    result.events.find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges ?? {};
  return Object.fromEntries(Object.entries(summary).filter(([op]) => op !== "same"));
}
