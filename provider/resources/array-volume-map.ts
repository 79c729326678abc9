import { z } from "zod";
import { ConfigError, type Problem } from "../../bed/errors";
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
  replaceOnUnknown: ["luns"],
  deleteBeforeReplace: true,
  check: doubleLuns,
  diff: keepAdopted,
  refuse: (olds, news) => movedLuns(olds.luns, news.luns),
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
    for (const [key, volume] of keysOf(known)) {
      const map = present.find((one) => one.volume === volume);
      if (map !== undefined) luns[key] = { volume: map.volume, lun: map.lun };
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

function idOf(args: Inputs): string {
  return [args.device, args.target, args.group, volumesOf(args)[0] ?? ""].join("/");
}

/**
 * Import id: `<device>/<target>/<group>/<volume>,<volume>...`; the keys are then the volumes' names. The
 * group may hold maps of others: only what the id names is ever unmapped.
 * @throws {ConfigError} when it names no volume.
 */
function importedState(id: string): State {
  const [device = "", target = "", group = "", list = ""] = id.split("/");
  const owned = list.split(",").filter((volume) => volume !== "");
  if (owned.length === 0) {
    const message = `"${id}" names no volumes`;
    const remedy = "import with the id <device>/<target>/<group>/<volume>,<volume>...";
    throw new ConfigError([{ path: "id", message, remedy }]);
  }
  return { device, target, group, luns: {}, guard: "", owned };
}

function scopeOf(call: Call, args: { readonly target: string }): Scope {
  return { bedId: call.context.bedId, target: args.target };
}

/** An imported map knows no guard: getting one is no reason to unmap it. */
function keepAdopted(changes: readonly PropertyChange[], olds: State): readonly PropertyChange[] {
  const adopted = olds.guard === "" && olds.owned.length > 0;
  return changes.map((change) =>
    adopted && change.path === "guard" ? { ...change, replace: false } : change,
  );
}

/**
 * A map is added in place. Another number or volume means to unmap: that takes datastores and machines
 * along, so it is refused while the group is the same one, whether the program moved it or somebody on
 * the array did. A new volume group brings a new guard, and with it all maps are made anew. Pure.
 */
function movedLuns(olds: Inputs["luns"], news: Inputs["luns"]): Problem[] {
  const anew = "or raise `generation` of the volume group to have it made anew, without its data";
  return Object.entries(olds).flatMap(([key, old]) => {
    // By volume: what a refresh or an import found has the volume's name for a key.
    const now = Object.values(news).find((one) => one.volume === old.volume) ?? news[key];
    if (now?.lun === old.lun && now.volume === old.volume) return [];
    const wanted =
      now === undefined ? "not mapped at all" : `${now.volume} as LUN ${now.lun.toString()}`;
    return [
      {
        path: `luns.${key}`,
        message: `${old.volume} is mapped as LUN ${old.lun.toString()}, the program wants ${wanted}`,
        remedy: `keep that number in the program, map it back on the array if somebody moved it, ${anew}`,
      },
    ];
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
