import { qosPolicies, usersOf } from "../ontap/qos";
import type { JsonObject } from "../world/state";
import type { Api, Apis } from "./api";
import { visible } from "./fcp";
import { leaves } from "./shape";

/** Policy groups with fixed limits; adaptive ones have an iterator of their own. */
const getIter: Api = {
  scope: "both",
  record: "qos-policy-group-info",
  shape: leaves(
    "is-shared max-throughput min-throughput num-workloads pgid policy-group policy-group-class uuid vserver",
  ),
  keys: ["vserver", "policy-group"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      qosPolicies(call.ctx)
        .filter((policy) => policy.svmId === svm.id && policy.fixed !== undefined)
        .map((policy) => ({
          "is-shared": policy.fixed?.["capacity_shared"] === true,
          "max-throughput": highest(policy.fixed ?? {}),
          "min-throughput": lowest(policy.fixed ?? {}),
          "num-workloads": usersOf(call.ctx, policy.id),
          "policy-group": policy.name,
          "policy-group-class": "user_defined",
          uuid: policy.id,
          vserver: svm.name,
        })),
    ),
};

/** As the command line writes limits: `10000IOPS`, `500MB/s`, or both; `INF` and `0` without. */
function highest(fixed: JsonObject): string {
  const parts = [
    ...(Number(fixed["max_throughput_iops"] ?? 0) > 0
      ? [`${Number(fixed["max_throughput_iops"]).toString()}IOPS`]
      : []),
    ...(Number(fixed["max_throughput_mbps"] ?? 0) > 0
      ? [`${Number(fixed["max_throughput_mbps"]).toString()}MB/s`]
      : []),
  ];
  return parts.length === 0 ? "INF" : parts.join(",");
}

function lowest(fixed: JsonObject): string {
  const iops = Number(fixed["min_throughput_iops"] ?? 0);
  return iops > 0 ? `${iops.toString()}IOPS` : "0";
}

export const qosApis: Apis = { "qos-policy-group-get-iter": getIter };
