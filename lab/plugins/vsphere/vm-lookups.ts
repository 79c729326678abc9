import { z } from "zod";
import { ConfigError, DeviceError } from "../../../bed/errors";
import { descend, rootFolder } from "../../../provider/devices/vcenter/inventory-path";
import { readOne } from "../../../provider/devices/vcenter/properties";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import { ref, refOf } from "../../../provider/devices/vcenter/values";
import { fn } from "../../../provider/kit/handler";
import type { FunctionHandler } from "../../../provider/kit/handler";
import { machineByUuid } from "./cluster-members";
import type { VsphereContext } from "./context";
import { findOne, startOf } from "./names";
import { readMachine } from "./vm-live";

const foundDisk = z
  .object({
    label: z.string(),
    size: z.int(),
    unitNumber: z.int(),
    eagerlyScrub: z.boolean(),
    thinProvisioned: z.boolean(),
  })
  .meta({ id: "GetVirtualMachineDisk" });

const machineInput = z.object({
  datacenterId: z.string().optional(),
  folder: z.string().optional(),
  moid: z.string().optional(),
  name: z.string().optional(),
  uuid: z.string().optional(),
});

const machineOutput = machineInput.extend({
  id: z.string(),
  moid: z.string(),
  uuid: z.string(),
  annotation: z.string(),
  defaultIpAddress: z.string(),
  disks: z.array(foundDisk),
  firmware: z.string().optional(),
  guestId: z.string(),
  guestIpAddresses: z.array(z.string()),
  memory: z.int().optional(),
  networkInterfaceTypes: z.array(z.string()),
  numCoresPerSocket: z.int().optional(),
  numCpus: z.int().optional(),
  scsiType: z.string(),
});

/** A machine or template. The place of a clone: its `id` is what `templateUuid` takes. */
export const getVirtualMachine = fn<VsphereContext, typeof machineInput, typeof machineOutput>({
  token: "vsphere:index/getVirtualMachine:getVirtualMachine",
  description: "A machine or template by name, uuid or managed object id.",
  inputs: machineInput,
  outputs: machineOutput,
  async invoke(call, args) {
    const { client } = call.context;
    const live = await readMachine(client, call, await locate(call, args));
    const { controllers, disks, nics } = live.devices;
    return {
      ...args,
      name: live.name,
      id: live.uuid,
      moid: live.ref.value,
      uuid: live.uuid,
      annotation: live.annotation,
      defaultIpAddress: live.defaultIpAddress,
      disks: disks.map((disk) => ({
        label: disk.label,
        size: disk.sizeGib,
        unitNumber: disk.unitNumber,
        eagerlyScrub: disk.eagerlyScrub,
        thinProvisioned: disk.thinProvisioned,
      })),
      firmware: live.firmware,
      guestId: live.guestId,
      guestIpAddresses: [...live.guestIpAddresses],
      memory: live.memory,
      networkInterfaceTypes: nics.map((nic) => nic.adapterType),
      numCoresPerSocket: live.numCoresPerSocket,
      numCpus: live.numCpus,
      scsiType: controllers[0]?.type ?? "",
    };
  },
});

type Call = Parameters<FunctionHandler<VsphereContext>["invoke"]>[0];

async function locate(call: Call, args: z.infer<typeof machineInput>): Promise<MoRef> {
  const { client } = call.context;
  if (args.uuid !== undefined) return machineByUuid(client, call, args.uuid);
  if (args.moid !== undefined) return ref("VirtualMachine", args.moid);
  if (args.name === undefined) {
    throw new ConfigError([{ path: "name", message: "give a name, a uuid or a moid" }]);
  }
  const start = await startOf(client, call, args.datacenterId);
  const root =
    args.folder === undefined || start.type !== "Datacenter"
      ? start
      : await descend(client, call, await rootFolder(client, call, start, "vm"), args.folder);
  const what = { type: "VirtualMachine", word: "virtual machine", name: args.name };
  return (await findOne(client, call, root, what)).ref;
}

const disksInput = z.object({
  hostSystemId: z.string(),
  rescan: z.boolean().optional(),
  filter: z.string().optional().describe("Regular expression on canonical names."),
});
const disksOutput = disksInput.extend({ id: z.string(), disks: z.array(z.string()) });

/** Canonical names of the disks of one host, sorted. */
export const getVmfsDisks = fn<VsphereContext, typeof disksInput, typeof disksOutput>({
  token: "vsphere:index/getVmfsDisks:getVmfsDisks",
  description: "Disks that a host sees.",
  inputs: disksInput,
  outputs: disksOutput,
  async invoke(call, args) {
    const { client } = call.context;
    const attempt = { operation: "list the disks of host", object: args.hostSystemId };
    const path = "configManager.storageSystem";
    const host = ref("HostSystem", args.hostSystemId);
    const system = refOf((await readOne(client, call, attempt, host, [path])).get(path));
    if (system === undefined) {
      const fields = { device: client.device, ...attempt, reason: "it has no storage system" };
      throw new DeviceError({ ...fields, kind: "unreachable" });
    }
    if (args.rescan === true) await client.invoke(call, attempt, "RescanAllHba", system, {});
    const info = (await readOne(client, call, attempt, system, ["storageDeviceInfo"])).get(
      "storageDeviceInfo",
    );
    const filter = new RegExp(args.filter ?? "");
    const disks = (info?.all("scsiLun") ?? [])
      .filter((lun) => lun.type === "HostScsiDisk")
      .map((lun) => lun.string("canonicalName") ?? "")
      .filter((name) => filter.test(name))
      .sort();
    return { ...args, id: args.hostSystemId, disks };
  },
});
