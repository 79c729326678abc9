import type { LunMap, Volume } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import { nodeRef } from "./cluster";
import {
  type ArrayContext,
  attribute,
  attributeFlag,
  type Call,
  type Endpoint,
  type Operation,
} from "./context";
import { NotModelled, OntapFault, required } from "./faults";
import { deviceName, newSerial } from "./identity";
import { timestamp } from "./jobs";
import { checkRoom, lunPath, lunSize, placeOf } from "./lun-rules";
import { lunShape } from "./lun-shape";
import { defined, drop, type Rec, textAt, wireSize } from "./record";
import { atLeast, releases } from "./release";
import { statisticsRecord } from "./statistics";
import { ofSvm, svmOfBody } from "./svm-lookup";

/** `/api/storage/luns`: synchronous on 9.8 and 9.9.1. */
export const luns: Endpoint = {
  shape: lunShape,
  list: lunRecords,
  missing: () =>
    new OntapFault(
      "5374875",
      "The specified LUN does not exist or is not accessible to the caller.",
    ),
  flags: { DELETE: ["allow_delete_while_mapped"] },
  create,
  update,
  remove,
};

function lunRecords(
  ctx: ArrayContext,
  _parents: readonly string[],
  keys: readonly string[] | undefined,
): Rec[] {
  const maps = new Map<string, DeepReadonly<LunMap>[]>();
  for (const map of ctx.view.maps) {
    maps.set(map.volumeId, [...(maps.get(map.volumeId) ?? []), map]);
  }
  const wanted = Object.values(ctx.view.volumes).filter(
    (lun) => lun.namespace === undefined && (!keys || keys[0] === lun.id),
  );
  return wanted.map((lun) => {
    const mine = maps.get(lun.id) ?? [];
    return defined({
      ...lunRecord(ctx, lun),
      // An unmapped LUN has no such property.
      lun_maps:
        mine.length === 0
          ? undefined
          : mine.map((map) => ({
              logical_unit_number: map.lun,
              igroup: { uuid: map.groupId, name: ctx.view.groups[map.groupId]?.name ?? "" },
            })),
      statistics: statisticsRecord(ctx, ctx.world.io.totals("volume", lun.id)),
      status: {
        ...lunStatus(ctx, lun),
        mapped: mine.length > 0,
      },
    });
  });
}

function lunRecord(ctx: ArrayContext, lun: DeepReadonly<Volume>): Rec {
  const container = ctx.view.containers[lun.containerId ?? ""];
  const requested = attributeFlag(lun.attributes, "reserveRequested", !lun.thin);
  return defined({
    uuid: lun.id,
    svm: ofSvm(ctx, lun.tenantId),
    name: lun.name,
    location: defined({
      logical_unit: lun.name.split("/").slice(3).join("/"),
      volume: { uuid: lun.containerId ?? "", name: container?.name ?? "" },
      node: atLeast(ctx.release, "9.10.1")
        ? nodeRef(ctx, ctx.view.pools[lun.poolId]?.controller ?? "")
        : undefined,
    }),
    class: "regular",
    os_type: attribute(lun.attributes, "osType", "vmware"),
    enabled: lun.online,
    comment: attribute(lun.attributes, "comment", "") || undefined,
    create_time: attribute(lun.attributes, "createTime", "2021-03-01T08:00:00+00:00"),
    serial_number: lun.serial,
    auto_delete: attributeFlag(lun.attributes, "autoDelete", false),
    space: {
      size: wireSize(lun.sizeBytes),
      used: wireSize(ctx.world.usedBytes(lun.id) ?? 0n),
      guarantee: { requested, reserved: !lun.thin },
    },
  });
}

