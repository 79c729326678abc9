import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { buildSync } from "esbuild";
import { Client } from "ssh2";
import { makeKeyPair } from "../../support/ssh-keys";

const DISK_BYTES = String(2 ** 30);
const NAMESPACES = ["--mount", "--propagation", "private", "--pid", "--mount-proc", "--fork"];
const ROOT = path.resolve(__dirname, "../../..");

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

/** What a command in a guest ended with. */
export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A supervisor in namespaces of its own with a block server beside it: as much of a lab as guests need. */
export class GuestLab {
  readonly dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "sanbed-guests-")));
  readonly hostKey = makeKeyPair();
  readonly clientKey = makeKeyPair();
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private outer: ChildProcess | undefined;
  private lastId = 0;
  private blocksAddress = "";
  sshPort = 0;
  databasePort = 0;
  /** What the supervisor and its guests' start printed. */
  log = "";

  /** @param vms - each gets one data disk, `/dev/sdb`, on a volume `vol-<vm>` */
  constructor(
    readonly tree: string,
    readonly vms: readonly string[],
    readonly level: "A" | "B" | "C" = "A",
  ) {}

  async start(): Promise<void> {
    mkdirSync(path.join(this.dir, "guests"));
    writeFileSync(path.join(this.dir, "hostkey"), this.hostKey.private, { mode: 0o600 });
    this.sshPort = await freePort();
    this.databasePort = await freePort();
    const program = path.join(this.dir, "supervisor.js");
    const entryPoints = [path.join(__dirname, "supervisor-process.ts")];
    // Its optional native parts cannot be bundled, and it does without.
    const external = ["cpu-features", "*.node"];
    buildSync({ entryPoints, bundle: true, platform: "node", outfile: program, external });
    if (this.level === "A") await this.enterWithBlocks(program);
    else await this.enterPlain(program);
  }

  /** Levels B and C: disks are plain files. */
  private async enterPlain(program: string): Promise<void> {
    mkdirSync(path.join(this.dir, "blocks"));
    for (const vm of this.vms) writeFileSync(this.diskFile(vm), "");
    const user = ["unshare", "--user", "--map-root-user", ...NAMESPACES, "--kill-child"];
    const command = [...(this.level === "B" ? user : []), process.execPath, program];
    await this.greeted(command, {});
  }

  diskFile(vm: string): string {
    return path.join(this.dir, "blocks", `${vm}-disk1`);
  }

  private async enterWithBlocks(program: string): Promise<void> {
    const blocksd = path.join(this.dir, "blocksd");
    execFileSync("go", ["build", "-o", blocksd, "./blocks/blocksd"], {
      cwd: path.join(ROOT, "lab"),
    });
    const disks = this.vms.map(
      (vm) => `${vm}-disk1:${this.dir}/volumes/vol-${vm}/disk1:${DISK_BYTES}:vol-${vm}:esx01`,
    );
    const ready = path.join(this.dir, "blocks-address");
    // Block server and supervisor share the namespaces and end with them.
    const script = `blocksd=$1; shift; mount=$1; shift
      sleep infinity | "$blocksd" "$mount" "$@" > "$READY" &
      while ! [ -s "$READY" ]; do sleep 0.02; done
      exec "$NODE" "$PROGRAM"`;
    const inside = ["sh", "-c", script, "sh", blocksd, `${this.dir}/blocks`, ...disks];
    const env = { READY: ready, NODE: process.execPath, PROGRAM: program };
    await this.greeted(["unshare", ...NAMESPACES, "--kill-child", ...inside], env);
    this.blocksAddress = (JSON.parse(readFileSync(ready, "utf8")) as { address: string }).address;
  }

  /** Starts the supervisor and waits for its first line. */
  private async greeted(
    [command = "", ...args]: readonly string[],
    env: Record<string, string>,
  ): Promise<void> {
    const options = {
      level: this.level,
      dir: path.join(this.dir, "guests"),
      cgroupList: path.join(this.dir, "cgroups.txt"),
      tree: this.tree,
      sshPort: this.sshPort,
      databasePort: this.databasePort,
      authorizedKey: this.clientKey.public,
      hostKeyFile: path.join(this.dir, "hostkey"),
    };
    const outer = spawn(command, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, ...env, SUPERVISOR_OPTIONS: JSON.stringify(options) },
    });
    this.outer = outer;
    outer.stderr.on("data", (chunk: Buffer) => (this.log += chunk.toString()));
    const greeted = new Promise<void>((resolve, reject) => {
      this.waiting.set(0, () => {
        resolve();
      });
      outer.once("exit", () => {
        reject(new Error(`the supervisor ended: ${this.log}`));
      });
    });
    readline.createInterface({ input: outer.stdout }).on("line", (line) => {
      const answer = JSON.parse(line) as Answer;
      this.waiting.get(answer.id)?.(answer);
    });
    await greeted;
  }

  address(vm: string): string {
    return `127.0.171.${11 + this.vms.indexOf(vm)}`;
  }

  /** Body of a power-on request. */
  request(vm: string): Record<string, unknown> {
    const file = this.diskFile(vm);
    return {
      uuid: `uuid-${vm}`,
      hostname: vm,
      address: this.address(vm),
      memoryMiB: 512,
      cpus: 1,
      template: "sysbench",
      host: "esx01",
      disks: [{ label: "disk1", unit: 1, sizeBytes: DISK_BYTES, file }],
    };
  }

  async call(call: string, vm = "", body: unknown = null): Promise<unknown> {
    const id = ++this.lastId;
    const answered = new Promise<Answer>((resolve) => this.waiting.set(id, resolve));
    this.outer?.stdin?.write(`${JSON.stringify({ id, call, vm, body })}\n`);
    const answer = await answered;
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  }

  powerOn(vm: string): Promise<unknown> {
    return this.call("powerOn", vm, this.request(vm));
  }

  powerOff(vm: string, hard: boolean): Promise<unknown> {
    return this.call("powerOff", vm, { hard });
  }

  /** Runs a shell line in a guest, with the guest's host key checked. */
  run(vm: string, command: string, expectedHostKey = this.hostKey.public): Promise<Ran> {
    const client = new Client();
    return new Promise<Ran>((resolve, reject) => {
      client.once("error", reject);
      client.once("close", () => {
        reject(new Error(`${vm}: the connection was closed`));
      });
      client.once("ready", () => {
        client.exec(command, (error, channel) => {
          if (error !== undefined) {
            reject(error);
            return;
          }
          let stdout = "";
          let stderr = "";
          channel.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
          channel.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
          channel.once("close", (status: number | null) => {
            resolve({ status, stdout: stdout.trim(), stderr: stderr.trim() });
          });
        });
      });
      client.connect({
        host: this.address(vm),
        port: this.sshPort,
        username: "root",
        privateKey: this.clientKey.private,
        hostVerifier: (key: Buffer) => key.toString("base64") === expectedHostKey.split(" ")[1],
      });
    }).finally(() => client.end());
  }

  /** As {@link run}; a status other than 0 is an error. */
  async ok(vm: string, command: string): Promise<string> {
    const ran = await this.run(vm, command);
    if (ran.status !== 0) throw new Error(`${vm}: ${command}: ${ran.status ?? "?"}: ${ran.stderr}`);
    return ran.stdout;
  }

  /** Adds a fault rule; answers a function that removes it. */
  async fault(rule: Record<string, unknown>): Promise<() => Promise<void>> {
    const url = `http://${this.blocksAddress}/lab/blocks/fault`;
    const response = await fetch(url, { method: "POST", body: JSON.stringify(rule) });
    const { id } = (await response.json()) as { id: string };
    return async () => {
      await fetch(`${url}/${id}`, { method: "DELETE" });
    };
  }

  async counters(vm: string): Promise<Record<string, string>> {
    const response = await fetch(`http://${this.blocksAddress}/lab/blocks/counters`);
    const all = (await response.json()) as Record<string, string>[];
    return all.find((disk) => disk["volumeId"] === `vol-${vm}`) ?? {};
  }

  /** As when somebody kills the lab's daemon: nothing in the namespaces gets a chance to clean up. */
  async kill(): Promise<void> {
    const { outer } = this;
    if (outer?.exitCode !== null || outer.signalCode !== null) return;
    const ended = new Promise((resolve) => outer.once("exit", resolve));
    outer.kill("SIGKILL");
    await ended;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.dir, { recursive: true, force: true });
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
