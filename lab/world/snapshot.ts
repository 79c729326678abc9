import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { WorldState } from "./state";

/** Text of a world: JSON, byte sizes (every property that ends in `Bytes`) as decimal strings. */
export function worldToJson(state: WorldState): string {
  return JSON.stringify(
    state,
    (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value),
    1,
  );
}

export function worldFromJson(text: string): WorldState {
  return JSON.parse(text, (key, value: unknown) =>
    key.endsWith("Bytes") && typeof value === "string" ? BigInt(value) : value,
  ) as WorldState;
}

/** Writes whole or not at all: a killed daemon never leaves half a world. */
export function saveWorld(path: string, state: WorldState): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, worldToJson(state), { mode: 0o600 });
  renameSync(temporary, path);
}

/** Undefined when there is no snapshot yet. */
export function loadWorld(path: string): WorldState | undefined {
  try {
    return worldFromJson(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
