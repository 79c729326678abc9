import { z } from "zod";
import { ConfigError, DeviceError, isDeviceError } from "../../bed/errors";
import {
  isNvmeName,
  parseDeviceName,
  parseWwnn,
  parseWwpn,
  type DeviceName,
} from "../../bed/identities";
import type { DeviceCall } from "../devices/call";
import type { DeviceSettings, HostDevice, HostStorage, NvmeTarget } from "../devices/host-storage";
import type { PropertyChange, ResourceCall, WriteCall } from "../kit/handler";
import { resource } from "../kit/handler";
import type { BedContext } from "./context";
import { usablePaths } from "./host-path-check";
import { awaitPaths } from "./host-paths";
import { unlessHostLeft } from "./host-presence";
import { noteTouched } from "./ledger";

/** Names of devices as hosts show them, as an input. */
export const deviceNameSchema = z.string().refine((text) => parseDeviceName(text) !== undefined, {
  error:
    "not a device name: expected naa. and 16 or 32 hex digits, or uuid. or eui. for an NVMe namespace",
});

const settingsSchema = z
  .object({
    policy: z.string().optional().describe("Path selection before ours."),
    queueDepth: z.int().optional().describe("Queue depth before ours."),
  })
  .meta({ id: "HostDeviceSettings" });

const targetSchema = z
  .object({ wwpn: z.string(), wwnn: z.string() })
  .meta({ id: "NvmeTargetPort" });

const inputs = z.object({
  device: z.string().describe("The vCenter, by its name in the bed."),
  host: z.string().describe("The host, by its name in the vCenter."),
  devices: z.record(z.string(), deviceNameSchema).describe("Names of the devices by stable key."),
  expectedPaths: z.int().min(1).describe("Usable paths that each device must have on this host."),
  policy: z.string().optional().describe("Path selection; default `VMW_PSP_RR`, for NVMe `LB-RR`."),
  targets: z
    .record(z.string(), targetSchema)
    .optional()
    .describe("NVMe target ports: hosts look there for what they did not find by themselves."),
  queueDepth: z
    .int()
    .min(1)
    .max(4096)
    .optional()
    .describe("Outstanding requests per device with several guests on it (DSNRO)."),
  map: z.string().describe("Id of the volume map: a new map is a new set of devices."),
  entry: z
    .string()
    .optional()
    .describe(
      "What names the host's entry on the array: the devices are let go before that entry goes.",
    ),
  waitSeconds: z
    .int()
    .min(0)
    .max(3600)
    .default(30)
    .describe("How long to wait for missing paths, seconds, rescanning now and then."),
});

const state = inputs.extend({
  paths: z.record(z.string(), z.int()).describe("Usable paths by key."),
  previous: z
    .record(z.string(), settingsSchema)
    .describe("Settings before ours by key; put back on delete."),
});

type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;

/**
 * The devices of one volume group on one host: after the map they are looked for, set up and proven;
 * before the unmap they are unmounted, put back and detached, which makes taking the volume away safe
 * (vSphere Storage, "Planned Device Removal").
 */
export const blockDevices = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:host:BlockDevices",
  description:
    "Block devices of one volume group on one host: on every expected path, with path policy and queue depth set.",
  inputs,
  state,
  replaceOn: ["device", "host", "map", "entry"],
  replaceOnUnknown: ["devices"],
  deleteBeforeReplace: true,
  diff: (changes, olds) => changes.map((change) => replaceWhenTaken(change, olds)),
  async create(call, args) {
    const id = `${args.device}/${args.host}/${args.map}`;
    return { id, state: await establish(call, id, args, { ...args, paths: {}, previous: {} }) };
  },
  read: (call, id, olds) => (olds === undefined ? importById(call, id) : compare(call, id, olds)),
  update: (call, id, olds, news) => establish(call, id, news, olds),
  delete: (call, _id, olds) => release(call, olds),
});

function replaceWhenTaken(change: PropertyChange, olds: State): PropertyChange {
  // What an import could not know is filled in; nothing has moved.
  const learnt =
    (change.path === "map" && olds.map === "") ||
    (change.path === "entry" && olds.entry === undefined);
  if (learnt) return { ...change, replace: false };
  return replaceWhenDeviceLeaves(change);
}

