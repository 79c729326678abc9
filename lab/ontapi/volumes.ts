import { qosOf } from "../ontap/qos";
import { junctionOf } from "../ontap/volumes";
import type { ArrayContext } from "../ontap/context";
import { attribute, attributeFlag } from "../ontap/context";
import { containerWrittenBytes } from "../ontap/pools";
import { dsidOf } from "../ontap/recovery-queue";
import { reservedBytes } from "../ontap/volume-rules";
import type { Container } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Iterator, ZapiCall } from "./api";
import { errno, ZapiFault } from "./faults";
import { visible } from "./fcp";
import { volumeShape } from "./volume-shape";
import { isNode, type ZNode } from "./xml";

type Volume = DeepReadonly<Container>;

export const volumeIter: Iterator = {
  scope: "both",
  record: "volume-attributes",
  shape: volumeShape,
  keys: ["volume-id-attributes.owning-vserver-name", "volume-id-attributes.name"],
  shown: (record) => {
    const id = record["volume-id-attributes"];
    if (!isNode(id)) return record;
    return { ...record, "volume-id-attributes": { ...id, vserver: undefined } };
  },
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.containers)
        .filter((volume) => volume.tenantId === svm.id)
        .map((volume) => volumeNode(call.ctx, volume)),
    ),
};

/** A FlexVol as ONTAPI shows it. One that is offline tells only what does not lie in it. */
function volumeNode(ctx: ArrayContext, volume: Volume): ZNode {
  const { attributes } = volume;
  const state = attribute(attributes, "state", volume.online ? "online" : "offline");
  return {
    encrypt: false,
    "volume-autosize-attributes": {
      "is-enabled": attribute(attributes, "autosizeMode", "off") !== "off",
      mode: attribute(attributes, "autosizeMode", "off"),
    },
    "volume-comp-aggr-attributes": {
      "tiering-policy": attribute(attributes, "tieringPolicy", "snapshot-only").replace("_", "-"),
    },
    "volume-export-attributes": { policy: "default" },
    "volume-id-attributes": identity(ctx, volume),
    "volume-inode-attributes": {
      "block-type": "64_bit",
      "files-total": 21_251_126,
      "files-used": 101,
    },
    "volume-language-attributes": { "language-code": "c.utf_8" },
    "volume-performance-attributes": { "is-atime-update-enabled": true },
    "volume-qos-attributes": { "policy-group-name": qosOf(ctx, volume.id)?.name },
    "volume-security-attributes": {
      style: "unix",
      "volume-security-unix-attributes": { "group-id": 0, permissions: 755, "user-id": 0 },
    },
    "volume-snapshot-attributes": {
      "auto-snapshots-enabled": attribute(attributes, "snapshotPolicy", "default") !== "none",
      "snapdir-access-enabled": true,
      "snapshot-count": 0,
      "snapshot-policy": attribute(attributes, "snapshotPolicy", "default"),
    },
    "volume-space-attributes": space(ctx, volume, state === "online"),
    "volume-state-attributes": {
      "is-inconsistent": false,
      "is-moving": false,
      "is-node-root": false,
      "is-nvfail-enabled": false,
      "is-vserver-root": attributeFlag(attributes, "isRoot", false),
      state,
    },
    "volume-vserver-dr-protection-attributes": { "vserver-dr-protection": "unprotected" },
  };
}

function identity(ctx: ArrayContext, volume: Volume): ZNode {
  const svm = ctx.view.tenants[volume.tenantId];
  const pool = ctx.view.pools[volume.poolId];
  return {
    "aggr-list": { "aggr-name": [pool?.name ?? ""] },
    comment: attribute(volume.attributes, "comment", ""),
    "containing-aggregate-name": pool?.name,
    "containing-aggregate-uuid": volume.poolId,
    "creation-time": createdAt(volume),
    dsid: dsidOf(volume),
    "instance-uuid": volume.id,
    "junction-path": junctionOf(volume),
    name: volume.name,
    node: pool?.controller,
    nodes: { "node-name": [pool?.controller ?? ""] },
    "owning-vserver-name": svm?.name,
    "owning-vserver-uuid": volume.tenantId,
    style: "flex",
    "style-extended": "flexvol",
    type: "rw",
    uuid: volume.id,
    // For queries only, see the shape.
    vserver: svm?.name,
  };
}

function createdAt(volume: Volume): number {
  const text = attribute(volume.attributes, "createTime", "2021-03-01T08:00:00+00:00");
  return Math.floor(Date.parse(text) / 1000);
}

function space(ctx: ArrayContext, volume: Volume, online: boolean): ZNode {
  const reserve = Number(volume.attributes["snapshotReserve"] ?? 5);
  const fractional = volume.attributes["fractionalReserve"];
  const settings = {
    "percentage-fractional-reserve":
      typeof fractional === "number" ? fractional : volume.reserved ? 100 : 0,
    "percentage-snapshot-reserve": reserve,
    size: volume.sizeBytes,
    "space-guarantee": volume.reserved ? "volume" : "none",
  };
  if (!online) return settings;
  const snapshots = (volume.sizeBytes * BigInt(reserve)) / 100n;
  const total = volume.sizeBytes - snapshots;
  const used = containerWrittenBytes(ctx, volume.id) + reservedBytes(ctx, volume.id);
  const free = total > used ? total - used : 0n;
  return {
    ...settings,
    "filesystem-size": volume.sizeBytes,
    "is-space-guarantee-enabled": true,
    "percentage-size-used": total === 0n ? 0 : Number((used * 100n) / total),
    "size-available": free,
    "size-total": total,
    "size-used": used,
    "size-used-by-snapshots": 0,
    "snapshot-reserve-size": snapshots,
  };
}

/** A FlexVol of the vserver by name. @throws {ZapiFault} 13040 when there is none. */
export function volumeOf({ ctx, vserver }: ZapiCall, name: string): Volume {
  const volume = Object.values(ctx.view.containers).find(
    (one) => one.tenantId === vserver?.id && one.name === name,
  );
  if (volume === undefined) {
    throw new ZapiFault(errno.noVolume, `Volume "${name}" does not exist.`);
  }
  return volume;
}
