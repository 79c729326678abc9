import { execFile } from "node:child_process";
import { existsSync, watch, type FSWatcher } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { GuestEnd, RunningGuest } from "./guest-room";
import { killMarked } from "./marked-processes";
import type { SshService } from "./ssh-service";

export interface ProcessGuestOptions {
  /** The guest's own root folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly ssh: SshService;
  /** Value of the mark that all processes of the guest carry. */
  readonly mark: string;
}

/**
 * A guest of level C: processes of the machine, known by a mark in their environment, with a folder of their own. They
 * see the machine's files, its name and its other processes.
 */
export class ProcessGuest implements RunningGuest {
  readonly ended: Promise<GuestEnd>;
  private end: (end: GuestEnd) => void = () => undefined;
  private readonly wishes: FSWatcher;
  private ending: Promise<void> | undefined;

  private constructor(private readonly options: ProcessGuestOptions) {
    this.ended = new Promise((resolve) => (this.end = resolve));
    const run = path.join(options.root, "run");
    // The guest's own `poweroff` and `reboot` leave a file there.
    this.wishes = watch(run, () => {
      if (existsSync(path.join(run, "reboot"))) void this.shutDown("reboot");
      else if (existsSync(path.join(run, "poweroff"))) void this.shutDown("poweroff");
    });
  }

  static async start(options: ProcessGuestOptions): Promise<ProcessGuest> {
    await options.ssh.listen();
    const guest = new ProcessGuest(options);
    void guest.local("start");
    return guest;
  }

  requestPowerOff(): Promise<void> {
    return this.shutDown("poweroff");
  }

  kill(): Promise<void> {
    return this.finish("killed");
  }

  /** Everything it held ended with its processes. */
  release(): Promise<void> {
    return Promise.resolve();
  }

  async journal(lines: number): Promise<string> {
    const file = path.join(this.options.root, "var/log/init.log");
    const said = await readFile(file, "utf8").catch(() => "");
    return said.trim().split("\n").slice(-lines).join("\n");
  }

  private async shutDown(end: GuestEnd): Promise<void> {
    if (this.ending !== undefined) return this.ending;
    await this.local("stop");
    await this.finish(end);
  }

  private finish(end: GuestEnd): Promise<void> {
    this.ending ??= (async () => {
      this.wishes.close();
      await this.options.ssh.close();
      await killMarked(this.options.mark);
      this.end(end);
    })();
    return this.ending;
  }

  /** Runs what the guest starts and stops with; its output is in its log. */
  private local(action: "start" | "stop"): Promise<void> {
    const { root, env } = this.options;
    const script = path.join(root, "etc/rc.local");
    if (!existsSync(script)) return Promise.resolve();
    const line = 'exec "$0" "$1" >>"$2" 2>&1 </dev/null';
    const log = path.join(root, "var/log/init.log");
    return new Promise((resolve) => {
      execFile("/bin/sh", ["-c", line, script, action, log], { env, cwd: root }, () => {
        resolve();
      });
    });
  }
}
