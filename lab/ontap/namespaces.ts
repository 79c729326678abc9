import type { NamespaceMap, Volume } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import { nodeRef } from "./cluster";
import {
  type ArrayContext,
  attribute,
  attributeFlag,
  type Endpoint,
  type Operation,
} from "./context";
import { entryMissing, notSettable, OntapFault } from "./faults";
import { namespaceName } from "./identity";
import { timestamp } from "./jobs";
import { blockBytes, namespacePlace, namespaceSize } from "./namespace-rules";
import { namespaceShape } from "./namespace-shape";
import { hexNumber } from "./nvme-rules";
import { defined, drop, type Rec, textAt, wireSize } from "./record";
import { atLeast, releases } from "./release";
import { statisticsRecord } from "./statistics";
import { nvmeService, ofSvm, svmOfBody } from "./svm-lookup";

/** Synchronous on 9.8 and 9.9.1. */
export const namespaces: Endpoint = {
  shape: namespaceShape,
  list: (ctx, _parents, keys) => {
    const maps = new Map((ctx.view.namespaceMaps ?? []).map((map) => [map.volumeId, map]));
    return Object.values(ctx.view.volumes)
      .filter((one) => one.namespace !== undefined && (!keys || keys[0] === one.id))
      .map((one) => record(ctx, one, maps.get(one.id)));
  },
  missing: (keys) =>
    new OntapFault("72090006", `The NVMe namespace "${keys[0] ?? ""}" does not exist.`),
  create,
  update,
  remove,
};

function record(
  ctx: ArrayContext,
  namespace: DeepReadonly<Volume>,
  map: DeepReadonly<NamespaceMap> | undefined,
): Rec {
  const { attributes } = namespace;
  const container = ctx.view.containers[namespace.containerId ?? ""];
  const online = container?.online === true;
  return defined({
    uuid: namespace.id,
    svm: ofSvm(ctx, namespace.tenantId),
    name: namespace.name,
    location: location(ctx, namespace),
    os_type: attribute(attributes, "osType", "vmware"),
    enabled: true,
    comment: attribute(attributes, "comment", "") || undefined,
    create_time: attribute(attributes, "createTime", "2021-03-01T08:00:00+00:00"),
    auto_delete: attributeFlag(attributes, "autoDelete", false),
    space: {
      size: wireSize(namespace.sizeBytes),
      block_size: namespace.namespace?.blockBytes ?? 4096,
      used: wireSize(ctx.world.usedBytes(namespace.id) ?? 0n),
      guarantee: { requested: !namespace.thin, reserved: !namespace.thin },
    },
    status: {
      state: namespace.online && online ? "online" : "offline",
      container_state: online ? "online" : "volume_offline",
      read_only: false,
      mapped: map !== undefined,
    },
    statistics: statisticsRecord(ctx, ctx.world.io.totals("volume", namespace.id)),
    subsystem_map: map === undefined ? undefined : mapRecord(ctx, map),
  });
}

function location(ctx: ArrayContext, namespace: DeepReadonly<Volume>): Rec {
  const container = ctx.view.containers[namespace.containerId ?? ""];
  const node = ctx.view.pools[namespace.poolId]?.controller ?? "";
  return defined({
    namespace: namespace.name.split("/").slice(3).join("/"),
    volume: { uuid: namespace.containerId ?? "", name: container?.name ?? "" },
    node: atLeast(ctx.release, "9.10.1") ? nodeRef(ctx, node) : undefined,
  });
}

/** An unmapped namespace has no such property. */
function mapRecord(ctx: ArrayContext, map: DeepReadonly<NamespaceMap>): Rec {
  return {
    nsid: hexNumber(map.nsid),
    anagrpid: hexNumber(map.anaGroup),
    subsystem: {
      uuid: map.subsystemId,
      name: ctx.view.subsystems?.[map.subsystemId]?.name ?? "",
    },
  };
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const { container, name } = namespacePlace(ctx, svm.id, body);
  const osType = body.text("os_type");
  const asked = body.size("space.size");
  if (osType === undefined || asked === undefined) {
    const field = osType === undefined ? "os_type" : "space.size";
    throw new OntapFault("72090013", `The property "${field}" is required.`, field);
  }
  if (nvmeService(svm) === undefined) {
    throw new OntapFault("72090029", `The NVMe service does not exist in SVM "${svm.name}".`);
  }
  const block = blockBytes(ctx, body, osType);
  const sizeBytes = namespaceSize(asked, block);
  const uuid = ctx.newUuid();
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        array.volumes[uuid] = {
          id: uuid,
          name,
          tenantId: svm.id,
          poolId: container.poolId,
          containerId: container.id,
          serial: uuid.replaceAll("-", ""),
          deviceName: namespaceName(uuid),
          namespace: { blockBytes: block },
          vendor: "NVMe",
          model: "NetApp ONTAP Controller",
          revision: releases[ctx.release].revision,
          sizeBytes,
          thin: true,
          online: true,
          vmfs: undefined,
          attributes: {
            comment: body.text("comment") ?? "",
            osType,
            autoDelete: body.flag("auto_delete") ?? false,
            createTime: timestamp(ctx.now()),
          },
        };
      });
    },
  };
}

function update(ctx: ArrayContext, rec: Rec, body: Body): Operation {
  const uuid = textAt(rec, "uuid");
  const namespace = ctx.view.volumes[uuid];
  const container = ctx.view.containers[namespace?.containerId ?? ""];
  if (namespace === undefined || container === undefined) throw entryMissing("uuid");
  if (!container.online) {
    throw new OntapFault("72090017", `The volume "${container.name}" is offline.`);
  }
  const asked = body.size("space.size");
  if (asked !== undefined && !atLeast(ctx.release, "9.10.1")) throw notSettable("space.size");
  const sizeBytes =
    asked === undefined
      ? namespace.sizeBytes
      : namespaceSize(asked, namespace.namespace?.blockBytes ?? 4096);
  if (sizeBytes < namespace.sizeBytes) {
    throw new OntapFault(
      "72090038",
      "The size of an NVMe namespace cannot be reduced.",
      "space.size",
    );
  }
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        const target = array.volumes[uuid];
        if (target === undefined) return;
        target.sizeBytes = sizeBytes;
        const note = body.text("comment");
        if (note !== undefined) target.attributes["comment"] = note;
        const autoDelete = body.flag("auto_delete");
        if (autoDelete !== undefined) target.attributes["autoDelete"] = autoDelete;
      });
    },
  };
}

function remove(ctx: ArrayContext, rec: Rec): Operation {
  const uuid = textAt(rec, "uuid");
  const container = ctx.view.containers[textAt(rec, "location.volume.uuid")];
  if ((ctx.view.namespaceMaps ?? []).some((map) => map.volumeId === uuid)) {
    throw new OntapFault(
      "72089796",
      "The NVMe namespace is mapped to a subsystem and cannot be deleted.",
    );
  }
  if (container?.online === false) {
    throw new OntapFault("72090017", `The volume "${container.name}" is offline.`);
  }
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        drop(array.volumes, uuid);
      });
    },
  };
}
