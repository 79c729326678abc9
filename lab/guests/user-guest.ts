import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { GuestEnd, RunningGuest } from "./guest-room";
import { endOfPlainInit } from "./plain-init";
import { diskDevice, type PowerOnRequest } from "./request";
import { USER_BOOT_SCRIPT } from "./user-boot-script";

/** Folder that stands for a virtual disk where there are no block devices: beside its file, gone with its volume. */
export function diskFolder(file: string): string {
  return `${file}.folder`;
}

/** A guest of level B: the plain init in mount, PID, UTS, IPC and user namespaces. The network is the host's. */
export class UserGuest implements RunningGuest {
  readonly ended: Promise<GuestEnd>;

  private constructor(
    private readonly outer: ChildProcess,
    private readonly dir: string,
  ) {
    this.ended = new Promise((resolve) => {
      outer.once("exit", (code) => {
        resolve(endOfPlainInit(code));
      });
    });
  }

  /** Starts a guest. It is not reachable yet. */
  static async start(dir: string, tree: string, request: PowerOnRequest): Promise<UserGuest> {
    for (const folder of ["lower", "upper", "work", "root"]) {
      await mkdir(path.join(dir, folder), { recursive: true });
    }
    const disks: string[] = [];
    for (const disk of request.disks) {
      await mkdir(diskFolder(disk.file), { recursive: true });
      disks.push(diskDevice(disk.unit), diskFolder(disk.file));
    }
    return new UserGuest(await spawnGuest(dir, tree, request.hostname, disks), dir);
  }

  async requestPowerOff(): Promise<void> {
    await this.signal("SIGTERM");
  }

  async kill(): Promise<void> {
    // unshare itself blocks SIGTERM and is only killed when its child is not there yet.
    if (!(await this.signal("SIGKILL"))) this.outer.kill("SIGKILL");
  }

  /** Everything it held went with its namespaces. */
  release(): Promise<void> {
    return Promise.resolve();
  }

  async journal(lines: number): Promise<string> {
    const logs = ["init.log", "sshd.log"].map((name) =>
      readFile(path.join(this.dir, "upper/var/log", name), "utf8").catch(() => ""),
    );
    const said = (await Promise.all(logs)).join("").trim().split("\n");
    return said.slice(-lines).join("\n");
  }

  private async signal(signal: NodeJS.Signals): Promise<boolean> {
    const { pid } = this.outer;
    if (pid === undefined || this.outer.exitCode !== null) return false;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    const init = Number.parseInt(children, 10);
    if (!Number.isInteger(init)) return false;
    try {
      process.kill(init, signal);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
      throw error;
    }
  }
}

async function spawnGuest(
  dir: string,
  tree: string,
  hostname: string,
  disks: readonly string[],
): Promise<ChildProcess> {
  const unshare = ["--mount", "--propagation", "private", "--pid", "--uts", "--ipc", "--fork"];
  const console = openSync(path.join(dir, "console.log"), "a");
  try {
    const child = spawn(
      "unshare",
      [...unshare, "--kill-child", "sh", "-c", USER_BOOT_SCRIPT, "sh", ...disks],
      {
        stdio: ["ignore", console, console],
        env: {
          PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
          GUEST_DIR: dir,
          GUEST_TREE: tree,
          GUEST_HOSTNAME: hostname,
        },
      },
    );
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    return child;
  } finally {
    closeSync(console);
  }
}
