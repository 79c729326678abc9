import type { Container, JsonObject } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import {
  type ArrayContext,
  attribute,
  attributeFlag,
  type Call,
  type Endpoint,
  type Operation,
} from "./context";
import { entryMissing, NotModelled, OntapFault, required, unexpectedArgument } from "./faults";
import { timestamp } from "./jobs";
import { containerWrittenBytes, findPool, poolRef } from "./pools";
import { defined, drop, type Rec, textAt, wireSize } from "./record";
import { qosOf, qosOfBody } from "./qos";
import { enterQueue, newDsid } from "./recovery-queue";
import { atLeast } from "./release";
import { checkNoClones, checkNoMirrors, cloneRecord, dropSnapshots, mirrorsOf } from "./snapshots";
import { containerIo, statisticsRecord } from "./statistics";
import { policyRef, snapshotPolicy } from "./snapshot-policies";
import { ofSvm, svmOfBody, svmRef } from "./svm-lookup";
import { volumeShape } from "./volume-shape";
import { changeVolume, checkChange } from "./volume-change";
import { checkSpace, checkVolumeName, efficiencyOf, reservedBytes } from "./volume-rules";

const minimumBytes = 20n * 1024n ** 2n;

/** FlexVols. POST, PATCH and DELETE are jobs. */
export const volumes: Endpoint = {
  shape: volumeShape,
  list: (ctx, _parents, keys) =>
    Object.values(ctx.view.containers)
      .filter((container) => keys === undefined || keys[0] === container.id)
      .map((container) => record(ctx, container)),
  missing: () => entryMissing("uuid"),
  flags: { PATCH: ["sizing_method", "nvfail"], DELETE: ["force"] },
  create,
  update: (ctx, rec, body) => {
    const uuid = textAt(rec, "uuid");
    checkChange(ctx, uuid, body);
    return {
      keys: [[uuid]],
      job: job(ctx, `PATCH /api/storage/volumes/${uuid}`, textAt(rec, "svm.uuid")),
      release: lock(ctx, uuid, textAt(rec, "name")),
      commit: () => {
        changeVolume(ctx, uuid, body);
      },
    };
  },
  remove,
};

function record(ctx: ArrayContext, container: DeepReadonly<Container>): Rec {
  const { attributes } = container;
  const used = containerWrittenBytes(ctx, container.id) + reservedBytes(ctx, container.id);
  const size = wireSize(container.sizeBytes);
  const free = container.sizeBytes > used ? container.sizeBytes - used : 0n;
  const fractional = attributes["fractionalReserve"];
  const newer = atLeast(ctx.release, "9.9.1");
  return defined({
    uuid: container.id,
    name: container.name,
    svm: ofSvm(ctx, container.tenantId),
    aggregates: [poolRef(ctx, container.poolId)],
    size,
    state: attribute(attributes, "state", container.online ? "online" : "offline"),
    style: "flexvol",
    type: "rw",
    comment: attribute(attributes, "comment", ""),
    create_time: attribute(attributes, "createTime", "2021-03-01T08:00:00+00:00"),
    language: "c.utf_8",
    is_svm_root: attributeFlag(attributes, "isRoot", false),
    guarantee: { type: container.reserved ? "volume" : "none", honored: true },
    snapshot_policy: policyRef(attribute(attributes, "snapshotPolicy", "default")),
    space: {
      size,
      available: wireSize(free),
      used: wireSize(used),
      over_provisioned: 0,
      fractional_reserve:
        typeof fractional === "number" ? fractional : container.reserved ? 100 : 0,
      snapshot: { reserve_percent: Number(attributes["snapshotReserve"] ?? 5), used: 0 },
    },
    tiering: { policy: attribute(attributes, "tieringPolicy", "snapshot_only") },
    efficiency: defined({
      ...efficiencyOf(container),
      state: newer ? efficiencyState(container) : undefined,
    }),
    autosize: { mode: attribute(attributes, "autosizeMode", "off") },
    encryption: { enabled: false },
    clone: cloneRecord(ctx, container.id),
    nas: defined({ path: junctionOf(container) }),
    qos: qosRecord(ctx, container.id),
    snapmirror: { is_protected: mirrorsOf(ctx, container.id).length > 0 },
    statistics: statisticsRecord(ctx, containerIo(ctx, container.id)),
    files: { maximum: 21_251_126, used: 101 },
  });
}