/** A device may join; one that changes or leaves takes what lies on it along. */
export function replaceWhenDeviceLeaves(change: PropertyChange): PropertyChange {
  const isDevice = /^devices(?:\.|\[|$)/.test(change.path);
  return isDevice && change.kind !== "add" ? { ...change, replace: true } : change;
}

/** What goes with the devices of a group; of one that was made before it knew its map, the map is learnt. */
export function replaceWithGroup(
  change: PropertyChange,
  olds: { readonly map?: string | undefined },
): PropertyChange {
  if (change.path === "map" && olds.map === undefined) return { ...change, replace: false };
  return replaceWhenDeviceLeaves(change);
}

async function establish(
  call: WriteCall<BedContext, State>,
  id: string,
  args: Inputs,
  olds: State,
): Promise<State> {
  const storage = call.context.hosts(args.device);
  const devices = named(args);
  const names = Object.values(devices);
  let known: State = { ...olds, ...args };
  call.began(id, known);
  const targets = Object.values(args.targets ?? {}).flatMap(toTarget);
  const found = await awaitPaths(call.context, call, storage, { ...args, devices, targets });
  const { counts: paths, seen } = found;
  await refuseStale(call, storage, args.host, names);
  const previous = { ...settingsOf(devices, seen), ...olds.previous };
  known = { ...known, paths, previous };
  call.began(id, known);
  const settings = wantedSettings(args, devices, olds).map((setting) => ({
    ...setting,
    seen: seen.find((device) => device.name === setting.device),
  }));
  noteTouched(
    call.context.folder,
    names.map((name) => ({
      device: args.device,
      class: "hostDevice",
      name: `${args.host}/${name}`,
    })),
  );
  await storage.configure(call, args.host, settings);
  return known;
}

async function refuseStale(
  call: DeviceCall,
  storage: HostStorage,
  host: string,
  names: readonly DeviceName[],
): Promise<void> {
  const stale = await storage.staleSignatures(call, host, names);
  if (stale.length === 0) return;
  throw new DeviceError({
    kind: "refused",
    device: storage.device,
    operation: `use on host ${host} the device`,
    object: stale.join(", "),
    reason: "it carries the VMFS signature of another volume (a copy or a left-over)",
    expected: "an empty volume",
    remedy: "Check what is on it. If nothing is needed, recreate the volume; else resignature it.",
  });
}

/** Settings to write. Without a wanted queue depth one that we set earlier goes back. */
function wantedSettings(
  args: Inputs,
  devices: Readonly<Record<string, DeviceName>>,
  olds: State,
): readonly DeviceSettings[] {
  return Object.entries(devices).map(([key, device]) => ({
    device,
    policy: args.policy ?? defaultPolicy(device),
    queueDepth:
      args.queueDepth ??
      (olds.queueDepth === undefined ? undefined : olds.previous[key]?.queueDepth),
  }));
}

/** Of the plug-in that claims the device: NMP for SCSI, HPP for NVMe (vSphere Storage, "PSPs and HPP"). */
function defaultPolicy(device: DeviceName): string {
  return isNvmeName(device) ? "LB-RR" : "VMW_PSP_RR";
}

function toTarget(one: z.infer<typeof targetSchema>): NvmeTarget[] {
  const [wwpn, wwnn] = [parseWwpn(one.wwpn), parseWwnn(one.wwnn)];
  return wwpn === undefined || wwnn === undefined ? [] : [{ wwpn, wwnn }];
}

function settingsOf(
  devices: Readonly<Record<string, DeviceName>>,
  seen: readonly HostDevice[],
): State["previous"] {
  return Object.fromEntries(
    Object.entries(devices).map(([key, name]) => {
      const { policy, queueDepth } = seen.find((device) => device.name === name) ?? {};
      return [key, { policy, queueDepth }];
    }),
  );
}

/** Drift shows in the inputs: fewer paths, another policy or depth, a device that is gone. */
async function compare(
  call: ResourceCall<BedContext>,
  id: string,
  olds: State,
): Promise<{ id: string; inputs: Inputs; state: State } | undefined> {
  const storage = call.context.hosts(olds.device);
  const wanted = named(olds);
  const seen = await unlessHostLeft(call, storage, olds.host, () =>
    storage.devices(call, olds.host, Object.values(wanted)),
  );
  if (seen === undefined) return undefined;
  const present = Object.entries(wanted).flatMap(([key, name]) => {
    const device = seen.find((candidate) => candidate.name === name);
    return device === undefined || device.state === "off" ? [] : [[key, device] as const];
  });
  const paths = Object.fromEntries(present.map(([key, d]) => [key, usablePaths(d).length]));
  const odd = present.find(
    ([, device]) => device.policy !== (olds.policy ?? defaultPolicy(device.name)),
  )?.[1];
  const depth = present.find(([, device]) => device.queueDepth !== olds.queueDepth)?.[1];
  // Not parsed: what the last refresh saw need not be what a program may ask for (no path at all).
  const given = Object.entries(olds).filter(([name]) => name in inputs.shape);
  const live: Inputs = {
    ...(Object.fromEntries(given) as Inputs),
    devices: Object.fromEntries(present.map(([key, device]) => [key, device.name])),
    expectedPaths: Math.min(olds.expectedPaths, ...Object.values(paths)),
    policy: odd?.policy ?? olds.policy,
    queueDepth: olds.queueDepth === undefined ? undefined : (depth?.queueDepth ?? olds.queueDepth),
  };
  return { id, inputs: live, state: { ...olds, ...live, paths } };
}

/** Import id: `<vCenter>/<host>/<device>,<device>...`; the keys are then the device names. */
async function importById(
  call: ResourceCall<BedContext>,
  id: string,
): Promise<{ id: string; inputs: Inputs; state: State } | undefined> {
  const [device = "", host = "", list = ""] = id.split("/");
  const names = list.split(",").flatMap((text) => parseDeviceName(text) ?? []);
  if (names.length === 0) {
    const message = `"${id}" names no devices`;
    const remedy = "import with the id <vCenter>/<host>/<device>,<device>...";
    throw new ConfigError([{ path: "id", message, remedy }]);
  }
  const seen = await call.context.hosts(device).devices(call, host, names);
  if (seen.length < names.length) return undefined;
  const paths = Object.fromEntries(seen.map((d) => [d.name, usablePaths(d).length]));
  const found = inputs.parse({
    device,
    host,
    map: "",
    devices: Object.fromEntries(names.map((name) => [name, name])),
    expectedPaths: Math.max(1, Math.min(...Object.values(paths))),
    policy: seen[0]?.policy,
  });
  const previous = settingsOf(named(found), seen);
  return { id, inputs: found, state: { ...found, paths, previous } };
}

async function release(call: ResourceCall<BedContext>, olds: State): Promise<void> {
  const storage = call.context.hosts(olds.device);
  const names = Object.values(named(olds));
  await unlessHostLeft(call, storage, olds.host, async () => {
    const seen = await storage.devices(call, olds.host, names);
    await putBack(call, storage, olds, seen);
    const lost = seen.filter(isLost).map((device) => device.name);
    // One that somebody took away needs no detaching: the host drops it when it looks again.
    if (lost.length > 0) await storage.rescan(call, [olds.host]);
    await storage.detach(call, olds.host, names);
    // The guard purges what is unmapped in order; it may know the lost ones no more.
    if (lost.length > 0) await storage.purge(call, olds.host, lost);
  });
}

function isLost(device: HostDevice): boolean {
  return device.state !== "off" && usablePaths(device).length === 0;
}

/** Settings as they were. A device or policy that is not there any more must not stop the detaching. */
async function putBack(
  call: ResourceCall<BedContext>,
  storage: HostStorage,
  olds: State,
  seen: readonly HostDevice[],
): Promise<void> {
  const serving = seen.filter((device) => device.state === "ok");
  const settings = Object.entries(named(olds)).flatMap(([key, name]) => {
    const device = serving.find((candidate) => candidate.name === name);
    return device === undefined ? [] : [{ device: name, seen: device, ...olds.previous[key] }];
  });
  const outcomes = await Promise.allSettled(
    settings.map((setting) => storage.configure(call, olds.host, [setting])),
  );
  for (const outcome of outcomes) {
    if (outcome.status === "fulfilled") continue;
    if (!isDeviceError(outcome.reason, "notFound")) throw outcome.reason;
    call.log("warning", `${outcome.reason.message} It is detached as it is.`);
  }
}

function named(args: Pick<Inputs, "devices">): Readonly<Record<string, DeviceName>> {
  return Object.fromEntries(
    Object.entries(args.devices).flatMap(([key, text]) => {
      const name = parseDeviceName(text);
      return name === undefined ? [] : [[key, name]];
    }),
  );
}
