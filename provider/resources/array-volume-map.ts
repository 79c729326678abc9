import { z } from "zod";
import type { Scope, VolumeMapping } from "../devices/block-array";
import { resource, type PropertyChange, type ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";

const entry = z
  .object({
    volume: z.string().min(1).describe("Name of the volume on the array."),
    lun: z.int().min(0).max(4095).describe("LUN number that the hosts see it under."),
  })
  .meta({ id: "VolumeMapLun" });

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant."),
  group: z.string().min(1).describe("Host group that the volumes are mapped to."),
  luns: z.record(z.string(), entry).describe("Volumes and LUN numbers, by a stable key."),
  guard: z
    .string()
    .describe("Id of the RescanGuard: it is deleted after the map, and rescans the hosts then."),
});

const state = inputs.extend({
  owned: z.array(z.string()).describe("Volumes that were mapped."),
});

type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;
type Call = ResourceCall<BedContext>;

/** Maps a volume group to a host group, under fixed LUN numbers. */
export const volumeMap = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:array:VolumeMap",
  description: "Mapping of a group of volumes to a host group, with LUN numbers.",
  inputs,
  state,
  replaceOn: ["device", "target", "group", "guard"],
  deleteBeforeReplace: true,
  check: doubleLuns,
  diff: diffLuns,
  async create(call, args) {
    const id = idOf(args);
    const started: State = { ...args, owned: volumesOf(args) };
    await ensure(call, args, () => {
      call.began(id, started);
    });
    return { id, state: started };
  },
  async update(call, id, olds, news) {
    const owned = [...new Set([...olds.owned, ...volumesOf(news)])];
    await ensure(call, news, () => {
      call.began(id, { ...olds, ...news, owned });
    });
    return { ...news, owned };
  },
  async read(call, id, recorded) {
    const known = recorded ?? importedState(id);
    const array = call.context.array(known.device);
    const present = await array.maps.list(call, scopeOf(call, known), known.group);
    const luns: Inputs["luns"] = {};
    const keys =
      recorded === undefined ? present.map((map) => [map.volume, map.volume]) : keysOf(known);
    for (const [key, volume] of keys) {
      const map = present.find((one) => one.volume === volume);
      if (key !== undefined && map !== undefined) luns[key] = { volume: map.volume, lun: map.lun };
    }
    if (Object.keys(luns).length === 0) return undefined;
    const { device, target, group, guard } = known;
    const read: Inputs = { device, target, group, luns, guard };
    return { id, inputs: read, state: { ...read, owned: known.owned } };
  },
  async delete(call, _id, olds) {
    const volumes = [...new Set([...olds.owned, ...volumesOf(olds)])];
    const maps = volumes.map((volume): VolumeMapping => ({ volume, group: olds.group, lun: 0 }));
    await call.context.array(olds.device).maps.remove(call, scopeOf(call, olds), maps);
  },
});

async function ensure(call: Call, args: Inputs, onWrite: () => void): Promise<void> {
  const maps = Object.values(args.luns).map((one): VolumeMapping => ({
    volume: one.volume,
    group: args.group,
    lun: one.lun,
  }));
  await call.context
    .array(args.device)
    .maps.ensure({ ...call, onWrite }, scopeOf(call, args), maps);
}

function volumesOf(args: Inputs): string[] {
  return Object.values(args.luns).map((one) => one.volume);
}

function keysOf(known: State): [string, string][] {
  const named = Object.entries(known.luns).map(([key, one]): [string, string] => [key, one.volume]);
  const seen = new Set(named.map(([, volume]) => volume));
  // A map that an earlier refresh found gone has lost its key; it shows under the volume's name.
  return [
    ...named,
    ...known.owned.filter((v) => !seen.has(v)).map((v): [string, string] => [v, v]),
  ];
}

/** Import id: `<device>/<target>/<group>/<first volume>`. All maps of the group are taken. */
function idOf(args: Inputs): string {
  return [args.device, args.target, args.group, volumesOf(args)[0] ?? ""].join("/");
}

function importedState(id: string): State {
  const [device = "", target = "", group = ""] = id.split("/");
  return { device, target, group, luns: {}, guard: "", owned: [] };
}

function scopeOf(call: Call, args: { readonly target: string }): Scope {
  return { bedId: call.context.bedId, target: args.target };
}

/**
 * A map is added in place. A number or volume changes only by unmapping, which hosts must be ready for,
 * and a map is never taken away in an update: both replace the whole. Pure.
 */
function diffLuns(
  changes: readonly PropertyChange[],
  olds: Pick<Inputs, "luns">,
  news: Pick<Inputs, "luns">,
): readonly PropertyChange[] {
  const moved = new Set(
    Object.entries(olds.luns)
      .filter(([key, old]) => {
        const now = news.luns[key];
        return now?.lun !== old.lun || now.volume !== old.volume;
      })
      .map(([key]) => key),
  );
  return changes.map((change) => {
    const key = [...moved].find(
      (one) => change.path === `luns.${one}` || change.path.startsWith(`luns.${one}.`),
    );
    return key === undefined ? change : { ...change, replace: true };
  });
}

function doubleLuns(args: Partial<Inputs>): { path: string; message: string; remedy: string }[] {
  const owner = new Map<number, string>();
  return Object.entries(args.luns ?? {}).flatMap(([key, one]) => {
    // A volume that is not known yet leaves its whole entry partial.
    const lun = (one as Partial<Inputs["luns"][string]>).lun;
    if (lun === undefined) return [];
    const other = owner.get(lun);
    owner.set(lun, key);
    if (other === undefined) return [];
    return [
      {
        path: `luns.${key}.lun`,
        message: `LUN ${lun.toString()} is also that of ${other}`,
        remedy: "give each volume of the group a number of its own",
      },
    ];
  });
}
