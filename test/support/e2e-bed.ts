import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parse } from "yaml";
import { makeBedId } from "../../bed/identities";
import type { Site } from "../../bed/site";
import type { LabClient } from "../../lab/client";
import type { Level } from "../../lab/levels";
import { labDown, labUp } from "../../lab/start";
import type { Json } from "../../lab/world/state";
import type { GuestAddress } from "../../provider/devices/guest-shell";
import { openGuestShell } from "../../provider/devices/guest-ssh/guest-ssh";
import { descendantsOf, isPlugin, stillThere } from "./process-tree";
import { PulumiCli, type CliResult } from "./pulumi-cli";

const root = path.resolve(__dirname, "..", "..");

/** Scale of the end-to-end beds: the lab stack's own, with two guests and seconds of load. */
export const smallScale = {
  clusters: 1,
  cases: [2],
  volumeGroups: { sysbench: { count: 2, size: "4 GiB" } },
  guests: {
    sysbench: {
      vcpus: 1,
      memory: "512 MiB",
      disks: { boot: "16 GiB", prebuilt: null, test: "2 GiB" },
    },
  },
  sysbench: {
    tables: 2,
    rows: 10_000,
    threads: 4,
    bufferPool: "8 MiB",
    precondition: "2s",
    measure: "4s",
    reportInterval: "1s",
  },
};

/** A second volume group, which no guest uses. */
export const oneMoreGroup = {
  volumeGroups: {
    ...smallScale.volumeGroups,
    extra: { count: 1, size: "2 GiB", thin: true, firstLun: 50 },
  },
};

/** What differs from {@link smallScale}, and other keys of the configuration. */
export interface Declared {
  readonly scale?: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, string>>;
  /** Changes the lab's own site: what somebody wrote down wrongly. */
  readonly site?: (site: Site) => void;
}

export interface E2eOptions {
  /** Whose committed configuration says bed and phase; default `lab`. */
  readonly stack?: string;
  /** Of the array, which its model follows from; default the lab's usual one. */
  readonly release?: string;
}

export interface DeviceWrite {
  readonly device: string;
  readonly method: string;
  readonly path: string;
}

/** One stack on one lab, with a state and a bed id of its own; all gone after `dispose`. */
export class E2eBed {
  readonly bedFolder: string;
  private before = "";
  /** The declaration that stands, as text; undefined while that is not sure. */
  private standing: string | undefined;

  private constructor(
    readonly folder: string,
    readonly lab: LabClient,
    readonly cli: PulumiCli,
    private readonly stack: string,
    readonly bedId: string,
  ) {
    this.bedFolder = path.join(root, ".sanbed", "beds", bedId);
  }