/** Where clients of the SVM find the volume; undefined: nowhere. */
export function junctionOf({ attributes }: DeepReadonly<Container>): string | undefined {
  if (attributeFlag(attributes, "isRoot", false)) return "/";
  const path = attribute(attributes, "junction", "");
  return path === "" ? undefined : path;
}

function qosRecord(ctx: ArrayContext, volumeId: string): Rec | undefined {
  const policy = qosOf(ctx, volumeId);
  return policy === undefined ? undefined : { policy: { name: policy.name, uuid: policy.id } };
}

function efficiencyState({ attributes }: DeepReadonly<Container>): string {
  return attributeFlag(attributes, "efficiencyOff", false) ? "disabled" : "enabled";
}

function job(ctx: ArrayContext, description: string, svmId: string): NonNullable<Operation["job"]> {
  return {
    description,
    class: "volume",
    durationMs: ctx.timing.volumeMs,
    svm: svmRef(ctx, svmId),
  };
}

/** One job at a time on a volume; answers how to let go of it. */
function lock(ctx: ArrayContext, uuid: string, name: string): () => void {
  const key = `volume-job/${uuid}`;
  if (ctx.inCreation.has(key)) {
    throw new OntapFault("524486", `Volume "${name}" is busy with another operation.`);
  }
  ctx.inCreation.add(key);
  return () => {
    ctx.inCreation.delete(key);
  };
}

function poolOfBody(ctx: ArrayContext, body: Body): string {
  const objects = body.objects("aggregates");
  const first = objects[0];
  if (first === undefined || objects.length > 1) {
    throw new OntapFault("918242", "A FlexVol is created on exactly one aggregate.", "aggregates");
  }
  const name = typeof first["name"] === "string" ? first["name"] : undefined;
  const uuid = typeof first["uuid"] === "string" ? first["uuid"] : undefined;
  const id = findPool(ctx, name, uuid);
  if (id === undefined) {
    throw new OntapFault(
      "917508",
      `Aggregate "${name ?? uuid ?? ""}" does not exist.`,
      "aggregates",
    );
  }
  return id;
}

function checkModelled(body: Body): void {
  if ((body.text("style") ?? "flexvol") !== "flexvol" || (body.text("type") ?? "rw") !== "rw") {
    throw new NotModelled("volumes other than read-write FlexVols");
  }
  if (body.has("clone")) throw new NotModelled("making FlexClones");
  if (body.flag("encryption.enabled") === true) throw new NotModelled("volume encryption");
  if ((body.text("nas.path") ?? "") !== "") throw new NotModelled("junction paths");
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const name = body.text("name");
  if (name === undefined) throw required("name");
  checkModelled(body);
  const poolId = poolOfBody(ctx, body);
  const size = body.size("size") ?? body.size("space.size") ?? minimumBytes;
  if (size < minimumBytes) {
    throw new OntapFault("917534", "The size of a volume is at least 20MB.", "size");
  }
  const reserve = body.integer("space.snapshot.reserve_percent") ?? 5;
  if (reserve < 0 || reserve > 90) {
    throw new OntapFault(
      "917835",
      "The snapshot reserve is from 0 to 90 percent.",
      "space.snapshot",
    );
  }
  const policy = snapshotPolicy(body, "default");
  const pending = `volume/${svm.id}/${name}`;
  if (ctx.inCreation.has(pending)) {
    throw new OntapFault("13107405", `A volume with the name "${name}" is being created.`, "name");
  }
  checkVolumeName(ctx, svm.id, name);
  qosOfBody(ctx, svm.id, body);
  ctx.inCreation.add(pending);
  const uuid = ctx.newUuid();
  return {
    keys: [[uuid]],
    job: job(ctx, `POST /api/storage/volumes/${uuid}`, svm.id),
    release: () => ctx.inCreation.delete(pending),
    commit: () => {
      checkVolumeName(ctx, svm.id, name);
      const reserved = (body.text("guarantee.type") ?? "volume") === "volume";
      checkSpace(ctx, name, poolId, reserved ? size : 0n);
      const dsid = newDsid(ctx);
      ctx.change((array) => {
        array.containers[uuid] = {
          id: uuid,
          name,
          tenantId: svm.id,
          poolId,
          sizeBytes: size,
          reserved,
          online: (body.text("state") ?? "online") === "online",
          attributes: {
            ...settings(ctx, body, svm.id),
            dsid,
            snapshotReserve: reserve,
            snapshotPolicy: policy,
          },
        };
        const container = array.containers[uuid];
        container.attributes["createTime"] = timestamp(ctx.now());
      });
    },
  };
}

