import { z } from "zod";
import { fn } from "../../../provider/kit/handler";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { readAll } from "../../../provider/devices/vcenter/properties";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import { refOf } from "../../../provider/devices/vcenter/values";
import type { VsphereContext } from "./context";
import { findOne, nameOf, startOf } from "./names";

const named = z.object({ datacenterId: z.string().optional(), name: z.string() });
const optionallyNamed = z.object({
  datacenterId: z.string().optional(),
  name: z.string().optional(),
});

const datacenterInput = z.object({ name: z.string().optional() });
const datacenterOutput = z.object({ id: z.string(), name: z.string() });

export const getDatacenter = fn<VsphereContext, typeof datacenterInput, typeof datacenterOutput>({
  token: "vsphere:index/getDatacenter:getDatacenter",
  description: "A datacenter by name; the only one without a name.",
  inputs: datacenterInput,
  outputs: datacenterOutput,
  async invoke(call, { name }) {
    const { client } = call.context;
    const { rootFolder } = await client.content(call);
    const what = { type: "Datacenter", word: "datacenter", name };
    const found = await findOne(client, call, rootFolder, what);
    return { id: found.ref.value, name: nameOf(found) };
  },
});

const hostOutput = optionallyNamed.extend({ id: z.string(), resourcePoolId: z.string() });

export const getHost = fn<VsphereContext, typeof optionallyNamed, typeof hostOutput>({
  token: "vsphere:index/getHost:getHost",
  description: "A host by name, with the root resource pool of its cluster.",
  inputs: optionallyNamed,
  outputs: hostOutput,
  async invoke(call, { datacenterId, name }) {
    const { client } = call.context;
    const root = await startOf(client, call, datacenterId);
    const what = { type: "HostSystem", word: "host", name };
    const found = await findOne(client, call, root, what, ["parent"]);
    const parent = refOf(found.values.get("parent"));
    const pools = await findPools(client, call, root);
    return {
      datacenterId,
      name: nameOf(found),
      id: found.ref.value,
      resourcePoolId: pools.get(parent?.value ?? "") ?? "",
    };
  },
});

const clusterOutput = named.extend({ id: z.string(), resourcePoolId: z.string() });

export const getComputeCluster = fn<VsphereContext, typeof named, typeof clusterOutput>({
  token: "vsphere:index/getComputeCluster:getComputeCluster",
  description: "A cluster by name, with its root resource pool.",
  inputs: named,
  outputs: clusterOutput,
  async invoke(call, { datacenterId, name }) {
    const { client } = call.context;
    const root = await startOf(client, call, datacenterId);
    const what = { type: "ClusterComputeResource", word: "cluster", name };
    const found = await findOne(client, call, root, what, ["resourcePool"]);
    const pool = refOf(found.values.get("resourcePool"))?.value ?? "";
    return { datacenterId, name, id: found.ref.value, resourcePoolId: pool };
  },
});

const idOutput = named.extend({ id: z.string() });

export const getDatastore = fn<VsphereContext, typeof named, typeof idOutput>({
  token: "vsphere:index/getDatastore:getDatastore",
  description: "A datastore by name.",
  inputs: named,
  outputs: idOutput,
  async invoke(call, { datacenterId, name }) {
    const { client } = call.context;
    const root = await startOf(client, call, datacenterId);
    const what = { type: "Datastore", word: "datastore", name };
    return { datacenterId, name, id: (await findOne(client, call, root, what)).ref.value };
  },
});

const networkOutput = idOutput.extend({ type: z.string() });

export const getNetwork = fn<VsphereContext, typeof named, typeof networkOutput>({
  token: "vsphere:index/getNetwork:getNetwork",
  description: "A standard or distributed network by name.",
  inputs: named,
  outputs: networkOutput,
  async invoke(call, { datacenterId, name }) {
    const { client } = call.context;
    const root = await startOf(client, call, datacenterId);
    const found = await findOne(client, call, root, { type: "Network", word: "network", name });
    return { datacenterId, name, id: found.ref.value, type: found.ref.type };
  },
});

const poolInput = optionallyNamed.extend({ parentResourcePoolId: z.string().optional() });
const poolOutput = poolInput.extend({ id: z.string() });

export const getResourcePool = fn<VsphereContext, typeof poolInput, typeof poolOutput>({
  token: "vsphere:index/getResourcePool:getResourcePool",
  description: "A resource pool by name, or `<cluster>/Resources` for a cluster's root pool.",
  inputs: poolInput,
  outputs: poolOutput,
  async invoke(call, args) {
    const { client } = call.context;
    const { datacenterId, name, parentResourcePoolId } = args;
    const parts = name?.split("/") ?? [];
    const root =
      parentResourcePoolId === undefined
        ? await startOf(client, call, datacenterId)
        : { type: "ResourcePool", value: parentResourcePoolId };
    if (parts.at(-1) === "Resources" && parts.length > 1) {
      const what = { type: "ComputeResource", word: "cluster", name: parts.at(-2) };
      const owner = await findOne(client, call, root, what, ["resourcePool"]);
      return { ...args, id: refOf(owner.values.get("resourcePool"))?.value ?? "" };
    }
    const what = { type: "ResourcePool", word: "resource pool", name };
    return { ...args, id: (await findOne(client, call, root, what)).ref.value };
  },
});

/** Root resource pools by the id of the compute resource that owns them. */
async function findPools(
  client: VimClient,
  call: DeviceCall,
  root: MoRef,
): Promise<ReadonlyMap<string, string>> {
  const attempt = { operation: "find root resource pools" };
  const types = { ComputeResource: ["resourcePool"] };
  const found = await readAll(client, call, attempt, root, types);
  return new Map(
    found.map((item) => [item.ref.value, refOf(item.values.get("resourcePool"))?.value ?? ""]),
  );
}
