import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { SanbedError } from "../../bed/errors";
import { makeBedId } from "../../bed/identities";
import type { LabClient } from "../../lab/client";
import { labDown, labUp } from "../../lab/start";
import { projectRoot, workFolder } from "../../tools/setup/paths";
import { StackRunner, type StackResource, type StackResult } from "../stack-runner";
import type { DeviceRequest } from "./critical-path";
import { workName } from "./leftovers";
import { watchMemory } from "./process-memory";

/** One operation of the engine with everything that the emulators saw of it. */
export interface Operation {
  readonly result: StackResult;
  readonly wallMs: number;
  readonly requests: readonly DeviceRequest[];
  /** Those to the vCenter that our own plugin made, by its own log. */
  readonly ownVcenterRequests: readonly { readonly write: boolean }[];
  /** Most resident memory that the plugin had, bytes; undefined where the system does not tell. */
  readonly pluginPeakBytes: number | undefined;
}

const unattended = ["--yes", "--skip-preview"];

export type EngineCommand = "up" | "refresh" | "destroy";

export interface BenchBedOptions {
  readonly level: "A" | "D";
  /** Over the scale of the committed lab stack. */
  readonly scale?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/**
 * The bed of the demo on a lab of its own, with a stack, a state and a bed id of its own: nothing that
 * the demo or a user left is read or changed. All of it is gone afterwards.
 */
export class BenchBed {
  readonly bedFolder: string;

  private constructor(
    readonly folder: string,
    readonly lab: LabClient,
    readonly runner: StackRunner,
    readonly bedId: string,
    private readonly signal: AbortSignal,
  ) {
    this.bedFolder = workFolder("beds", bedId);
    signal.addEventListener("abort", () => {
      runner.interrupt();
    });
  }

  private static async start(options: BenchBedOptions): Promise<BenchBed> {
    const suffix = randomBytes(3).toString("hex");
    const folder = workFolder("bench", workName(suffix));
    mkdirSync(folder, { recursive: true });
    const dir = path.join(folder, "lab");
    try {
      const lab = await labUp({
        dir,
        level: options.level,
        sanBinary: process.env["SANBED_SAN_BINARY"],
        guestTree: options.level === "A" ? process.env["SANBED_GUEST_TREE"] : undefined,
        daemonScript: path.join(projectRoot(), "dist", "lab", "daemon.js"),
      });
      const runner = new StackRunner(folder, `bench-${suffix}`);
      await runner.init();
      const bedId = makeBedId((size) => randomBytes(size));
      runner.configure({ ...labConfiguration(options.scale ?? {}), bedId, site: lab.folder.site });
      return new BenchBed(folder, lab, runner, bedId, options.signal);
    } catch (error) {
      await labDown(dir);
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Runs `work` on a new bed. Destroys what is left, and the lab, whatever happens. */
  static async with<T>(options: BenchBedOptions, work: (bed: BenchBed) => Promise<T>): Promise<T> {
    options.signal.throwIfAborted();
    const bed = await BenchBed.start(options);
    try {
      return await work(bed);
    } finally {
      await bed.dispose();
    }
  }

  /**
   * Runs one operation.
   * @param mayFail takes a failed operation too: the verdict of an invalid case fails the `up`
   * @throws {SanbedError} with the engine's own words when the operation fails.
   */
  async operate(command: EngineCommand, mayFail = false): Promise<Operation> {
    this.signal.throwIfAborted();
    const before = await this.requests();
    const seen = new Set(before.map(({ device, seq }) => `${device} ${seq.toString()}`));
    const ownBefore = this.ownRequests().length;
    const { child, done } = this.runner.start(command, ...unattended);
    const memory = watchMemory(child.pid, "pulumi-resource-sanbed");
    const result = await done;
    const pluginPeakBytes = memory.end();
    if (result.code !== 0 && !mayFail) throw failed(command, result);
    const requests = (await this.requests()).filter(
      ({ device, seq }) => !seen.has(`${device} ${seq.toString()}`),
    );
    return {
      result,
      wallMs: result.endedAtMs - result.startedAtMs,
      requests,
      ownVcenterRequests: this.ownRequests()
        .slice(ownBefore)
        .filter(({ device }) => device === "vcenter"),
      pluginPeakBytes,
    };
  }

  resources(): Promise<StackResource[]> {
    return this.runner.resources();
  }

  /** The plugin's own log; empty before its first request. */
  private ownRequests(): readonly { readonly device: string; readonly write: boolean }[] {
    const file = path.join(this.bedFolder, "requests.jsonl");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => JSON.parse(line) as { device: string; write: boolean });
  }

  private async requests(): Promise<readonly (DeviceRequest & { readonly seq: number })[]> {
    const [emulators, vcenter] = await Promise.all([
      this.lab.requests(),
      this.lab.requests("vcenter"),
    ]);
    return [...emulators, ...vcenter];
  }

  private async dispose(): Promise<void> {
    const left = await this.runner.resources().catch(() => []);
    if (left.length > 0) await this.runner.destroy().catch(() => undefined);
    await labDown(this.lab.folder.path);
    this.runner.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.bedFolder, { recursive: true, force: true });
  }
}

/** The committed configuration of the lab stack, with another scale over its own. */
function labConfiguration(scale: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const file = path.join(projectRoot(), "stacks", "Pulumi.lab.yaml");
  if (!existsSync(file)) throw new SanbedError("config", `${file} is missing`);
  const { config } = parse(readFileSync(file, "utf8")) as { config: Record<string, unknown> };
  const own = Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.replace("testbed:", ""), value]),
  );
  return { ...own, scale: { ...(own["scale"] as Record<string, unknown>), ...scale } };
}

function failed(command: string, { code, output }: StackResult): SanbedError {
  const tail = output.trimEnd().split("\n").slice(-25).join("\n");
  return new SanbedError("engine", `pulumi ${command} ended with ${String(code)}:\n${tail}`);
}