function settings(ctx: ArrayContext, body: Body, svmId: string): JsonObject {
  const asked = body.value["efficiency"] as JsonObject | undefined;
  const efficiency = ctx.switches.efficiencyAtCreate === "applied" ? asked : undefined;
  return defined({
    comment: body.text("comment") ?? "",
    tieringPolicy: body.text("tiering.policy"),
    fractionalReserve: body.integer("space.fractional_reserve"),
    autosizeMode: body.text("autosize.mode"),
    state: body.text("state"),
    efficiency,
    qosPolicy: qosOfBody(ctx, svmId, body),
  });
}

function remove(ctx: ArrayContext, rec: Rec, call: Call): Operation {
  const uuid = textAt(rec, "uuid");
  const name = textAt(rec, "name");
  if (call.text("force") !== undefined && !atLeast(ctx.release, "9.12.1")) {
    throw unexpectedArgument("force");
  }
  checkRoot(ctx, rec, name);
  checkUnmapped(ctx, uuid, name);
  checkNoClones(ctx, uuid, name);
  checkNoMirrors(ctx, uuid, name);
  return {
    keys: [[uuid]],
    job: job(ctx, `DELETE /api/storage/volumes/${uuid}`, textAt(rec, "svm.uuid")),
    release: lock(ctx, uuid, name),
    commit: () => {
      checkUnmapped(ctx, uuid, name);
      const container = ctx.view.containers[uuid];
      if (container === undefined) throw entryMissing("uuid");
      // With force a volume is gone at once.
      if (!call.flag("force")) enterQueue(ctx, container);
      ctx.change((array) => {
        const inside = Object.values(array.volumes).filter((lun) => lun.containerId === uuid);
        const ids = new Set(inside.map((lun) => lun.id));
        array.maps = array.maps.filter((map) => !ids.has(map.volumeId));
        array.namespaceMaps = array.namespaceMaps?.filter((map) => !ids.has(map.volumeId)) ?? [];
        for (const id of ids) drop(array.volumes, id);
        dropSnapshots(array.records, uuid);
        drop(array.containers, uuid);
      });
    },
  };
}

/** The root volume of an SVM goes last. */
function checkRoot(ctx: ArrayContext, rec: Rec, name: string): void {
  const svmId = textAt(rec, "svm.uuid");
  const others = Object.values(ctx.view.containers).filter((one) => one.tenantId === svmId);
  if (rec["is_svm_root"] === true && others.length > 1) {
    throw new OntapFault("917531", `Volume "${name}" is the root volume of its SVM.`);
  }
}

function checkUnmapped(ctx: ArrayContext, uuid: string, name: string): void {
  if (ctx.switches.mappedVolumeDelete === "cascade") return;
  const maps = [...ctx.view.maps, ...(ctx.view.namespaceMaps ?? [])];
  const mapped = new Set(maps.map((map) => map.volumeId));
  const lun = Object.values(ctx.view.volumes).find(
    (volume) => volume.containerId === uuid && mapped.has(volume.id),
  );
  if (lun !== undefined) {
    throw new OntapFault(
      "917536",
      `Volume "${name}" cannot be deleted because it contains mapped ` +
        `${lun.namespace === undefined ? "LUNs" : "NVMe namespaces"} (${lun.name}).`,
      undefined,
      409,
    );
  }
}
