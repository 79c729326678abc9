import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { findCgroup2 } from "./cgroups";
import { CommandError, run } from "./command";

/** Result of a probe: each thing that is missing in one sentence, with what to do where something can be done. */
export interface LevelProbe {
  readonly ok: boolean;
  readonly missing: string[];
}

const TOOLS = [
  "unshare",
  "nsenter",
  "mount",
  "umount",
  "pivot_root",
  "losetup",
  "mknod",
  "hostname",
];

/**
 * Tells whether real guests with systemd and block devices (level A) can run here, by trying: nothing is left behind.
 *
 * @param dir - where the lab will lie; its file system must be able to carry overlay layers. Default: temporary folder
 */
export async function probeLevelA(dir: string = os.tmpdir()): Promise<LevelProbe> {
  const missing: string[] = [];
  if (process.platform !== "linux")
    return { ok: false, missing: ["Linux: this is " + process.platform] };
  if (process.getuid?.() !== 0) missing.push("root: run as root or with sudo");
  for (const tool of TOOLS) {
    if (!onPath(tool)) missing.push(`${tool}: install util-linux, coreutils or hostname`);
  }
  for (const device of ["/dev/fuse", "/dev/loop-control"]) {
    if (!existsSync(device))
      missing.push(`${device}: the kernel or the container does not offer it`);
  }
  const cgroup2 = await findCgroup2().catch(() => undefined);
  if (cgroup2 === undefined) missing.push("cgroup version 2: no such hierarchy is mounted");
  if (missing.length > 0) return { ok: false, missing };
  const refused = await tryNamespaces(dir, TRIAL, [], cgroup2);
  return { ok: refused === undefined, missing: refused === undefined ? [] : [refused] };
}

/** Tools of a guest in namespaces of an ordinary user. */
const USER_TOOLS = ["unshare", "mount", "umount", "pivot_root", "hostname"];

/**
 * Tells whether guests in namespaces of an ordinary user, with plain files for disks (level B), can run here, by trying.
 *
 * @param dir - where the lab will lie; its file system must be able to carry overlay layers. Default: temporary folder
 */
export async function probeLevelB(dir: string = os.tmpdir()): Promise<LevelProbe> {
  if (process.platform !== "linux")
    return { ok: false, missing: ["Linux: this is " + process.platform] };
  const missing = USER_TOOLS.filter((tool) => !onPath(tool)).map(
    (tool) => `${tool}: install util-linux or hostname`,
  );
  if (missing.length > 0) return { ok: false, missing };
  const refused = await tryNamespaces(dir, USER_TRIAL, ["--user", "--map-root-user"]);
  return { ok: refused === undefined, missing: refused === undefined ? [] : [refused] };
}

/** Tells whether guests as plain processes (level C) can run here: the programs of the guest tree are for Linux. */
export function probeLevelC(): LevelProbe {
  const missing = process.platform === "linux" ? [] : ["Linux: this is " + process.platform];
  return { ok: missing.length === 0, missing };
}

/** One pass over everything that a guest's start does. The step that failed is the last one echoed. */
const TRIAL = `set -eu
step() { echo "$1"; }
step "a writable cgroup version 2 hierarchy"
mkdir "$CGROUP"
trap 'rmdir "$CGROUP"' EXIT
step "a cgroup namespace"
unshare --cgroup true
step "mounting overlay file systems on $DIR"
mount --bind "$DIR/lower" "$DIR/lower"
cd "$DIR"
mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay root
step "mounting proc, sysfs and device terminals"
mount -t proc proc root
umount root
mount -t sysfs sysfs root
umount root
mount -t devpts -o newinstance devpts root
umount root
step "making device nodes"
mount -t tmpfs tmpfs root
mknod root/node b 7 0
umount root
step "loop devices with direct I/O"
device=$(losetup --find --show --direct-io=on "$DIR/image")
exec 9<"$device"
losetup --detach "$device"
exec 9<&-
step done
`;

const USER_TRIAL = `set -eu
step() { echo "$1"; }
step "mounting overlay file systems on $DIR"
mount --bind "$DIR/lower" "$DIR/lower"
cd "$DIR"
mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr overlay root
step "mounting proc and device terminals"
mount -t proc proc root
mount --bind root/sys root/sys
mount -o remount,bind,ro root/sys
umount root/sys
umount root
mount -t devpts -o newinstance devpts root
umount root
step "devices of the machine in a folder of their own"
mount -t tmpfs tmpfs root
: > root/null
mount --bind /dev/null root/null
umount root/null
umount root
step "a user namespace in a user namespace"
unshare --user --map-user=1000 --map-group=1000 true
step done
`;

async function tryNamespaces(
  parent: string,
  trial: string,
  more: readonly string[],
  cgroup2 = "",
): Promise<string | undefined> {
  const dir = await mkdtemp(path.join(parent, ".sanbed-probe-"));
  try {
    for (const name of ["lower", "upper", "work", "root"])
      await run("mkdir", [path.join(dir, name)]);
    await run("truncate", ["--size=1M", path.join(dir, "image")]);
    const unshare = [
      ...more,
      "--mount",
      "--propagation",
      "private",
      "--pid",
      "--mount-proc",
      "--uts",
      "--ipc",
    ];
    // The trial's own environment by env(1): the values are no part of the script.
    const cgroup = path.join(cgroup2, path.basename(dir).slice(1));
    const env = [`DIR=${dir}`, `CGROUP=${cgroup}`];
    await run("unshare", [...unshare, "--fork", "--kill-child", "env", ...env, "sh", "-c", trial]);
    return undefined;
  } catch (error) {
    const printed = error instanceof CommandError ? error.stdout : "";
    const step = printed.trim().split("\n").at(-1) ?? "";
    const namespaces = more.length > 0 ? "user namespaces" : "mount, PID, UTS and IPC namespaces";
    const what = step === "" ? namespaces : step;
    return `${what}: ${(error as Error).message.split("\n").at(-1) ?? ""}`;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function onPath(tool: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.some((folder) => folder !== "" && existsSync(path.join(folder, tool)));
}