  /** Starts lab and stack. `name` is part of the stack's name: small letters. */
  static async start(
    name: string,
    level: Level,
    { stack = "lab", release }: E2eOptions = {},
  ): Promise<E2eBed> {
    const folder = mkdtempSync(path.join(tmpdir(), "sanbed-e2e-"));
    const cli = new PulumiCli(folder, `e2e-${name}-${randomBytes(3).toString("hex")}`);
    try {
      const lab = await labUp({
        dir: path.join(folder, "lab"),
        level,
        profiles: release === undefined ? {} : { array: release },
        sanBinary: process.env["SANBED_SAN_BINARY"],
        guestTree: process.env["SANBED_GUEST_TREE"],
        daemonScript: path.join(root, "dist", "lab", "daemon.js"),
      });
      await cli.init();
      const bed = new E2eBed(
        folder,
        lab,
        cli,
        stack,
        makeBedId((size) => randomBytes(size)),
      );
      bed.before = await bed.inventory();
      return bed;
    } catch (error) {
      await labDown(path.join(folder, "lab"));
      cli.dispose();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Writes the stack's configuration: the committed one at the small scale. */
  declare({ scale = {}, config = {}, site }: Declared = {}): void {
    const file = path.join(root, "stacks", `Pulumi.${this.stack}.yaml`);
    const committed = parse(readFileSync(file, "utf8")) as { config: Record<string, unknown> };
    let siteFile = path.join(this.folder, "lab", "site.json");
    if (site !== undefined) {
      const changed = this.lab.site();
      site(changed);
      siteFile = path.join(this.folder, "changed-site.json");
      writeFileSync(siteFile, JSON.stringify(changed));
    }
    this.cli.configure({
      bed: committed.config["testbed:bed"],
      phase: committed.config["testbed:phase"],
      site: siteFile,
      bedId: this.bedId,
      runId: "1",
      scale: { ...smallScale, ...scale },
      ...config,
    });
  }

  /** `pulumi up` of a declaration; must succeed. */
  async up(declared: Declared = {}): Promise<CliResult> {
    this.declare(declared);
    this.standing = undefined;
    const result = expectDone(await this.cli.up());
    if (declared.site === undefined) this.standing = JSON.stringify(declared);
    return result;
  }

  /** What `pulumi preview` of a declaration would do: `create <name>`, `update <name>`... */
  async preview(declared: Declared = {}): Promise<string[]> {
    this.declare(declared);
    const { events } = expectDone(await this.cli.preview());
    return events.flatMap((event) => {
      const step = event.resourcePreEvent?.metadata;
      // Looking something up and the components, which hold no device, are no change.
      if (step === undefined || /^(same|read)$/.test(step.op)) return [];
      if (/::(pulumi|sanbed:components):[^:]*(:[^:]*)?::[^:]*$/.test(step.urn)) return [];
      return [`${step.op} ${step.urn.slice(step.urn.lastIndexOf("::") + 2)}`];
    });
  }

  /** The bed stands as declared; built, or brought there, when it does not. */
  async stands(declared: Declared = {}): Promise<void> {
    if (this.standing !== JSON.stringify(declared)) await this.up(declared);
  }

  /** Nothing stands, whatever an earlier test that failed has left. */
  async isClear(): Promise<void> {
    if ((await this.cli.resources()).length === 0) return;
    await this.cli.cancel();
    await this.destroyToNothing();
  }

  /** `pulumi up` of a declaration; must fail. Answers what it printed. */
  async upFails(declared: Declared = {}, ...args: string[]): Promise<string> {
    this.declare(declared);
    this.standing = undefined;
    const result = await this.cli.up(...args);
    if (result.code === 0) throw new Error(`pulumi up did not fail:\n${result.output}`);
    return result.output;
  }

  /**
   * Starts `pulumi up` and strikes when the moment has come. Answers when the command has ended, and
   * with it or because of its loss all plugins that it had started.
   */
  async upStruck(
    declared: Declared,
    moment: (output: string) => boolean | Promise<boolean>,
    blow: (pulumi: number) => void | Promise<void>,
  ): Promise<CliResult> {
    this.declare(declared);
    this.standing = undefined;
    const { child, done } = this.cli.start("up", "--yes", "--skip-preview");
    let [output, ended] = ["", false];
    child.stdout?.on("data", (text: Buffer) => (output += text.toString()));
    void done.then(() => (ended = true));
    while (!(await moment(output))) {
      if (ended) throw new Error(`up ended before its moment:\n${output}`);
      await delay(20);
    }
    const pulumi = child.pid ?? 0;
    const family = descendantsOf(pulumi);
    await blow(pulumi);
    const result = await done;
    const left = await stillThere(family.filter(isPlugin), 20_000);
    // The language host outlives a killed engine; that is Pulumi's own.
    for (const { pid } of await stillThere(family, 0)) process.kill(pid, "SIGKILL");
    expect(left).toEqual([]);
    // A dead engine leaves its lock on the stack, for anybody to take away.
    if (result.code === null) expectDone(await this.cli.cancel());
    return result;
  }

  /** `pulumi destroy`, then proves that state and lab hold nothing of the bed. */
  async destroyToNothing(): Promise<CliResult> {
    this.standing = undefined;
    const result = expectDone(await this.cli.destroy());
    expect((await this.cli.resources()).map((resource) => resource.urn)).toEqual([]);
    expect(await this.inventory()).toBe(this.before);
    if (deleted(result).some((name) => name.endsWith("-certificate"))) {
      const file = path.join(this.bedFolder, "certificate.json");
      const { bedId } = this;
      expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
        certificate: { bedId, difference: { leftBehind: [], notRestored: [] } },
      });
    }
    return result;
  }

  /** Changes something behind the bed's back. What stands is no longer sure. */
  async tamper(device: string, action: string, args: Record<string, Json> = {}): Promise<void> {
    this.standing = undefined;
    await this.lab.tamper(device, action, args);
  }

