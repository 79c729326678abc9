import { probeLevelA, probeLevelB, probeLevelC } from "./guests/probe";

/** How much of the lab is real (design: A everything, D emulators only). */
export type Level = "A" | "B" | "C" | "D";

export interface LevelProbe {
  readonly level: Level;
  /** For each better level: why it cannot be had here. */
  readonly missing: Readonly<Partial<Record<Level, readonly string[]>>>;
}

/**
 * Finds the best level that this machine and this user allow.
 * @param dir folder on the file system that the guests will lie on.
 * @param without why real guests cannot be had whatever the machine allows: their root file system is missing.
 * @param wanted best level to look for; default A.
 */
export async function probeLevel(
  dir: string,
  without: readonly string[] = [],
  wanted: Level = "A",
): Promise<LevelProbe> {
  const missing: Partial<Record<Level, readonly string[]>> = {};
  const probes = { A: () => probeLevelA(dir), B: () => probeLevelB(dir), C: probeLevelC } as const;
  for (const level of ["A", "B", "C"] as const) {
    if (level < wanted) {
      missing[level] = [`level ${wanted} was asked for`];
      continue;
    }
    const probe = without.length > 0 ? { ok: false, missing: without } : await probes[level]();
    if (probe.ok) return { level, missing };
    missing[level] = probe.missing;
  }
  return { level: "D", missing };
}
