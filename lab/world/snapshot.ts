import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { damagedFile } from "../folder";
import { labError } from "../emulator/lab-error";
import type { WorldState } from "./state";

/** Changes with the shape of the state: a snapshot of another shape is not taken. */
const version = 1;

const remedy =
  "delete it: the next `sanbed lab up` starts from the preset, without what beds made on the lab";

/** Text of a world: JSON, sizes and counters (`...Bytes`, `...Count`) as decimal strings. */
export function worldToJson(state: WorldState): string {
  return JSON.stringify(
    state,
    (_key, value: unknown) => (typeof value === "bigint" ? value.toString() : value),
    1,
  );
}

export function worldFromJson(text: string): WorldState {
  return JSON.parse(text, (key, value: unknown) =>
    /(?:Bytes|Count)$/.test(key) && typeof value === "string" ? BigInt(value) : value,
  ) as WorldState;
}

/** Writes whole or not at all: a killed daemon never leaves half a world. */
export function saveWorld(path: string, state: WorldState): void {
  const temporary = `${path}.new`;
  const text = `{"version":${version.toString()},"state":${worldToJson(state)}}\n`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

/**
 * Undefined when there is no snapshot yet.
 * @throws {SanbedError} `lab` for a snapshot of another version of the lab, or a damaged one.
 */
export function loadWorld(path: string): WorldState | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const prefix = `{"version":${version.toString()},"state":`;
  if (!text.startsWith(prefix)) {
    if (!/^\{"version":\d+,"state":/.test(text))
      throw damagedFile(path, "it does not begin as one", remedy);
    throw labError(
      `${path} is of another version of the lab; remove the lab's folder and start anew`,
    );
  }
  try {
    return worldFromJson(text.slice(prefix.length, text.lastIndexOf("}")));
  } catch (error) {
    throw damagedFile(path, error, remedy);
  }
}
