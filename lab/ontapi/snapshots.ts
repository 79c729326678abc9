import { cloneOf, snapshotsOf } from "../ontap/snapshots";
import type { Api, Apis } from "./api";
import { visible } from "./fcp";
import { leaves } from "./shape";

const snapshotIter: Api = {
  scope: "both",
  record: "snapshot-info",
  shape: leaves(
    "access-time busy contains-lun-clones cumulative-percentage-of-total-blocks " +
      "cumulative-percentage-of-used-blocks cumulative-total dependency fs-block-format " +
      "is-7-mode-snapshot is-constituent-snapshot name percentage-of-total-blocks " +
      "percentage-of-used-blocks snapmirror-label snapshot-instance-uuid snapshot-owners-list " +
      "snapshot-version-uuid state total volume volume-provenance-uuid vserver",
  ),
  keys: ["vserver", "volume", "name"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.containers)
        .filter((volume) => volume.tenantId === svm.id)
        .flatMap((volume) =>
          snapshotsOf(call.ctx, volume.id).map((snapshot) => {
            const held = Object.keys(call.ctx.view.containers).some(
              (id) => cloneOf(call.ctx, id)?.snapshotId === snapshot.id,
            );
            return {
              "access-time": Math.floor(Date.parse(snapshot.createTime) / 1000),
              busy: held,
              dependency: held ? "vclone" : undefined,
              name: snapshot.name,
              "snapshot-instance-uuid": snapshot.id,
              total: 0,
              volume: volume.name,
              vserver: svm.name,
            };
          }),
        ),
    ),
};

const cloneIter: Api = {
  scope: "both",
  record: "volume-clone-info",
  shape: leaves(
    "aggregate blocks-scanned blocks-updated dsid inode-percentage-complete inodes-processed " +
      "inodes-total junction-active junction-path msid parent-snapshot parent-volume " +
      "qos-policy-group-name size space-guarantee-enabled space-reserve split-estimate state used " +
      "volume volume-type vserver",
  ),
  keys: ["vserver", "volume"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.containers)
        .filter((volume) => volume.tenantId === svm.id)
        .flatMap((volume) => {
          const clone = cloneOf(call.ctx, volume.id);
          const parent = call.ctx.view.containers[clone?.volumeId ?? ""];
          if (clone === undefined || parent === undefined) return [];
          const snapshot = snapshotsOf(call.ctx, parent.id).find((s) => s.id === clone.snapshotId);
          return [
            {
              aggregate: call.ctx.view.pools[volume.poolId]?.name,
              "parent-snapshot": snapshot?.name,
              "parent-volume": parent.name,
              size: volume.sizeBytes,
              state: volume.online ? "online" : "offline",
              volume: volume.name,
              "volume-type": "rw",
              vserver: svm.name,
            },
          ];
        }),
    ),
};

/** Copies that other people made. */
export const snapshotApis: Apis = {
  "snapshot-get-iter": snapshotIter,
  "volume-clone-get-iter": cloneIter,
};
