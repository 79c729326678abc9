import { z } from "zod";
import { isDeviceError } from "../../bed/errors";
import {
  nvmeSide,
  type ArrayVolumes,
  type BlockArray,
  type Scope,
  type VolumeInfo,
  type VolumeSpec,
} from "../devices/block-array";
import { resource, type ResourceCall } from "../kit/handler";
import { unknownValue } from "../kit/values";
import { deleteAfterRemains, unmapRemains } from "./array-remains";
import { refusedChanges } from "./array-volume-diff";
import { reductionOf, thinOf, volumesOf } from "./array-volume-seen";
import type { BedContext } from "./context";

const volume = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z_][\w.-]*$/, "letters, digits and _ . - only, not a digit first")
      .describe("Name on the array."),
    sizeBytes: z
      .string()
      .regex(/^[1-9]\d*$/, 'a number of bytes as text, such as "107374182400"')
      .describe("Size in bytes. It may grow, never shrink."),
    pool: z.string().min(1).describe("Pool that it lies in."),
  })
  .meta({ id: "VolumeSetVolume" });

const when = z.enum(["off", "inline", "background", "both"]).meta({ id: "ReductionTime" });

const dataReduction = z
  .object({
    deduplication: when.optional().describe("Storing equal blocks once: when it happens."),
    compression: when.optional().describe("Compression: when it happens."),
    compaction: z
      .enum(["off", "inline"])
      .meta({ id: "CompactionTime" })
      .optional()
      .describe("Packing small pieces into one block."),
  })
  .meta({ id: "VolumeSetDataReduction" });

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant."),
  volumes: z.record(z.string(), volume).describe("The volumes, by a stable key of your choice."),
  thin: z.boolean().describe("Thin: space is taken when written. Else it is reserved."),
  dataReduction: dataReduction
    .optional()
    .describe(
      "How the array saves space in the volumes; what is left out stays as the array makes it.",
    ),
  generation: z
    .number()
    .optional()
    .describe("Another number makes the whole group anew, without its data."),
});

const made = z
  .object({
    id: z.string().describe("The array's own id."),
    name: z.string(),
    serial: z.string(),
    deviceName: z.string().describe("What hosts call it, `naa.…`, `uuid.…`."),
  })
  .meta({ id: "VolumeSetMade" });

const state = inputs.extend({
  set: z.record(z.string(), made).describe("The volumes as made, by key."),
  devices: z.record(z.string(), z.string()).describe("What hosts call them, by key."),
  owned: z.record(z.string(), z.string()).describe("Names that were made, by key."),
});

/** Stands for a text that is not known before it is made. */
const unknownText = unknownValue as unknown as string;

type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;
type Call = ResourceCall<BedContext>;

/** Volumes on one side of an array, SCSI or NVMe. */
type Side = (array: BlockArray) => ArrayVolumes;

/** Volumes that come and go together. */
export const volumeSet = setOf(
  "sanbed:array:VolumeSet",
  "A group of volumes that come and go together.",
  (array) => array.volumes,
);

/** NVMe namespaces that come and go together; otherwise a {@link volumeSet}. */
export const namespaceSet = setOf(
  "sanbed:array:NamespaceSet",
  "A group of NVMe namespaces that come and go together.",
  (array) => nvmeSide(array).volumes,
);

function setOf(token: string, description: string, side: Side) {
  return resource<BedContext, typeof inputs, typeof state>({
    token,
    description,
    inputs,
    state,
    replaceOn: ["device", "target", "generation"],
    deleteBeforeReplace: true,
    refuse: refusedChanges,
    plan: planned,
    async lookAhead(call, args, olds) {
      // What is not made yet is asked when it is made: its tenant may not be there before.
      if (olds === undefined) return;
      await side(call.context.array(args.device)).examine(call, scopeOf(call, args), specsOf(args));
    },
    async create(call, args) {
      const id = idOf(args);
      const started: State = { ...args, set: {}, devices: {}, owned: ownedOf(args) };
      const found = await ensure(call, side, args, () => {
        call.began(id, started);
      });
      return { id, state: { ...started, ...outputsOf(ownedOf(args), found) } };
    },
    async update(call, id, olds, news) {
      const owned = { ...olds.owned, ...ownedOf(news) };
      const found = await ensure(call, side, news, () => {
        call.began(id, { ...olds, ...news, owned });
      });
      return { ...news, owned, ...outputsOf(ownedOf(news), found) };
    },
    read: (call, id, recorded) => look(call, side, id, recorded),
    delete: (call, _id, olds) => remove(call, side, olds),
  });
}

