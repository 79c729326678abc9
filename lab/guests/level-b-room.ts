import { appendFile, chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GuestSupervisorOptions } from "../control/guest-supervisor";
import type { GuestRoom, RunningGuest } from "./guest-room";
import { requireDisks, requireOwnProc } from "./level-a-room";
import { PLAIN_INIT, powerCommand } from "./plain-init";
import type { PowerOnRequest } from "./request";
import { customizeUpper } from "./upper-layer";
import { SYSTEM_PATH } from "./user-boot-script";
import { UserGuest } from "./user-guest";

/** The one user of a guest of level B: called root, and known by the names that its programs ask for. */
const PASSWD = ["root", "mysql", "sshd"]
  .map((name) => `${name}:x:1000:1000:${name}:/root:/bin/bash\n`)
  .join("");
const GROUP = ["root", "mysql", "tty"].map((name) => `${name}:x:1000:\n`).join("");

/**
 * Guests of level B: an SSH server and a small init in namespaces that an ordinary user may have; disks are folders.
 * Nothing of a guest lives outside the supervisor's own PID namespace.
 */
export class LevelBRoom implements GuestRoom {
  constructor(private readonly options: GuestSupervisorOptions) {
    requireOwnProc();
  }

  async customize(vm: string, request: PowerOnRequest): Promise<void> {
    requireDisks(request);
    const upper = path.join(this.options.dir, vm, "upper");
    for (const folder of ["", "etc", "etc/sanbed", "usr", "usr/local", "usr/local/sbin"]) {
      await mkdir(path.join(upper, folder), { recursive: true });
      await chmod(path.join(upper, folder), 0o755);
    }
    await customizeUpper(upper, request, this.options);
    // Who is not user 0 gets a PATH without the system's programs from OpenSSH.
    await appendFile(
      path.join(upper, "etc/ssh/sshd_config.d/lab.conf"),
      `SetEnv PATH=${SYSTEM_PATH}\n`,
    );
    const put = async (name: string, text: string, mode = 0o644): Promise<void> => {
      await writeFile(path.join(upper, name), text, { mode });
    };
    await put("etc/passwd", PASSWD);
    await put("etc/group", GROUP);
    await put("etc/sanbed/init", PLAIN_INIT);
    await put("usr/local/sbin/poweroff", powerCommand("TERM"), 0o755);
    await put("usr/local/sbin/reboot", powerCommand("HUP"), 0o755);
  }

  start(vm: string, request: PowerOnRequest): Promise<RunningGuest> {
    return UserGuest.start(path.join(this.options.dir, vm), this.options.tree, request);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
