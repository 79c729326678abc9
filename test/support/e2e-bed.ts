import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { makeBedId } from "../../bed/identities";
import type { LabClient } from "../../lab/client";
import { labDown, labUp } from "../../lab/start";
import { PulumiCli, type CliResult } from "./pulumi-cli";

const root = path.resolve(__dirname, "..", "..");

/** Scale of the end-to-end beds: the lab stack's own, without its measurement's length. */
export const smallScale = {
  clusters: 1,
  cases: [2],
  volumeGroups: { sysbench: { count: 2, size: "4 GiB" } },
  guest: { vcpus: 1, memory: "512 MiB", disks: { boot: "16 GiB", prebuilt: null, test: "2 GiB" } },
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

type Scale = Record<string, unknown> & typeof smallScale;

/** One bed of one test: a lab, a stack, a state and a bed id of its own, all gone afterwards. */
export class E2eBed {
  readonly bedFolder: string;
  private before = "";

  private constructor(
    readonly folder: string,
    readonly lab: LabClient,
    readonly cli: PulumiCli,
    readonly bedId: string,
  ) {
    this.bedFolder = path.join(root, ".sanbed", "beds", bedId);
  }

  /** Starts lab and stack. `name` is part of the stack's name: small letters. */
  static async start(
    name: string,
    level: "A" | "D",
    profiles: Record<string, string> = {},
  ): Promise<E2eBed> {
    const folder = mkdtempSync(path.join(tmpdir(), "sanbed-e2e-"));
    const lab = await labUp({
      dir: path.join(folder, "lab"),
      level,
      profiles,
      sanBinary: process.env["SANBED_SAN_BINARY"],
      guestTree: process.env["SANBED_GUEST_TREE"],
      daemonScript: path.join(root, "dist", "lab", "daemon.js"),
    });
    const suffix = randomBytes(3).toString("hex");
    const cli = new PulumiCli(folder, `e2e-${name}-${suffix}`);
    await cli.init();
    const bed = new E2eBed(
      folder,
      lab,
      cli,
      makeBedId((size) => randomBytes(size)),
    );
    bed.configure();
    bed.before = await bed.inventoryDigest();
    return bed;
  }

  /** Sets the stack's configuration: the small scale with `change` over it, other keys by `more`. */
  configure(change: Record<string, unknown> = {}, more: Record<string, unknown> = {}): void {
    const committed = parse(readFileSync(path.join(root, "stacks", "Pulumi.lab.yaml"), "utf8")) as {
      config: Record<string, unknown>;
    };
    this.cli.configure({
      bed: committed.config["testbed:bed"],
      phase: committed.config["testbed:phase"],
      site: path.join(this.folder, "lab", "site.json"),
      bedId: this.bedId,
      runId: "1",
      scale: { ...smallScale, ...change },
      ...more,
    });
  }

  /** Digest of everything that the lab emulates. */
  async inventoryDigest(): Promise<string> {
    return createHash("sha256")
      .update(JSON.stringify(await this.lab.inventory()))
      .digest("hex");
  }

  /** True when the lab holds exactly what it held before the bed. */
  async isAsBefore(): Promise<boolean> {
    return (await this.inventoryDigest()) === this.before;
  }

  /** Requests that could change a device, since a sequence number of the request logs. */
  async writesSince(
    sequence: number,
  ): Promise<readonly { device: string; method: string; path: string }[]> {
    return (await this.lab.requests(undefined, sequence)).filter((request) => request.write);
  }

  async sequence(): Promise<number> {
    return Math.max(0, ...(await this.lab.requests()).map((request) => request.seq));
  }

  async dispose(): Promise<void> {
    const left = await this.cli.resources().catch(() => []);
    if (left.length > 0) await this.cli.destroy().catch(() => undefined);
    await labDown(path.join(this.folder, "lab"));
    this.cli.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.bedFolder, { recursive: true, force: true });
  }
}

/** Runs a test with a bed of its own, taken down whatever happens. */
export async function withBed(
  name: string,
  level: "A" | "D",
  test: (bed: E2eBed) => Promise<void>,
  profiles?: Record<string, string>,
): Promise<void> {
  const bed = await E2eBed.start(name, level, profiles);
  try {
    await test(bed);
  } finally {
    await bed.dispose();
  }
}

/** Fails with the command's own output, which says more than a code. */
export function expectDone(result: CliResult): CliResult {
  if (result.code !== 0)
    throw new Error(`pulumi ended with ${String(result.code)}:\n${result.output}`);
  return result;
}

/** Types of the resources that were deleted, in the order in which their deletion ended. */
export function deletedTypes(result: CliResult): string[] {
  return result.events.flatMap((event) => {
    const step = event.resOutputsEvent?.metadata;
    return step !== undefined && /^(delete|delete-replaced)$/.test(step.op) ? [step.type] : [];
  });
}
