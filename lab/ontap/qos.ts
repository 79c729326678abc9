import type { JsonObject } from "../world/state";
import type { Body } from "./body";
import { type ArrayContext, attribute, type Endpoint, type Operation } from "./context";
import { entryMissing, OntapFault, required } from "./faults";
import { defined, drop, type Rec, textAt } from "./record";
import { flag, integer, ref, text } from "./shape";
import { ofSvm, svmLink, svmOfBody } from "./svm-lookup";

/** A QoS policy group of an SVM: a limit of throughput for the volumes that it is given to. */
export interface QosPolicy {
  readonly id: string;
  readonly name: string;
  readonly svmId: string;
  readonly fixed: JsonObject | undefined;
  readonly adaptive: JsonObject | undefined;
}

export function qosPolicies(ctx: ArrayContext): readonly QosPolicy[] {
  return Object.values(ctx.view.records["qosPolicies"] ?? {}).map(
    (record) => ({ ...record }) as unknown as QosPolicy,
  );
}

/** The policy that a FlexVol has; undefined: none. */
export function qosOf(ctx: ArrayContext, volumeId: string): QosPolicy | undefined {
  const id = attribute(ctx.view.containers[volumeId]?.attributes ?? {}, "qosPolicy", "");
  return qosPolicies(ctx).find((policy) => policy.id === id);
}

/** How many FlexVols a policy is given to. */
export function usersOf(ctx: ArrayContext, policyId: string): number {
  return Object.values(ctx.view.containers).filter(
    (container) => container.attributes["qosPolicy"] === policyId,
  ).length;
}

/**
 * The policy that a volume's body names: its id, empty for "none". Undefined: it names none.
 * @throws {OntapFault} 4 (assumed) for one that the SVM does not have.
 */
export function qosOfBody(ctx: ArrayContext, svmId: string, body: Body): string | undefined {
  const name = body.text("qos.policy.name");
  const uuid = body.text("qos.policy.uuid");
  if (name === undefined && uuid === undefined) return undefined;
  if (name === "none") return "";
  const found = qosPolicies(ctx).find(
    (policy) => policy.svmId === svmId && (policy.name === name || policy.id === uuid),
  );
  if (found === undefined) throw entryMissing("qos.policy");
  return found.id;
}

const any = ["POST", "PATCH"] as const;

/** `/api/storage/qos/policies`. Deleting a policy takes it from what has it (REST reference). */
export const qosEndpoint: Endpoint = {
  shape: {
    path: "/api/storage/qos/policies",
    keys: ["uuid"],
    identity: ["uuid", "name"],
    fields: {
      uuid: text(),
      name: text(...any),
      ...ref("svm", ...any),
      object_count: integer(),
      "fixed.capacity_shared": flag(...any),
      "fixed.max_throughput_iops": integer(...any),
      "fixed.max_throughput_mbps": integer(...any),
      "fixed.min_throughput_iops": integer(...any),
      "adaptive.expected_iops": integer(...any),
      "adaptive.peak_iops": integer(...any),
      "adaptive.absolute_min_iops": integer(...any),
    },
    links: svmLink,
  },
  list: (ctx) => qosPolicies(ctx).map((policy) => record(ctx, policy)),
  missing: () => entryMissing("uuid"),
  create,
  update: (ctx, rec, body) => {
    const id = textAt(rec, "uuid");
    const svmId = textAt(rec, "svm.uuid");
    const name = body.text("name");
    if (name !== undefined && name !== textAt(rec, "name")) checkName(ctx, svmId, name);
    const fixed = body.value["fixed"] as JsonObject | undefined;
    const adaptive = body.value["adaptive"] as JsonObject | undefined;
    return change(ctx, id, svmId, () => {
      ctx.change((array) => {
        const stored = array.records["qosPolicies"]?.[id];
        if (stored === undefined) return;
        const merged = (key: string, more: JsonObject | undefined): JsonObject =>
          more === undefined ? {} : { [key]: { ...(stored[key] as JsonObject), ...more } };
        Object.assign(stored, name === undefined ? {} : { name });
        Object.assign(stored, merged("fixed", fixed), merged("adaptive", adaptive));
      });
    });
  },
  remove: (ctx, rec) => {
    const id = textAt(rec, "uuid");
    return change(ctx, id, textAt(rec, "svm.uuid"), () => {
      ctx.change((array) => {
        drop(array.records["qosPolicies"] ?? {}, id);
        for (const { attributes } of Object.values(array.containers)) {
          if (attributes["qosPolicy"] === id) Reflect.deleteProperty(attributes, "qosPolicy");
        }
      });
    });
  },
};

function record(ctx: ArrayContext, policy: QosPolicy): Rec {
  const { id, name, svmId, fixed, adaptive } = policy;
  return defined({
    uuid: id,
    name,
    svm: ofSvm(ctx, svmId),
    object_count: usersOf(ctx, id),
    fixed,
    adaptive,
  });
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const name = body.text("name");
  if (name === undefined) throw required("name");
  checkName(ctx, svm.id, name);
  const fixed = body.value["fixed"] as JsonObject | undefined;
  const adaptive = body.value["adaptive"] as JsonObject | undefined;
  if ((fixed === undefined) === (adaptive === undefined)) throw required("fixed");
  const id = ctx.newUuid();
  return change(ctx, id, svm.id, () => {
    ctx.change((array) => {
      const policies = (array.records["qosPolicies"] ??= {});
      policies[id] = defined({ id, name, svmId: svm.id, fixed, adaptive });
    });
  });
}

/** Everything about a policy is a job; how long one takes is not documented. */
function change(ctx: ArrayContext, id: string, svmId: string, commit: () => void): Operation {
  const svm = { name: ctx.view.tenants[svmId]?.name ?? "", uuid: svmId };
  return {
    keys: [[id]],
    job: {
      description: `/api/storage/qos/policies/${id}`,
      class: "other",
      durationMs: ctx.timing.volumeMs,
      svm,
    },
    commit,
  };
}

function checkName(ctx: ArrayContext, svmId: string, name: string): void {
  const taken = qosPolicies(ctx).some((policy) => policy.svmId === svmId && policy.name === name);
  if (taken) throw new OntapFault("1", `A QoS policy "${name}" exists already.`, "name");
}
