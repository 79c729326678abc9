import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import type { ClusterEdit, ClusterList } from "../../../provider/devices/vcenter/cluster-config";
import { editCluster, readClusterList } from "../../../provider/devices/vcenter/cluster-config";
import { isFault } from "../../../provider/devices/vcenter/faults";
import { readProperties } from "../../../provider/devices/vcenter/properties";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import { ref, refOf } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";

/** Changes of one cluster take turns: the vCenter refuses a second one while the first runs. */
const turns = new Map<string, Promise<unknown>>();

export async function changeCluster(
  client: VimClient,
  call: DeviceCall,
  what: {
    readonly clusterId: string;
    readonly list: ClusterList;
    readonly name: string;
    readonly edit: ClusterEdit;
  },
): Promise<void> {
  const cluster = ref("ClusterComputeResource", what.clusterId);
  const attempt = { operation: `${what.edit.operation} ${what.list}`, object: what.name };
  const before = turns.get(what.clusterId) ?? Promise.resolve();
  const turn = before
    .catch(() => undefined)
    .then(() => editCluster(client, call, attempt, cluster, what.list, what.edit));
  turns.set(what.clusterId, turn);
  await turn;
}

/** Members of a list of a cluster's configuration; undefined when the cluster is gone. */
export async function clusterMembers(
  client: VimClient,
  call: DeviceCall,
  clusterId: string,
  list: ClusterList,
): Promise<readonly XmlElement[] | undefined> {
  const attempt = { operation: `read the ${list} list of cluster`, object: clusterId };
  const cluster = ref("ClusterComputeResource", clusterId);
  try {
    return await readClusterList(client, call, attempt, cluster, list);
  } catch (error) {
    if (isFault(error, "ManagedObjectNotFound")) return undefined;
    throw error;
  }
}

/** A member by name; a second one of the same name is refused by the vCenter. */
export async function clusterMember(
  client: VimClient,
  call: DeviceCall,
  clusterId: string,
  list: ClusterList,
  name: string,
): Promise<XmlElement | undefined> {
  const members = await clusterMembers(client, call, clusterId, list);
  return members?.find((member) => member.string("name") === name);
}

/** Machines by BIOS uuid: programs name machines by the id of their resource, which is that. */
export async function machinesByUuid(
  client: VimClient,
  call: DeviceCall,
  uuids: readonly string[],
): Promise<readonly MoRef[]> {
  return Promise.all(uuids.map((uuid) => machineByUuid(client, call, uuid)));
}

export async function machineByUuid(
  client: VimClient,
  call: DeviceCall,
  uuid: string,
): Promise<MoRef> {
  const found = await findMachine(client, call, uuid);
  if (found !== undefined) return found;
  throw new DeviceError({
    kind: "notFound",
    device: client.device,
    operation: "find virtual machine",
    object: uuid,
    reason: "the vCenter has no machine of this uuid",
    remedy: "Refresh the stack.",
  });
}

export async function findMachine(
  client: VimClient,
  call: DeviceCall,
  uuid: string,
): Promise<MoRef | undefined> {
  const { searchIndex } = await client.content(call);
  const attempt = { operation: "find virtual machine", object: uuid };
  const args = { uuid, vmSearch: true, instanceUuid: false };
  const answer = await client.invoke(call, attempt, "FindByUuid", searchIndex, args);
  return refOf(answer.find("returnval"));
}

/** Uuids of machines, in the order in which the program names them, then the others. */
export async function uuidsOf(
  client: VimClient,
  call: DeviceCall,
  machines: readonly MoRef[],
  order: readonly string[],
): Promise<string[]> {
  const attempt = { operation: "read the uuids of machines" };
  const found = await readProperties(client, call, attempt, machines, ["config.uuid"]);
  const uuids = found.map((item) => item.values.get("config.uuid")?.text ?? "");
  return inOrder(uuids, order);
}

export function inOrder(values: readonly string[], order: readonly string[]): string[] {
  const known = order.filter((value) => values.includes(value));
  return [...known, ...values.filter((value) => !known.includes(value)).sort()];
}