function lunStatus(ctx: ArrayContext, lun: DeepReadonly<Volume>): Rec {
  const online = ctx.view.containers[lun.containerId ?? ""]?.online === true;
  return {
    state: lun.online && online ? "online" : "offline",
    container_state: online ? "online" : "volume_offline",
    read_only: false,
  };
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const { container, name } = placeOf(ctx, svm.id, body);
  const osType = body.text("os_type");
  if (osType === undefined) throw required("os_type");
  if ((body.text("class") ?? "regular") !== "regular") throw new NotModelled("LUN classes");
  const asked = body.size("space.size");
  if (asked === undefined) {
    throw new OntapFault("5374884", 'The property "space.size" is required.', "space.size");
  }
  const sizeBytes = lunSize(ctx, asked);
  const requested = body.flag("space.guarantee.requested") ?? false;
  const reserved = requested && container.reserved;
  checkRoom(ctx, container, reserved ? sizeBytes : 0n);
  const uuid = ctx.newUuid();
  return {
    keys: [[uuid]],
    commit: () => {
      const serial = newSerial(ctx.random);
      ctx.change((array) => {
        array.volumes[uuid] = {
          id: uuid,
          name,
          tenantId: svm.id,
          poolId: container.poolId,
          containerId: container.id,
          serial,
          deviceName: deviceName(serial),
          vendor: "NETAPP",
          model: "LUN C-Mode",
          revision: releases[ctx.release].revision,
          sizeBytes,
          thin: !reserved,
          online: true,
          vmfs: undefined,
          attributes: {
            comment: body.text("comment") ?? "",
            osType,
            reserveRequested: requested,
            autoDelete: body.flag("auto_delete") ?? false,
            createTime: timestamp(ctx.now()),
            visibleFrom: ctx.now() + ctx.behaviour.lunVisibleAfterMs,
          },
        };
      });
      if (ctx.behaviour.partialLuns > 0) {
        ctx.behaviour.partialLuns -= 1;
        throw new OntapFault(
          "5374863",
          "The LUN was created but an error occurred retrieving its properties.",
        );
      }
    },
  };
}

function update(ctx: ArrayContext, record: Rec, body: Body): Operation {
  const uuid = textAt(record, "uuid");
  const lun = ctx.view.volumes[uuid];
  const container = ctx.view.containers[lun?.containerId ?? ""];
  if (lun === undefined || container === undefined) {
    throw new OntapFault("5374876", "The specified LUN was not found.");
  }
  if (!container.online) {
    throw new OntapFault("5374866", `The LUN's volume "${container.name}" is offline.`);
  }
  const asked = body.size("space.size");
  const sizeBytes = asked === undefined ? lun.sizeBytes : lunSize(ctx, asked);
  if (asked !== undefined && sizeBytes === lun.sizeBytes) {
    throw new OntapFault("1254226", "The size of the LUN is already what was asked.", "space.size");
  }
  if (sizeBytes < lun.sizeBytes) {
    throw new OntapFault("5374892", "The size of a LUN cannot be reduced.", "space.size");
  }
  const requested = body.flag("space.guarantee.requested");
  const thin = requested === undefined ? lun.thin : !(requested && container.reserved);
  const grows = (thin ? 0n : sizeBytes) - (lun.thin ? 0n : lun.sizeBytes);
  checkRoom(ctx, container, grows > 0n ? grows : 0n);
  const name = renamed(ctx, lun, body);
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        const target = array.volumes[uuid];
        if (target === undefined) return;
        target.sizeBytes = sizeBytes;
        target.thin = thin;
        target.name = name;
        const enabled = body.flag("enabled");
        if (enabled !== undefined) target.online = enabled;
        const note = body.text("comment");
        if (note !== undefined) target.attributes["comment"] = note;
        const autoDelete = body.flag("auto_delete");
        if (autoDelete !== undefined) target.attributes["autoDelete"] = autoDelete;
        if (requested !== undefined) target.attributes["reserveRequested"] = requested;
      });
    },
  };
}

function renamed(ctx: ArrayContext, lun: DeepReadonly<Volume>, body: Body): string {
  const unit = body.text("location.logical_unit");
  const [, , volumeName = ""] = lun.name.split("/");
  const name = body.text("name") ?? (unit === undefined ? lun.name : `/vol/${volumeName}/${unit}`);
  if (name === lun.name) return name;
  if (name.split("/")[2] !== volumeName || body.has("location.volume")) {
    throw new NotModelled("moving a LUN to another volume");
  }
  lunPath(ctx, lun.tenantId, name);
  return name;
}

function remove(ctx: ArrayContext, record: Rec, call: Call): Operation {
  const uuid = textAt(record, "uuid");
  const mapped = ctx.view.maps.some((map) => map.volumeId === uuid);
  if (mapped && !call.flag("allow_delete_while_mapped")) {
    throw new OntapFault(
      "1254197",
      "The LUN is mapped to an initiator group and cannot be deleted.",
    );
  }
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        array.maps = array.maps.filter((map) => map.volumeId !== uuid);
        drop(array.volumes, uuid);
      });
    },
  };
}
