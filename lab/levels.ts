import { probeLevelA } from "./guests/probe";

/** How much of the lab is real (design: A everything, D emulators only). */
export type Level = "A" | "B" | "C" | "D";

export interface LevelProbe {
  readonly level: Level;
  /** For each better level: why it cannot be had here. */
  readonly missing: Readonly<Partial<Record<Level, readonly string[]>>>;
}

const notBuilt = ["not built yet"];

/**
 * Finds the best level that this machine and this user allow.
 * @param dir folder on the file system that the guests will lie on.
 */
export async function probeLevel(dir: string): Promise<LevelProbe> {
  const probe = await probeLevelA(dir);
  if (probe.ok) return { level: "A", missing: {} };
  return { level: "D", missing: { A: probe.missing, B: notBuilt, C: notBuilt } };
}