async function look(call: Call, side: Side, id: string, recorded: State | undefined) {
  const known = recorded ?? importedState(id);
  if (known === undefined) return undefined;
  const names = { ...known.owned, ...ownedOf(known) };
  const array = call.context.array(known.device);
  const found = await side(array).list(call, scopeOf(call, known), Object.values(names));
  // Another's volume of this name is not ours: it counts as missing, and create refuses it by name.
  const ours = found.filter((one) => recorded === undefined || one.bedId === call.context.bedId);
  if (ours.length === 0) return undefined;
  const read: Inputs = {
    device: known.device,
    target: known.target,
    thin: thinOf(recorded?.thin, ours),
    volumes: volumesOf(
      names,
      known,
      ours.filter((one) => one.online),
    ),
    ...reductionOf(recorded?.dataReduction, ours),
    ...(known.generation === undefined ? {} : { generation: known.generation }),
  };
  const outputs = outputsOf(names, ours);
  return { id, inputs: read, state: { ...read, owned: names, ...outputs } };
}

async function remove(call: Call, side: Side, olds: State): Promise<void> {
  const names = [...new Set([...Object.values(olds.owned), ...Object.values(ownedOf(olds))])];
  const volumes = side(call.context.array(olds.device));
  const scope = scopeOf(call, olds);
  try {
    await deleteAfterRemains(
      () => volumes.remove(call, scope, names),
      () =>
        unmapRemains(
          call,
          olds.device,
          (map) => map.target === olds.target && names.includes(map.volume),
        ),
    );
  } catch (error) {
    if (!isDeviceError(error, "refused")) throw error;
    const found = await volumes.list(call, scope, names);
    const foreign = found.filter((one) => one.bedId !== call.context.bedId);
    if (foreign.length === 0) throw error;
    for (const { name } of foreign) {
      call.log("warning", `${olds.device}: volume ${name} does not carry our mark and stays`);
    }
    const others = new Set(foreign.map((one) => one.name));
    await volumes.remove(
      call,
      scope,
      names.filter((name) => !others.has(name)),
    );
  }
}

/** A volume that is there keeps its identity: adding or growing others leaves it known in a preview. */
function planned(
  { volumes }: Partial<Inputs>,
  olds: State | undefined,
): Partial<Pick<State, "set" | "devices" | "owned">> {
  if (volumes === undefined) return {};
  const names = ownedOf({ volumes });
  const entries = Object.entries(names).map(([key, name]) => {
    const old = olds?.set[key];
    const made = { id: unknownText, name, serial: unknownText, deviceName: unknownText };
    return [key, old?.name === name ? old : made] as const;
  });
  return {
    set: Object.fromEntries(entries),
    devices: Object.fromEntries(entries.map(([key, one]) => [key, one.deviceName])),
    owned: { ...olds?.owned, ...names },
  };
}

async function ensure(
  call: Call,
  side: Side,
  args: Inputs,
  onWrite: () => void,
): Promise<readonly VolumeInfo[]> {
  const array = call.context.array(args.device);
  return await side(array).ensure({ ...call, onWrite }, scopeOf(call, args), specsOf(args));
}

function specsOf(args: Inputs): VolumeSpec[] {
  return Object.values(args.volumes).map((one) => ({
    name: one.name,
    sizeBytes: BigInt(one.sizeBytes),
    pool: one.pool,
    thin: args.thin,
    dataReduction: args.dataReduction,
  }));
}

function outputsOf(
  names: Readonly<Record<string, string>>,
  found: readonly VolumeInfo[],
): Pick<State, "set" | "devices"> {
  const byName = new Map(found.map((one) => [one.name, one]));
  const entries = Object.entries(names).flatMap(([key, name]) => {
    const one = byName.get(name);
    return one === undefined ? [] : [[key, one] as const];
  });
  return {
    set: Object.fromEntries(
      entries.map(([key, { id, name, serial, deviceName }]) => [
        key,
        { id, name, serial, deviceName },
      ]),
    ),
    devices: Object.fromEntries(entries.map(([key, one]) => [key, one.deviceName])),
  };
}

function ownedOf(args: Pick<Inputs, "volumes">): Record<string, string> {
  return Object.fromEntries(Object.entries(args.volumes).map(([key, one]) => [key, one.name]));
}

/** Import id: `<device>/<target>/<key>=<name>,<key>=<name>`. */
function idOf(args: Inputs): string {
  const volumes = Object.entries(args.volumes).map(([key, one]) => `${key}=${one.name}`);
  return `${args.device}/${args.target}/${volumes.join(",")}`;
}

function importedState(id: string): State | undefined {
  const [device, target, list] = id.split("/");
  if (device === undefined || target === undefined || list === undefined) return undefined;
  const owned: Record<string, string> = {};
  for (const part of list.split(",")) {
    const [key, name] = part.includes("=") ? part.split("=") : [part, part];
    if (key !== undefined && name !== undefined) owned[key] = name;
  }
  return { device, target, volumes: {}, thin: true, set: {}, devices: {}, owned };
}

function scopeOf(call: Call, args: { readonly target: string }): Scope {
  return { bedId: call.context.bedId, target: args.target };
}
