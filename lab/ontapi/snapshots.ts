import { cloneOf, mirrorsOf, snapshotsOf } from "../ontap/snapshots";
import { filesOf } from "../ontap/volume-files";
import { type Api, type Apis, vserverOf } from "./api";
import { NotModelled } from "../ontap/faults";
import { visible } from "./fcp";
import { requiredText } from "./inputs";
import { leaves } from "./shape";
import { volumeOf } from "./volumes";

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
        .filter((volume) => volume.tenantId === svm.id && volume.online)
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

/** Relationships by their source (`snapmirror list-destinations`). */
const destinationIter: Api = {
  scope: "both",
  record: "snapmirror-destination-info",
  shape: leaves(
    "destination-location destination-volume destination-vserver is-constituent policy-type " +
      "progress-last-updated relationship-group-type relationship-id relationship-status " +
      "relationship-type source-location source-volume source-volume-node source-vserver " +
      "transfer-progress",
  ),
  keys: ["source-location", "destination-location"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.containers)
        .filter((volume) => volume.tenantId === svm.id)
        .flatMap((volume) =>
          mirrorsOf(call.ctx, volume.id).map((destination) => {
            const [vserver = "", name = ""] = destination.split(":");
            return {
              "destination-location": destination,
              "destination-volume": name,
              "destination-vserver": vserver,
              "policy-type": "async_mirror",
              "relationship-type": "extended_data_protection",
              "source-location": `${svm.name}:${volume.name}`,
              "source-volume": volume.name,
              "source-vserver": svm.name,
            };
          }),
        ),
    ),
};

const fileIter: Api = {
  scope: "vserver",
  record: "file-info",
  inputs: { path: requiredText },
  shape: leaves(
    "accessed-timestamp acl-type bytes-used changed-timestamp creation-timestamp file-size " +
      "file-type group-id hard-links-count inode-gen-number inode-number is-empty is-junction " +
      "is-vm-aligned modified-timestamp name owner-id perm stream-type vserver",
  ),
  keys: ["name"],
  list: (call) => {
    const path = call.args.need("path");
    const [, root, name = "", ...below] = path.split("/");
    if (root !== "vol" || below.some((part) => part !== "")) {
      throw new NotModelled(`files below ${path}`);
    }
    return filesOf(call.ctx, volumeOf(call, name).id).map((file) => ({
      "file-type": file.type,
      name: file.name,
      vserver: vserverOf(call).name,
    }));
  },
};

/** Copies that other people made, and what they wrote. */
export const snapshotApis: Apis = {
  "snapshot-get-iter": snapshotIter,
  "volume-clone-get-iter": cloneIter,
  "snapmirror-get-destination-iter": destinationIter,
  "file-list-directory-iter": fileIter,
};