  /** Takes an inventory of the lab as what has to be there again after destroy. */
  async rebase(): Promise<void> {
    this.before = await this.inventory();
  }

  /** Everything that the lab emulates, as indented text: a difference can be read. */
  async inventory(): Promise<string> {
    return JSON.stringify(await this.lab.inventory(), undefined, 1);
  }

  /** What devices were asked from now on that could change them. */
  async watchWrites(): Promise<() => Promise<DeviceWrite[]>> {
    const last = async (device?: string): Promise<number> =>
      Math.max(0, ...(await this.lab.requests(device)).map((request) => request.seq));
    // The vCenter's process counts its own requests.
    const [emulators, vcenter] = [await last(), await last("vcenter")];
    return async () =>
      [
        ...(await this.lab.requests(undefined, emulators)),
        ...(await this.lab.requests("vcenter", vcenter)),
      ]
        .filter((request) => request.write)
        .map(({ device, method, path: where }) => ({ device, method, path: where }));
  }

  /** Outputs of the first resource of a type whose name ends like this. */
  async outputsOf<T>(type: string, ending = ""): Promise<T> {
    const found = (await this.cli.resources()).find(
      (resource) => resource.type === type && resource.urn.endsWith(ending),
    );
    if (found === undefined) throw new Error(`the stack has no ${type} ...${ending}`);
    return found.outputs as T;
  }

  /** All that the stack and the bed have written: state, event logs, journals, results. */
  everythingWritten(): string {
    return [path.join(this.folder, "state"), this.bedFolder].map(textBelow).join("\n");
  }

  /** Runs a command on a guest of the bed, as its user; must succeed. */
  async onGuest(guest: string, ...argv: string[]): Promise<string> {
    const { guest: address } = await this.outputsOf<{ guest: GuestAddress }>(
      "sanbed:guest:Ready",
      `-${guest}-ready`,
    );
    const shell = openGuestShell(address, {
      resolve: (reference) =>
        Promise.resolve(readFileSync(reference.slice("file:".length), "utf8")),
    });
    try {
      return (await shell.exec({ signal: AbortSignal.timeout(20_000) }, argv)).stdout.trim();
    } finally {
      await shell.close();
    }
  }

  async dispose(): Promise<void> {
    this.cli.interrupt();
    try {
      await labDown(path.join(this.folder, "lab"));
    } finally {
      this.cli.dispose();
      rmSync(this.folder, { recursive: true, force: true });
      rmSync(this.bedFolder, { recursive: true, force: true });
    }
  }
}

function textBelow(folder: string): string {
  if (!existsSync(folder)) return "";
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

/** Fails with the command's own output, which says more than a code. */
export function expectDone(result: CliResult): CliResult {
  if (result.code !== 0)
    throw new Error(`pulumi ended with ${String(result.code)}:\n${result.output}`);
  return result;
}

/** Names of the resources that were deleted, in the order in which their deletion ended. */
export function deleted(result: CliResult): string[] {
  return result.events.flatMap((event) => {
    const step = event.resOutputsEvent?.metadata;
    if (step === undefined || !/^(delete|delete-replaced)$/.test(step.op)) return [];
    return [step.urn.slice(step.urn.lastIndexOf("::") + 2)];
  });
}

/** Lines of an inventory, without the commas between them. */
export function lines(inventory: string): string[] {
  return inventory.split("\n").map((line) => line.replace(/,$/, ""));
}

/** All names that match the first pattern stand before all that match the second; both are there. */
export function expectOrder(names: readonly string[], ...patterns: readonly RegExp[]): void {
  const places = patterns.map((pattern) =>
    names.flatMap((name, index) => (pattern.test(name) ? [index] : [])),
  );
  places.forEach((found, index) => {
    const [pattern, next] = [patterns[index], places[index + 1]];
    if (found.length === 0) throw new Error(`no ${String(pattern)} in ${names.join(", ")}`);
    if (next === undefined || next.length === 0) return;
    if (Math.max(...found) < Math.min(...next)) return;
    throw new Error(
      `${String(pattern)} is not before ${String(patterns[index + 1])}: ${names.join(", ")}`,
    );
  });
}
