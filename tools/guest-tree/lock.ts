import { createHash } from "node:crypto";
import { z } from "zod";
import committed from "./lock.json";
import { FINISH_VERSION } from "./packages";

const Package = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9.+-]*$/),
  version: z.string().regex(/^[A-Za-z0-9.+:~-]+$/),
  /** Architecture in the file name: that of the tree, or `all`. */
  architecture: z.string().regex(/^[a-z0-9]+$/),
  /** Path below the archive's base address, as its index names it. */
  path: z.string().startsWith("pool/"),
  size: z.int().positive(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const Lock = z.strictObject({
  release: z.string(),
  architecture: z.string(),
  /** Day on which the versions were taken from the archive, `YYYY-MM-DD`. */
  resolved: z.iso.date(),
  packages: z.array(Package).min(1),
});

/** One .deb file. */
export type LockedPackage = z.infer<typeof Package>;

/** Exactly which .deb files a tree is made of. */
export type GuestLock = z.infer<typeof Lock>;

/** The lock that belongs to this version of the code. Undefined for an architecture that has none: it is resolved. */
export function committedLock(architecture: string): GuestLock | undefined {
  const lock = parseLock(committed);
  return lock.architecture === architecture ? lock : undefined;
}

/** @throws ZodError when the value is no lock. */
export function parseLock(value: unknown): GuestLock {
  return Lock.parse(value);
}

/** Name under which apt keeps a .deb file: the epoch's colon is written `%3a`. */
export function debFileName(pkg: LockedPackage): string {
  return `${pkg.name}_${pkg.version.replaceAll(":", "%3a")}_${pkg.architecture}.deb`;
}

/** Name of the tree: packages, finish version and, as ownership differs, whether root built it. */
export function treeHash(lock: GuestLock, builder: "root" | "user"): string {
  const content = lock.packages.map((p) => p.sha256).sort();
  const text = [FINISH_VERSION, lock.release, lock.architecture, builder, ...content].join("\n");
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Sum of the .deb files. */
export function downloadBytes(packages: readonly LockedPackage[]): number {
  return packages.reduce((sum, pkg) => sum + pkg.size, 0);
}
