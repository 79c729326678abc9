import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import type { Attempt } from "./faults";
import { readOne } from "./properties";
import { runTask } from "./tasks";
import type { MoRef, VimValue } from "./values";
import { object, TypedValue } from "./values";
import type { XmlElement } from "../xml";

/** Lists of a cluster's configuration (ClusterConfigInfoEx) and how each is changed. */
const lists = {
  group: { spec: "groupSpec", type: "ClusterGroupSpec" },
  rule: { spec: "rulesSpec", type: "ClusterRuleSpec" },
  drsVmConfig: { spec: "drsVmConfigSpec", type: "ClusterDrsVmConfigSpec" },
} as const;

export type ClusterList = keyof typeof lists;

export type ClusterEdit =
  | { readonly operation: "add" | "edit"; readonly info: VimValue }
  | { readonly operation: "remove"; readonly key: string | number | MoRef };

/** Members of one list of a cluster's configuration. */
export async function readClusterList(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  cluster: MoRef,
  list: ClusterList,
): Promise<readonly XmlElement[]> {
  const path = `configurationEx`;
  const values = await readOne(client, call, attempt, cluster, [path]);
  return values.get(path)?.all(list) ?? [];
}

/** Changes one member. The vCenter lets one change of a cluster run at a time: callers take turns. */
export async function editCluster(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  cluster: MoRef,
  list: ClusterList,
  edit: ClusterEdit,
): Promise<void> {
  const { spec, type } = lists[list];
  const fields =
    edit.operation === "remove"
      ? { operation: "remove", removeKey: keyValue(edit.key) }
      : { operation: edit.operation, info: edit.info };
  await runTask(client, call, attempt, "ReconfigureComputeResource_Task", cluster, {
    spec: object("ClusterConfigSpecEx", { [spec]: object(type, fields) }),
    modify: true,
  });
}

function keyValue(key: string | number | MoRef): VimValue {
  if (typeof key === "number") return new TypedValue("xsd:int", key.toString());
  return typeof key === "string" ? new TypedValue("xsd:string", key) : key;
}
