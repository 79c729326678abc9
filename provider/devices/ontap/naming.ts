import { DeviceError } from "../../../bed/errors";
import { bedOfComment, bedOfName, withMark } from "../../../bed/mark";
import type { BedId } from "../../../bed/identities";
import type { Scope } from "../block-array";
import type { FlexVol, Group, Unit } from "./objects";

/** Path of the one LUN or namespace that a volume of ours holds: it has the volume's own name. */
export function unitPath(volume: string): string {
  return `/vol/${volume}/${volume}`;
}

/** Our name of the unit at a path; one that is not laid out like ours keeps its whole path. */
export function volumeOfPath(path: string): string {
  const match = /^\/vol\/([^/]+)\/([^/]+)$/.exec(path);
  return match?.[1] !== undefined && match[1] === match[2] ? match[1] : path;
}

/**
 * Name of a host group on the array. It carries the mark on every release, since igroups have no
 * comment before 9.9.1; a name that carries it already stays as it is.
 */
export function groupName(scope: Scope, group: string): string {
  return withMark(scope.bedId, group);
}

export function bedOfGroup(group: Group): BedId | undefined {
  return bedOfName(group.name) ?? bedOfComment(group.comment);
}

/**
 * The bed that a unit belongs to. The volume around it must carry the mark too: a FlexClone or a copy that
 * somebody makes of our volume has our unit in it, with our comment. Pure.
 */
export function bedOfUnit(unit: Unit, volumes: readonly FlexVol[]): BedId | undefined {
  const bed = bedOfComment(unit.comment);
  const home = volumes.find(
    (volume) => volume.svm === unit.svm && unit.path.startsWith(`/vol/${volume.name}/`),
  );
  return bed !== undefined && bedOfComment(home?.comment) === bed ? bed : undefined;
}

/** A query value that matches exactly these names: `a|b`, refused where a name would be a pattern. */
export function exactly(device: string, names: readonly string[]): string {
  for (const name of names) {
    if (/^[\w./{}-]+$/.test(name)) continue;
    throw new DeviceError({
      kind: "refused",
      device,
      operation: "look for",
      object: name,
      reason: "the name has characters that ONTAP does not allow in names",
      expected: "letters, digits and _ . - { }",
    });
  }
  return names.join("|");
}

/** Names per request: keeps the address of a GET well below 8 KiB. */
export const namesPerQuery = 50;

export function inParts<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Runs all to the end, then throws the first failure: nothing goes on behind a thrown error. */
export async function allSettledOrThrow(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work);
  for (const result of results) {
    if (result.status === "rejected") throw result.reason as Error;
  }
}

export function grouped<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
