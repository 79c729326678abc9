import { spawn, type ChildProcess } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { stringify } from "yaml";
import { SanbedError } from "../bed/errors";
import { projectRoot } from "../tools/setup/paths";

export interface StackResult {
  readonly code: number | null;
  /** What the command printed, both streams. */
  readonly output: string;
  /** Engine events of the run, in order. */
  readonly events: readonly EngineEvent[];
  /** Milliseconds since the epoch: the command was started, and had ended. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

export interface EngineEvent {
  readonly resourcePreEvent?: { readonly metadata: StepMetadata };
  readonly resOutputsEvent?: { readonly metadata: StepMetadata };
  readonly resOpFailedEvent?: { readonly metadata: StepMetadata };
  readonly summaryEvent?: { readonly resourceChanges: Readonly<Record<string, number>> };
  /** When it was seen: the engine's own time has whole seconds. Milliseconds since the epoch. */
  readonly seenAtMs: number;
}

interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly detailedDiff?: unknown;
}

/** A resource as `pulumi stack export` shows it. */
export interface StackResource {
  readonly urn: string;
  readonly type: string;
  readonly custom?: boolean;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly initErrors?: readonly string[];
  readonly parent?: string;
  /** `<urn>::<id>` of its provider. */
  readonly provider?: string;
  readonly dependencies?: readonly string[];
}

/**
 * The real `pulumi` command on one project, with a stack, state and configuration of its own: several
 * run side by side, and none touches the stack of the demo. Engine and plugins come from the
 * environment that the set-up made.
 */
export class StackRunner {
  readonly env: NodeJS.ProcessEnv;
  private readonly configFile: string;
  private readonly running = new Set<ChildProcess>();

  /**
   * @param folder holds state and event logs
   * @param project the Pulumi project; absent: this checkout's own, whose configuration lies in `stacks/`
   */
  constructor(
    private readonly folder: string,
    readonly stack: string,
    private readonly project?: string,
  ) {
    const home = process.env["PULUMI_HOME"] ?? "";
    if (!existsSync(path.join(home, "plugins"))) {
      throw new SanbedError(
        "usage",
        "engine and plugins are not set up here: run this through `npm test`, `npm run bench`, or after `. .sanbed/env`",
      );
    }
    mkdirSync(path.join(folder, "state"), { recursive: true });
    // A language host that is killed leaves its pipes: they go with the folder.
    mkdirSync(path.join(folder, "tmp"), { recursive: true });
    this.env = {
      ...process.env,
      TMPDIR: path.join(folder, "tmp"),
      PULUMI_DEBUG_COMMANDS: "true",
      PULUMI_BACKEND_URL: `file://${path.join(folder, "state")}`,
    };
    const configFolder = project ?? path.join(projectRoot(), "stacks");
    this.configFile = path.join(configFolder, `Pulumi.${stack}.yaml`);
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
    if (result.code !== 0) throw new SanbedError("engine", result.output);
  }

  up(...args: string[]): Promise<StackResult> {
    return this.start("up", "--yes", "--skip-preview", ...args).done;
  }

  preview(...args: string[]): Promise<StackResult> {
    return this.start("preview", ...args).done;
  }

  refresh(...args: string[]): Promise<StackResult> {
    return this.start("refresh", "--yes", "--skip-preview", ...args).done;
  }

  destroy(...args: string[]): Promise<StackResult> {
    return this.start("destroy", "--yes", "--skip-preview", ...args).done;
  }

  /** Starts an operation without waiting, to interrupt or watch it. */
  start(
    command: string,
    ...args: string[]
  ): { readonly child: ChildProcess; readonly done: Promise<StackResult> } {
    const log = path.join(this.folder, `events-${Math.random().toString(36).slice(2)}.jsonl`);
    writeFileSync(log, "");
    return this.spawn(
      [command, "--stack", this.stack, "--non-interactive", "--event-log", log, ...args],
      new EventLog(log),
    );
  }

  /** The deployment of the stack, as `pulumi stack export` gives it. */
  async resources(): Promise<StackResource[]> {
    const result = await this.run(["stack", "export", "--stack", this.stack]);
    const state = JSON.parse(result.output) as { deployment?: { resources?: StackResource[] } };
    return state.deployment?.resources ?? [];
  }

  /** `pulumi cancel`: takes away the lock that an engine left when it was killed. */
  cancel(): Promise<StackResult> {
    return this.run(["cancel", this.stack, "--yes"]);
  }

  /** Asks whatever runs to end, as Ctrl-C does. */
  interrupt(): void {
    for (const child of this.running) child.kill("SIGINT");
  }

  dispose(): void {
    rmSync(this.configFile, { force: true });
  }

  private run(args: readonly string[]): Promise<StackResult> {
    return this.spawn([...args, "--non-interactive"]).done;
  }

  private spawn(
    args: readonly string[],
    log?: EventLog,
  ): { readonly child: ChildProcess; readonly done: Promise<StackResult> } {
    const startedAtMs = Date.now();
    const cwd = this.project ?? projectRoot();
    const child = spawn("pulumi", args, { cwd, env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    this.running.add(child);
    const done = new Promise<StackResult>((resolve, reject) => {
      let output = "";
      const add = (chunk: Buffer): void => {
        output += chunk.toString("utf8");
      };
      child.stdout.on("data", add);
      child.stderr.on("data", add);
      child.on("error", reject);
      child.on("close", (code) => {
        this.running.delete(child);
        const endedAtMs = Date.now();
        resolve({ code, output, events: log?.end() ?? [], startedAtMs, endedAtMs });
      });
    });
    return { child, done };
  }
}

/** Reads an event log while the engine writes it, so that every event has the time it was seen at. */
class EventLog {
  private readonly events: EngineEvent[] = [];
  private readonly file: number;
  private readonly watcher: ReturnType<typeof watch>;
  private readonly decoder = new StringDecoder("utf8");
  private rest = "";

  constructor(name: string) {
    this.file = openSync(name, "r");
    this.watcher = watch(name, () => {
      this.read();
    });
  }

  end(): readonly EngineEvent[] {
    this.watcher.close();
    this.read();
    closeSync(this.file);
    return this.events;
  }

  private read(): void {
    const seenAtMs = Date.now();
    const chunk = Buffer.alloc(256 * 1024);
    let text = this.rest;
    for (;;) {
      const size = readSync(this.file, chunk, 0, chunk.length, null);
      if (size === 0) break;
      text += this.decoder.write(chunk.subarray(0, size));
    }
    const lines = text.split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") continue;
      this.events.push({ ...(JSON.parse(line) as Omit<EngineEvent, "seenAtMs">), seenAtMs });
    }
  }
}
