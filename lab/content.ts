import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { LabFolder } from "./folder";
import type { World } from "./world/world";

/**
 * Keeps one folder per volume of the arrays in step with the world: made with the volume, gone with
 * it. The SAN process puts one sparse file per virtual disk into it.
 */
export function keepVolumeContent(world: World, folder: LabFolder): () => void {
  let known = new Set<string>();
  const root = folder.file("volumes");
  const adjust = (): void => {
    const ids = new Set(Object.values(world.view.arrays).flatMap((a) => Object.keys(a.volumes)));
    for (const id of ids) if (!known.has(id)) mkdirSync(join(root, id), { recursive: true });
    for (const id of known) {
      if (!ids.has(id)) rmSync(join(root, id), { recursive: true, force: true });
    }
    known = ids;
  };
  known = new Set(readdirSync(root));
  adjust();
  world.measureUsedWith((id) => usedBytes(folder.volume(id)));
  return world.onChange(adjust);
}

/** Blocks really taken by the files of a folder: sparse files count what was written. */
function usedBytes(path: string): bigint {
  let used = 0n;
  for (const name of listFiles(path)) {
    const stat = statSync(join(path, name), { bigint: true, throwIfNoEntry: false });
    used += (stat?.blocks ?? 0n) * 512n;
  }
  return used;
}

function listFiles(path: string): string[] {
  try {
    return readdirSync(path, { recursive: true, encoding: "utf8" });
  } catch {
    return [];
  }
}
