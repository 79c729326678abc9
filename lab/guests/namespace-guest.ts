import { spawn, type ChildProcess } from "node:child_process";
import { openSync, closeSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { BOOT_SCRIPT, ENTER_SCRIPT } from "./boot-script";
import { makeGuestCgroup, removeCgroup } from "./cgroups";
import { run } from "./command";
import type { GuestEnd, RunningGuest } from "./guest-room";
import { attachLoop, releaseLoop, type LoopDevice } from "./loop-device";
import { diskDevice, type GuestDisk, type PowerOnRequest } from "./request";

/** What a guest needs beside its request. */
export interface NamespaceOptions {
  readonly vm: string;
  /** Own folder of the guest: upper layer and mount points. */
  readonly dir: string;
  readonly tree: string;
  readonly labCgroup: string;
}

// systemd(1), section SIGNALS: SIGRTMIN+4 starts poweroff.target. glibc's SIGRTMIN is 34.
const SIGNAL_POWEROFF = 38;

/** A running guest: systemd in mount, PID, UTS, IPC and cgroup namespaces of its own. The network is the host's. */
export class NamespaceGuest implements RunningGuest {
  /** Resolves when the guest has ended and its namespaces are gone. */
  readonly ended: Promise<GuestEnd>;
  private readonly outer: ChildProcess;
  private readonly cgroup: string;
  private readonly loops: readonly LoopDevice[];

  private constructor(outer: ChildProcess, cgroup: string, loops: readonly LoopDevice[]) {
    this.outer = outer;
    this.cgroup = cgroup;
    this.loops = loops;
    this.ended = new Promise((resolve) => {
      outer.once("exit", (_code, signal) => {
        resolve(endOf(signal));
      });
    });
  }

  /** Starts a guest. It is not reachable yet. */
  static async start(options: NamespaceOptions, request: PowerOnRequest): Promise<NamespaceGuest> {
    for (const folder of ["lower", "upper", "work", "root"]) {
      await mkdir(path.join(options.dir, folder), { recursive: true });
    }
    const cgroup = await makeGuestCgroup(options.labCgroup, options.vm);
    const loops: LoopDevice[] = [];
    try {
      for (const disk of request.disks) loops.push(await attachLoop(disk.file));
      const outer = await spawnGuest(options, request, cgroup, loops);
      return new NamespaceGuest(outer, cgroup, loops);
    } catch (error) {
      await releaseAll(loops);
      await removeCgroup(cgroup);
      throw error;
    }
  }

  /** Process id of the guest's PID 1, as this process sees it. Undefined before it exists and after it ended. */
  async init(): Promise<number | undefined> {
    const pid = this.outer.pid;
    if (pid === undefined || this.outer.exitCode !== null) return undefined;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    const first = Number.parseInt(children, 10);
    return Number.isInteger(first) ? first : undefined;
  }

  /** Asks systemd for an orderly shutdown. */
  async requestPowerOff(): Promise<void> {
    await this.signal(SIGNAL_POWEROFF);
  }

  /** As if the power was cut: the kernel kills every process of the guest. */
  async kill(): Promise<void> {
    // unshare itself blocks SIGTERM and is only killed when its child is not there yet.
    if (!(await this.signal("SIGKILL"))) this.outer.kill("SIGKILL");
  }

  /** After the end: gives the block devices and the control group back. */
  async release(): Promise<void> {
    await releaseAll(this.loops);
    await removeCgroup(this.cgroup);
  }

  /** Last lines of the guest's journal, to explain a start that failed. Empty when the guest cannot tell. */
  async journal(lines: number): Promise<string> {
    const pid = await this.init();
    if (pid === undefined) return "";
    const enter = ["--target", String(pid), "--mount", "--pid", "--root"];
    const show = ["journalctl", "--no-pager", "--priority=warning", `--lines=${lines}`];
    return run("nsenter", [...enter, ...show]).catch(() => "");
  }

  private async signal(signal: NodeJS.Signals | number): Promise<boolean> {
    const pid = await this.init();
    if (pid === undefined) return false;
    try {
      process.kill(pid, signal);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
      throw error;
    }
  }
}

async function spawnGuest(
  options: NamespaceOptions,
  request: PowerOnRequest,
  cgroup: string,
  loops: readonly LoopDevice[],
): Promise<ChildProcess> {
  const unshare = ["--mount", "--propagation", "private", "--pid", "--uts", "--ipc", "--fork"];
  const console = openSync(path.join(options.dir, "console.log"), "a");
  try {
    const child = spawn(
      "unshare",
      [...unshare, "--kill-child", "sh", "-c", ENTER_SCRIPT, "sh", BOOT_SCRIPT],
      {
        stdio: ["ignore", console, console],
        env: {
          PATH: process.env["PATH"] ?? "/usr/sbin:/usr/bin:/sbin:/bin",
          GUEST_DIR: options.dir,
          GUEST_TREE: options.tree,
          GUEST_CGROUP: cgroup,
          GUEST_HOSTNAME: request.hostname,
          GUEST_DISKS: deviceList(request.disks, loops),
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

/** `sdb=7:4 sdc=7:5`. */
function deviceList(disks: readonly GuestDisk[], loops: readonly LoopDevice[]): string {
  return disks
    .map((disk, index) => `${diskDevice(disk.unit)}=${loops[index]?.numbers ?? ""}`)
    .join(" ");
}

/** The kernel ends PID 1 by SIGINT for power off, by SIGHUP for a restart; unshare then ends itself the same way. */
function endOf(signal: NodeJS.Signals | null): GuestEnd {
  if (signal === "SIGINT") return "poweroff";
  return signal === "SIGHUP" ? "reboot" : "killed";
}

async function releaseAll(loops: readonly LoopDevice[]): Promise<void> {
  const results = await Promise.allSettled(loops.map((loop) => releaseLoop(loop)));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
