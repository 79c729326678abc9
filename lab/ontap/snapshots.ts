import type { StorageArray } from "../world/state";
import { type ArrayContext, type Endpoint, texts } from "./context";
import { entryMissing, OntapFault } from "./faults";
import { defined, drop, type Rec } from "./record";
import { timestamp } from "./jobs";
import { date, oneOf, other, ref, text } from "./shape";
import { ofSvm, svmLink } from "./svm-lookup";

/** A point-in-time copy of a FlexVol; beds make none, other people do. */
export interface Snapshot {
  readonly id: string;
  readonly name: string;
  readonly volumeId: string;
  readonly createTime: string;
}

export function snapshotsOf(ctx: ArrayContext, volumeId?: string): Snapshot[] {
  return Object.values(ctx.view.records["snapshots"] ?? {})
    .map((record) => ({ ...record }) as unknown as Snapshot)
    .filter((snapshot) => volumeId === undefined || snapshot.volumeId === volumeId);
}

export function addSnapshot(ctx: ArrayContext, volumeId: string, name: string): string {
  const id = ctx.newUuid();
  const createTime = timestamp(ctx.now());
  ctx.change((array) => {
    array.records["snapshots"] ??= {};
    array.records["snapshots"][id] = { id, name, volumeId, createTime };
  });
  return id;
}

/** Where a FlexVol is mirrored to, `svm:volume`. */
export function mirrorsOf(ctx: ArrayContext, volumeId: string): readonly string[] {
  return texts(ctx.view.containers[volumeId]?.attributes["mirrors"]);
}

/** The number is that of mapped LUNs, as for clones. @throws {OntapFault} 917536. */
export function checkNoMirrors(ctx: ArrayContext, volumeId: string, name: string): void {
  const mirrors = mirrorsOf(ctx, volumeId);
  if (mirrors.length === 0) return;
  throw new OntapFault(
    "917536",
    `Volume "${name}" cannot be deleted because it is the source of one or more SnapMirror ` +
      `relationships (${mirrors.join(", ")}).`,
    undefined,
    409,
  );
}

/** What a FlexClone hangs on: its parent and a snapshot of that. */
export interface CloneOf {
  readonly volumeId: string;
  readonly snapshotId: string;
}

export function cloneOf(ctx: ArrayContext, volumeId: string): CloneOf | undefined {
  const clone = ctx.view.containers[volumeId]?.attributes["cloneOf"];
  return clone === undefined ? undefined : (clone as unknown as CloneOf);
}

/** Names of the FlexClones of a volume. */
function clonesOf(ctx: ArrayContext, volumeId: string): string[] {
  return Object.values(ctx.view.containers)
    .filter((container) => cloneOf(ctx, container.id)?.volumeId === volumeId)
    .map((container) => container.name);
}

/**
 * A volume stays while FlexClones hang on it. The number is that of mapped LUNs; the reference's table
 * has none of its own.
 * @throws {OntapFault} 917536.
 */
export function checkNoClones(ctx: ArrayContext, volumeId: string, name: string): void {
  const clones = clonesOf(ctx, volumeId);
  if (clones.length === 0) return;
  throw new OntapFault(
    "917536",
    `Volume "${name}" cannot be deleted because it has one or more clones (${clones.join(", ")}).`,
    undefined,
    409,
  );
}

/** `clone` of a volume. */
export function cloneRecord(ctx: ArrayContext, volumeId: string): Rec {
  const clone = cloneOf(ctx, volumeId);
  const parent = ctx.view.containers[clone?.volumeId ?? ""];
  if (clone === undefined || parent === undefined) return { is_flexclone: false };
  const snapshot = snapshotsOf(ctx, parent.id).find((one) => one.id === clone.snapshotId);
  return {
    is_flexclone: true,
    parent_volume: { uuid: parent.id, name: parent.name },
    parent_svm: ofSvm(ctx, parent.tenantId),
    parent_snapshot: { uuid: clone.snapshotId, name: snapshot?.name ?? "" },
  };
}

/** `/api/storage/volumes/{volume.uuid}/snapshots`: read only here. */
export const snapshots: Endpoint = {
  shape: {
    path: "/api/storage/volumes/{volume.uuid}/snapshots",
    keys: ["uuid"],
    identity: ["uuid", "name", "volume.uuid", "volume.name"],
    fields: {
      uuid: text(),
      name: text(),
      ...ref("volume"),
      ...ref("svm"),
      comment: text(),
      create_time: date(),
      expiry_time: date(),
      owners: text(),
      snapmirror_label: text(),
      state: oneOf(["valid", "invalid", "partial", "unknown", "pre_conversion"]),
      snaplock_expiry_time: other(),
    },
    links: { ...svmLink, volume: "/api/storage/volumes/{uuid}" },
  },
  list: (ctx, [volumeId = ""]) => {
    const volume = ctx.view.containers[volumeId];
    if (volume === undefined) throw entryMissing("volume.uuid");
    // Nothing of an offline volume can be looked at: an empty list, the reading that misleads most.
    if (!volume.online) return [];
    const busy = Object.keys(ctx.view.containers).flatMap(
      (id) => cloneOf(ctx, id)?.snapshotId ?? [],
    );
    return snapshotsOf(ctx, volumeId).map((snapshot) =>
      defined({
        uuid: snapshot.id,
        name: snapshot.name,
        volume: { uuid: volume.id, name: volume.name },
        svm: ofSvm(ctx, volume.tenantId),
        create_time: snapshot.createTime,
        state: "valid",
        owners: busy.includes(snapshot.id) ? ["volume_clone"] : undefined,
      }),
    );
  },
  missing: () => entryMissing("uuid"),
};

/** Lets the snapshots of a volume go with it. */
export function dropSnapshots(records: StorageArray["records"], volumeId: string): void {
  const all = records["snapshots"] ?? {};
  for (const [id, snapshot] of Object.entries(all)) {
    if (snapshot["volumeId"] === volumeId) drop(all, id);
  }
}
