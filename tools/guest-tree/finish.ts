import {
  chmod,
  chown,
  copyFile,
  mkdir,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { SanbedError } from "../../bed/errors";
import { accountFiles, MESSAGEBUS_ID, MYSQL_ID } from "./accounts";
import { runCommand } from "./command";
import { COPIES, FILES, FOLDERS, LINKS } from "./contents";

/** Makes the folders and links that must be there before the first package is unpacked (merged /usr). */
export async function prepareTree(tree: string): Promise<void> {
  for (const folder of ["bin", "sbin", "lib", "lib64"]) {
    await mkdir(path.join(tree, "usr", folder), { recursive: true });
    await symlink(`usr/${folder}`, path.join(tree, folder));
  }
}

/** Turns unpacked packages into a root file system: plain file writes and `ldconfig`, nothing of the guest is run. */
export async function finishTree(tree: string, asRoot: boolean): Promise<void> {
  for (const [folder, mode] of FOLDERS) {
    const full = path.join(tree, folder);
    await mkdir(full, { recursive: true });
    await chmod(full, mode);
  }
  await writeAccounts(tree);
  for (const [from, to] of COPIES) await copyFile(path.join(tree, from), path.join(tree, to));
  for (const file of FILES) await writeTreeFile(tree, file.path, file.text, file.mode);
  for (const [link, target] of LINKS) await placeLink(path.join(tree, link), target);
  // Packages bring units that want each other; what a package enables only by its scripts stays off.
  if (asRoot) await setOwners(tree);
  await runCommand(path.join(tree, "sbin/ldconfig"), ["-r", tree, "-X"]);
}

async function writeAccounts(tree: string): Promise<void> {
  const masters = path.join(tree, "usr/share/base-passwd");
  const files = accountFiles(
    await readFile(path.join(masters, "passwd.master"), "utf8"),
    await readFile(path.join(masters, "group.master"), "utf8"),
  );
  await writeTreeFile(tree, "etc/passwd", files.passwd);
  await writeTreeFile(tree, "etc/group", files.group);
  await writeTreeFile(tree, "etc/shadow", files.shadow, 0o640);
  await writeTreeFile(tree, "etc/gshadow", files.gshadow, 0o640);
}

async function writeTreeFile(
  tree: string,
  name: string,
  text: string,
  mode = 0o644,
): Promise<void> {
  const file = path.join(tree, name);
  await mkdir(path.dirname(file), { recursive: true });
  await rm(file, { force: true });
  await writeFile(file, text, { mode });
  await chmod(file, mode);
}

async function placeLink(link: string, target: string): Promise<void> {
  await mkdir(path.dirname(link), { recursive: true });
  await rm(link, { recursive: true, force: true });
  await symlink(target, link);
}

const SHADOW_GID = 42;

async function setOwners(tree: string): Promise<void> {
  await chown(path.join(tree, "etc/shadow"), 0, SHADOW_GID);
  await chown(path.join(tree, "etc/gshadow"), 0, SHADOW_GID);
  await chown(path.join(tree, "var/log/mysql"), MYSQL_ID, MYSQL_ID);
  const helper = path.join(tree, "usr/lib/dbus-1.0/dbus-daemon-launch-helper");
  await chown(helper, 0, MESSAGEBUS_ID);
  await chmod(helper, 0o4754);
}

/** Folder of the tree's shared libraries, relative to the tree: `usr/lib/x86_64-linux-gnu`. */
export async function libraryFolder(tree: string): Promise<string> {
  const folders = await readdir(path.join(tree, "usr/lib"));
  const triplet = folders.find((folder) => /^[a-z0-9_]+-linux-gnu[a-z0-9]*$/.test(folder));
  if (triplet === undefined) throw new SanbedError("guest-tree", `${tree} has no library folder`);
  return `usr/lib/${triplet}`;
}
