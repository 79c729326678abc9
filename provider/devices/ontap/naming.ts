import { DeviceError } from "../../../bed/errors";
import { bedOfComment, bedOfName, withMark } from "../../../bed/mark";
import { parseNaa, type BedId, type Naa } from "../../../bed/identities";
import type { Scope } from "../block-array";
import type { FlexVol, Igroup, Lun } from "./objects";

/** Path of the one LUN that a volume of ours holds: it has the volume's own name. */
export function lunPath(volume: string): string {
  return `/vol/${volume}/${volume}`;
}

/** Our name of the LUN at a path; a LUN that is not laid out like ours keeps its whole path. */
export function volumeOfLun(path: string): string {
  const match = /^\/vol\/([^/]+)\/([^/]+)$/.exec(path);
  return match?.[1] !== undefined && match[1] === match[2] ? match[1] : path;
}

/**
 * Name of a host group on the array. It carries the mark on every release, since igroups have no
 * comment before 9.9.1; a name that carries it already stays as it is.
 */
export function igroupName(scope: Scope, group: string): string {
  return withMark(scope.bedId, group);
}

export function bedOfIgroup(igroup: Igroup): BedId | undefined {
  return bedOfName(igroup.name) ?? bedOfComment(igroup.comment);
}

/**
 * The bed that a LUN belongs to. The volume around it must carry the mark too: a FlexClone or a copy that
 * somebody makes of our volume has our LUN in it, with our comment. Pure.
 */
export function bedOfLun(lun: Lun, volumes: readonly FlexVol[]): BedId | undefined {
  const bed = bedOfComment(lun.comment);
  const home = volumes.find(
    (volume) => volume.svm === lun.svm && lun.path.startsWith(`/vol/${volume.name}/`),
  );
  return bed !== undefined && bedOfComment(home?.comment) === bed ? bed : undefined;
}

/**
 * What a host calls the LUN: NAA type 6 with NetApp's OUI and the serial number's ASCII in hex. Case
 * and symbols of the serial matter (ONTAP SAN host documentation; netapp.ontap na_ontap_lun_map).
 */
export function naaOfSerial(device: string, serial: string): Naa {
  const hex = Buffer.from(serial, "latin1").toString("hex");
  const naa = parseNaa(`naa.600a0980${hex}`);
  if (naa !== undefined) return naa;
  throw new DeviceError({
    kind: "protocol",
    device,
    operation: "name the LUN as hosts do",
    object: serial,
    reason: "its serial number has not twelve characters",
  });
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
