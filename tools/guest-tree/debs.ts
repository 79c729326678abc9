import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { SanbedError } from "../../bed/errors";
import { download, openApt, resolve, type PrivateApt } from "./apt";
import { debFileName, downloadBytes, type GuestLock, type LockedPackage } from "./lock";

export interface ObtainOptions {
  /** Folder of the .deb files, made when absent; shared by all trees. */
  readonly debs: string;
  readonly architecture: string;
  /** Undefined: this architecture has no lock, take the newest versions. */
  readonly lock: GuestLock | undefined;
  readonly progress: (line: string) => void;
}

/**
 * Gets all .deb files of a lock into the cache and checks them. When the archive no longer has a locked version (it
 * keeps only the newest security update), everything is resolved again, which is said aloud.
 *
 * @returns the lock that the files in the cache belong to: the given one, or the one resolved in its place
 */
export async function obtainDebs(options: ObtainOptions): Promise<GuestLock> {
  const { debs, lock, progress } = options;
  const missing = lock && (await missingDebs(debs, lock.packages));
  if (lock !== undefined && missing?.length === 0) {
    await verifyDebs(debs, lock.packages);
    return lock;
  }
  const aptDir = await mkdtemp(path.join(path.dirname(debs), "apt-"));
  try {
    progress("guest tree: getting Debian's package index");
    const apt = await openApt(aptDir, debs, options.architecture);
    const used =
      (await downloadLocked(apt, lock, missing, progress)) ?? (await downloadNewest(apt, progress));
    await verifyDebs(debs, used.packages);
    return used;
  } finally {
    await rm(aptDir, { recursive: true, force: true });
  }
}

/** Packages whose file is not in the folder, or not of the right size. */
export async function missingDebs(
  debs: string,
  packages: readonly LockedPackage[],
): Promise<LockedPackage[]> {
  const present = await Promise.all(
    packages.map(async (pkg) => {
      const size = await stat(path.join(debs, debFileName(pkg))).then(
        (s) => s.size,
        () => undefined,
      );
      return size === pkg.size;
    }),
  );
  return packages.filter((_, index) => present[index] !== true);
}

async function downloadLocked(
  apt: PrivateApt,
  lock: GuestLock | undefined,
  missing: readonly LockedPackage[] | undefined,
  progress: (line: string) => void,
): Promise<GuestLock | undefined> {
  if (lock === undefined) {
    progress(`guest tree: no lock for ${apt.architecture}, taking the newest versions`);
    return undefined;
  }
  progress(describe(missing ?? lock.packages));
  const gone = await download(apt, lock.packages);
  if (gone.length === 0) return lock;
  progress(
    `guest tree: the archive no longer has ${gone.length} of the locked versions (${gone.join(", ")}); ` +
      "resolving again, so this tree differs from the committed lock",
  );
  return undefined;
}

async function downloadNewest(
  apt: PrivateApt,
  progress: (line: string) => void,
): Promise<GuestLock> {
  const lock = await resolve(apt, new Date().toISOString().slice(0, 10));
  progress(describe(lock.packages));
  const gone = await download(apt, lock.packages);
  if (gone.length === 0) return lock;
  throw new SanbedError(
    "guest-tree",
    `the archive's index lists ${gone.join(", ")} and does not have them. It is being updated: try again later.`,
  );
}

function describe(packages: readonly LockedPackage[]): string {
  const mb = Math.ceil(downloadBytes(packages) / 1e6);
  return `guest tree: downloading ${packages.length} packages, ${mb} MB`;
}

/** A file with a wrong hash is removed, so that the next try gets it again. */
async function verifyDebs(debs: string, packages: readonly LockedPackage[]): Promise<void> {
  for (const pkg of packages) {
    const file = path.join(debs, debFileName(pkg));
    const hash = createHash("sha256");
    await pipeline(createReadStream(file), hash);
    const found = hash.digest("hex");
    if (found === pkg.sha256) continue;
    await rm(file);
    throw new SanbedError(
      "guest-tree",
      `${file} has SHA-256 ${found}, the lock says ${pkg.sha256}. The file was removed: run again to get it anew.`,
    );
  }
}
