import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GuestSupervisorOptions } from "../control/guest-supervisor";
import type { GuestRoom, RunningGuest } from "./guest-room";
import { requireDisks } from "./level-a-room";
import { GUEST_MARK, killMarked } from "./marked-processes";
import { ProcessGuest } from "./process-guest";
import { diskDevice, type PowerOnRequest } from "./request";
import { SshService } from "./ssh-service";
import { writeTreePrograms } from "./tree-programs";
import { diskFolder } from "./user-guest";

/**
 * Guests of level C: plain processes with folders of their own, for machines that allow no namespaces. The programs
 * are those of the guest tree, the shell and its tools are the machine's.
 */
export class LevelCRoom implements GuestRoom {
  constructor(private readonly options: GuestSupervisorOptions) {}

  async customize(vm: string, request: PowerOnRequest): Promise<void> {
    requireDisks(request);
    const root = this.root(request);
    const files = path.join(this.options.dir, vm, "root");
    await mkdir(files, { recursive: true });
    await mkdir(path.dirname(root), { recursive: true });
    await rm(root, { force: true });
    await symlink(files, root);
    for (const folder of [
      "bin",
      "etc",
      "run",
      "run/mysqld",
      "var/lib",
      "var/log",
      "tmp",
      "disks",
    ]) {
      await mkdir(path.join(root, folder), { recursive: true, mode: 0o700 });
    }
    writeTreePrograms(this.options.tree, path.join(root, "bin"));
    for (const wish of ["poweroff", "reboot"]) {
      const command = path.join(root, "bin", wish);
      await writeFile(command, `#!/bin/sh\nexec touch "$GUEST_ROOT/run/${wish}"\n`);
      await chmod(command, 0o755);
      await rm(path.join(root, "run", wish), { force: true });
    }
    const id = path.join(root, "etc/machine-id");
    await writeFile(id, `${randomBytes(16).toString("hex")}\n`, { flag: "wx" }).catch(
      () => undefined,
    );
    await this.linkDisks(root, request);
  }

  async start(_vm: string, request: PowerOnRequest): Promise<RunningGuest> {
    const root = this.root(request);
    const mark = `${root}:`;
    const env = {
      [GUEST_MARK]: mark,
      GUEST_ROOT: root,
      HOME: root,
      HOSTNAME: request.hostname,
      TMPDIR: path.join(root, "tmp"),
      LANG: "C.UTF-8",
      MYSQL_UNIX_PORT: path.join(root, "run/mysqld/mysqld.sock"),
      PATH: `${path.join(root, "bin")}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
    };
    const { sshPort, authorizedKey, hostKeyFile } = this.options;
    const ssh = new SshService({
      address: request.address,
      port: sshPort,
      hostKey: await readFile(hostKeyFile, "utf8"),
      authorizedKey,
      env,
      sftpServer: path.join(root, "bin/sftp-server"),
    });
    return ProcessGuest.start({ root, env, ssh, mark });
  }

  async close(): Promise<void> {
    await removeProcessGuests(path.dirname(this.options.dir));
  }

  private async linkDisks(root: string, request: PowerOnRequest): Promise<void> {
    for (const disk of request.disks) {
      await mkdir(diskFolder(disk.file), { recursive: true });
      const link = path.join(root, "disks", diskDevice(disk.unit));
      await rm(link, { force: true });
      await symlink(diskFolder(disk.file), link);
    }
  }

  /** By address, which the bed plans: it must know the folder before the machine is there. */
  private root(request: PowerOnRequest): string {
    return path.join(guestRoots(path.dirname(this.options.dir)), request.address);
  }
}

/** Where guests of level C have their root folders, one by address. */
export function guestRoots(labDir: string): string {
  return path.join(labDir, "at");
}

/** Ends what is left of guests of level C, also those of a lab that was killed. */
export async function removeProcessGuests(labDir: string): Promise<void> {
  await killMarked(`${guestRoots(labDir)}/`);
  await rm(guestRoots(labDir), { recursive: true, force: true });
}
