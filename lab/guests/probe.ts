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
  const refused = await tryNamespaces(dir, cgroup2 ?? "");
  return { ok: refused === undefined, missing: refused === undefined ? [] : [refused] };
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

async function tryNamespaces(parent: string, cgroup2: string): Promise<string | undefined> {
  const dir = await mkdtemp(path.join(parent, ".sanbed-probe-"));
  try {
    for (const name of ["lower", "upper", "work", "root"])
      await run("mkdir", [path.join(dir, name)]);
    await run("truncate", ["--size=1M", path.join(dir, "image")]);
    const unshare = [
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
    await run("unshare", [...unshare, "--fork", "--kill-child", "env", ...env, "sh", "-c", TRIAL]);
    return undefined;
  } catch (error) {
    const printed = error instanceof CommandError ? error.stdout : "";
    const step = printed.trim().split("\n").at(-1) ?? "";
    const what = step === "" ? "mount, PID, UTS and IPC namespaces" : step;
    return `${what}: ${(error as Error).message.split("\n").at(-1) ?? ""}`;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function onPath(tool: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.some((folder) => folder !== "" && existsSync(path.join(folder, tool)));
}
