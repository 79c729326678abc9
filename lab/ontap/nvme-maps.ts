import type { NamespaceMap, Volume } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { subsystemsOf } from "../world/nvme";
import type { Body } from "./body";
import { nodeRef } from "./cluster";
import { type ArrayContext, attributeFlag, type Endpoint, type Operation } from "./context";
import { OntapFault, required } from "./faults";
import { hexNumber, type Subsystem } from "./nvme-rules";
import { drop, type Rec, textAt } from "./record";
import { ref, text } from "./shape";
import { ofSvm, type Svm, svmLink, svmOfBody } from "./svm-lookup";

/** `/api/protocols/nvme/subsystem-maps`: the array gives the number, no PATCH. */
export const nvmeMaps: Endpoint = {
  shape: {
    path: "/api/protocols/nvme/subsystem-maps",
    keys: ["subsystem.uuid", "namespace.uuid"],
    identity: [
      "svm.uuid",
      "svm.name",
      "subsystem.uuid",
      "subsystem.name",
      "namespace.uuid",
      "namespace.name",
    ],
    fields: {
      ...ref("svm", "POST"),
      ...ref("subsystem", "POST"),
      ...ref("namespace", "POST"),
      ...ref("namespace.node"),
      nsid: text(),
      anagrpid: text(),
    },
    expensive: ["anagrpid"],
    links: {
      ...svmLink,
      subsystem: "/api/protocols/nvme/subsystems/{uuid}",
      namespace: "/api/storage/namespaces/{uuid}",
      "namespace.node": "/api/cluster/nodes/{uuid}",
    },
  },
  list: (ctx) => (ctx.view.namespaceMaps ?? []).map((map) => record(ctx, map)),
  missing: () =>
    new OntapFault("72090019", "The NVMe namespace is not mapped to the specified subsystem."),
  create,
  remove: (ctx, rec) =>
    removeMap(ctx, textAt(rec, "subsystem.uuid"), textAt(rec, "namespace.uuid")),
};

function record(ctx: ArrayContext, map: DeepReadonly<NamespaceMap>): Rec {
  const subsystem = ctx.view.subsystems?.[map.subsystemId];
  const volume = ctx.view.volumes[map.volumeId];
  const node = ctx.view.pools[volume?.poolId ?? ""]?.controller ?? "";
  return {
    svm: ofSvm(ctx, subsystem?.tenantId ?? ""),
    subsystem: { uuid: map.subsystemId, name: subsystem?.name ?? "" },
    namespace: { uuid: map.volumeId, name: volume?.name ?? "", node: nodeRef(ctx, node) },
    nsid: hexNumber(map.nsid),
    anagrpid: hexNumber(map.anaGroup),
  };
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const subsystem = subsystemOfBody(ctx, svm, body);
  const namespace = namespaceOfBody(ctx, svm, body);
  const maps = ctx.view.namespaceMaps ?? [];
  if (maps.some((map) => map.volumeId === namespace.id)) {
    throw new OntapFault(
      "72089790",
      `The NVMe namespace "${namespace.name}" is already mapped to a subsystem.`,
      "namespace",
    );
  }
  checkInterfaces(ctx, svm);
  const taken = new Set(
    maps.filter((map) => map.subsystemId === subsystem.id).map((map) => map.nsid),
  );
  let nsid = 1;
  while (taken.has(nsid)) nsid += 1;
  return {
    keys: [[subsystem.id, namespace.id]],
    commit: () => {
      ctx.change((array) => {
        array.namespaceMaps ??= [];
        array.namespaceMaps.push({
          volumeId: namespace.id,
          subsystemId: subsystem.id,
          nsid,
          // Every namespace has an access group of its own, numbered like it (REST reference,
          // "Retrieving the NVMe namespaces mapped to a specific NVMe subsystem").
          anaGroup: nsid,
        });
      });
    },
  };
}

function subsystemOfBody(ctx: ArrayContext, svm: Svm, body: Body): Subsystem {
  const name = body.text("subsystem.name");
  const uuid = body.text("subsystem.uuid");
  if (name === undefined && uuid === undefined) throw required("subsystem");
  const mine = subsystemsOf(ctx.view).filter((one) => one.tenantId === svm.id);
  const byName = mine.find((one) => one.name === name);
  const byUuid = mine.find((one) => one.id === uuid);
  if (name !== undefined && uuid !== undefined && byName !== byUuid) {
    throw new OntapFault(
      "72090020",
      "The subsystem name and UUID do not refer to the same NVMe subsystem.",
      "subsystem",
    );
  }
  const found = byName ?? byUuid;
  if (found === undefined) {
    throw new OntapFault(
      name === undefined ? "72090021" : "72090001",
      `The NVMe subsystem "${name ?? uuid ?? ""}" does not exist.`,
      "subsystem",
    );
  }
  return found;
}

function namespaceOfBody(ctx: ArrayContext, svm: Svm, body: Body): DeepReadonly<Volume> {
  const name = body.text("namespace.name");
  const uuid = body.text("namespace.uuid");
  if (name === undefined && uuid === undefined) throw required("namespace");
  const mine = Object.values(ctx.view.volumes).filter(
    (one) => one.tenantId === svm.id && one.namespace !== undefined,
  );
  const byName = mine.find((one) => one.name === name);
  const byUuid = mine.find((one) => one.id === uuid);
  if (name !== undefined && uuid !== undefined && byName !== byUuid) {
    throw new OntapFault(
      "72090005",
      "The namespace name and UUID do not refer to the same NVMe namespace.",
      "namespace",
    );
  }
  const found = byName ?? byUuid;
  if (found === undefined) {
    throw new OntapFault(
      name === undefined ? "72090007" : "72090006",
      `The NVMe namespace "${name ?? uuid ?? ""}" does not exist.`,
      "namespace",
    );
  }
  return found;
}

/** Both nodes of the pair that serve the namespace need an NVMe interface of the SVM. */
function checkInterfaces(ctx: ArrayContext, svm: Svm): void {
  const nodes = Object.keys(ctx.view.controllers);
  const served = new Set(
    Object.values(ctx.view.targetPorts)
      .filter((one) => one.tenantId === svm.id && one.protocol === "nvme")
      .map((one) => ctx.view.ports[one.portId]?.controller),
  );
  const missing = nodes.filter((node) => !served.has(node));
  if (missing.length === 0) return;
  if (missing.length < nodes.length && ctx.switches.mapNeedsInterface === "any") return;
  throw new OntapFault(
    missing.length < nodes.length ? "72089902" : "72089903",
    `The SVM has no NVMe interface on node ${missing.map((node) => `"${node}"`).join(" and ")}.`,
  );
}

function removeMap(ctx: ArrayContext, subsystemId: string, volumeId: string): Operation {
  return {
    keys: [[subsystemId, volumeId]],
    commit: () => {
      ctx.change((array) => {
        array.namespaceMaps = (array.namespaceMaps ?? []).filter(
          (map) => map.volumeId !== volumeId || map.subsystemId !== subsystemId,
        );
        const subsystem = array.subsystems?.[subsystemId];
        const empty = !array.namespaceMaps.some((map) => map.subsystemId === subsystemId);
        if (
          array.subsystems !== undefined &&
          empty &&
          attributeFlag(subsystem?.attributes ?? {}, "deleteOnUnmap", false)
        ) {
          drop(array.subsystems, subsystemId);
        }
      });
    },
  };
}
