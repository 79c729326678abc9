import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { makeBedId, parseBedId, type BedId } from "../bed/identities";
import type { LabFolder } from "./folder";

/**
 * Id that stacks on this lab make theirs of when they bring none: made with the folder and kept in it. Two labs
 * never share one, and a stack configuration that is copied to a real site carries none.
 */
export function labBedId(folder: LabFolder): BedId {
  const file = folder.file("bed-id");
  const kept = existsSync(file) ? parseBedId(readFileSync(file, "utf8").trim()) : undefined;
  if (kept !== undefined) return kept;
  const made = makeBedId((size) => randomBytes(size));
  writeFileSync(file, `${made}\n`);
  return made;
}
