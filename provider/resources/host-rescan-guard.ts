import { z } from "zod";
import { DeviceError, isDeviceError } from "../../bed/errors";
import { parseDeviceName, parseNqn, type DeviceName } from "../../bed/identities";
import { systemClock } from "../devices/clock";
import type { HostDevice, HostStorage } from "../devices/host-storage";
import { waitFor } from "../devices/wait";
import type { ResourceCall } from "../kit/handler";
import { resource } from "../kit/handler";
import { deleteAfterRemains, unmapRemains } from "./array-remains";
import type { BedContext } from "./context";
import { deviceNameSchema, replaceWhenDeviceLeaves } from "./host-block-devices";
import { usablePaths } from "./host-path-check";
import { unlessHostLeft } from "./host-presence";

const inputs = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  hosts: z.array(z.string()).describe("Hosts that are rescanned, by their names in the vCenter."),
  devices: z
    .record(z.string(), deviceNameSchema)
    .describe("Devices that must be gone, by stable key."),
  group: z.string().describe("What the guard stands before: a volume group or a host."),
  subsystem: z
    .string()
    .optional()
    .describe(
      "NVMe: NQN of the subsystem; connections to it that hold nothing any more are ended.",
    ),
  volumes: z
    .string()
    .optional()
    .describe(
      "Id of the volume group. With it the guard goes with its volumes: unmapped, rescanned, then removed.",
    ),
});

type State = z.infer<typeof inputs>;
type Forgotten = Pick<State, "device" | "hosts" | "subsystem">;

/** How long a host may take to let go of a device after the rescan. */
const goneTimeoutMs = 60_000;

/**
 * Does nothing on create. Created before the map, it is deleted after the unmap: then it rescans the
 * hosts, makes them forget the devices, and proves that none sees them any more. Without a volume group
 * it is never replaced for other devices, so it may stand before things that stay (a host's entry).
 * One that names its group is replaced when the group is, or when one of its devices becomes another or
 * leaves, and takes the map and all that lies on it along. That makes it the one root of such a
 * replacement: of several that begin at once (the device sets of several hosts) the engine takes the
 * dependents away with the first, while it deletes the others already.
 */
export const rescanGuard = resource<BedContext, typeof inputs, typeof inputs>({
  token: "sanbed:host:RescanGuard",
  description: "After the unmap: hosts rescanned, devices forgotten and proven gone.",
  inputs,
  state: inputs,
  replaceOn: ["device", "group", "volumes"],
  replaceOnUnknown: (olds) => (olds.volumes === undefined ? [] : ["devices"]),
  deleteBeforeReplace: true,
  diff: (changes, olds) =>
    olds.volumes === undefined ? changes : changes.map(replaceWhenDeviceLeaves),
  create: (_call, args) => Promise.resolve({ id: `${args.device}/${args.group}`, state: args }),
  async update(call, _id, olds, news) {
    const kept = new Set(Object.values(news.devices));
    const dropped = namesOf(olds).filter((name) => !kept.has(name));
    if (dropped.length > 0) await forget(call, olds, dropped);
    return news;
  },
  async delete(call, _id, olds) {
    const devices = namesOf(olds);
    if (devices.length === 0) return;
    const storage = call.context.hosts(olds.device);
    await deleteAfterRemains(
      async () => {
        await forget(call, olds, devices);
        await Promise.all(olds.hosts.map((host) => proveGone(call, storage, host, devices)));
      },
      // A host's guard goes while the volumes stay mapped for the others.
      () => (olds.volumes === undefined ? Promise.resolve(false) : unmapUnknown(call, devices)),
    );
  },
});

/** The map that should be gone by now may be in no state: killed while it was made. */
async function unmapUnknown(
  call: ResourceCall<BedContext>,
  devices: readonly DeviceName[],
): Promise<boolean> {
  let any = false;
  for (const array of call.context.arrays.keys()) {
    any = (await unmapRemains(call, array, (map) => devices.includes(map.device))) || any;
  }
  return any;
}

/** Devices that still serve are left alone: their own unmap comes later. */
async function forget(
  call: ResourceCall<BedContext>,
  { device, hosts, subsystem }: Forgotten,
  devices: readonly DeviceName[],
): Promise<void> {
  const storage = call.context.hosts(device);
  const nqn = subsystem === undefined ? undefined : parseNqn(subsystem);
  await Promise.all(
    hosts.map((host) =>
      unlessHostLeft(call, storage, host, async () => {
        await storage.rescan(call, [host]);
        await storage.purge(call, host, devices);
        if (nqn !== undefined) await storage.nvme.disconnect(call, host, nqn);
      }),
    ),
  );
}

async function proveGone(
  call: ResourceCall<BedContext>,
  storage: HostStorage,
  host: string,
  devices: readonly DeviceName[],
): Promise<void> {
  await unlessHostLeft(call, storage, host, async () => {
    let left: readonly HostDevice[] = [];
    const look = async (): Promise<true | undefined> => {
      left = await storage.devices(call, host, devices, { queueDepths: false });
      if (left.length === 0) return true;
      // Presented again or still: waiting does not help.
      if (left.some((device) => usablePaths(device).length > 0))
        throw stillThere(storage, host, left);
      call.status(`waiting for host ${host} to let go of ${left.length.toString()} devices`);
      await storage.rescan(call, [host]);
      await storage.purge(call, host, devices);
      return undefined;
    };
    try {
      await waitFor(`devices to be gone on host ${host}`, look, {
        device: storage.device,
        call,
        clock: systemClock,
        timeoutMs: goneTimeoutMs,
        firstMs: 1000,
        slowestMs: 10_000,
      });
    } catch (error) {
      if (isDeviceError(error, "timeout") && left.length > 0) throw stillThere(storage, host, left);
      throw error;
    }
  });
}

function stillThere(storage: HostStorage, host: string, left: readonly HostDevice[]): DeviceError {
  const presented = left.some((device) => usablePaths(device).length > 0);
  const states = left.map(
    (d) => `${d.name} is ${d.state} with ${usablePaths(d).length.toString()} usable paths`,
  );
  return new DeviceError({
    kind: "refused",
    device: storage.device,
    operation: `prove that host ${host} has let go of`,
    object: left.map((device) => device.name).join(", "),
    reason: states.join("; "),
    expected: "that the host does not know the device any more",
    remedy: presented
      ? "It is still mapped to the host: remove the mapping on the array, then run destroy again."
      : "A datastore, a machine or a diagnostic partition on the host still holds it: remove that, then run destroy again.",
  });
}

function namesOf(state: Pick<State, "devices">): readonly DeviceName[] {
  return Object.values(state.devices).flatMap((text) => parseDeviceName(text) ?? []);
}
