import { z } from "zod";
import { ConfigError, type Problem } from "../../bed/errors";
import { nvmeSide, type Scope } from "../devices/block-array";
import { resource, type PropertyChange, type ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant."),
  group: z.string().min(1).describe("Host group (subsystem) that the namespaces are mapped to."),
  namespaces: z
    .record(z.string(), z.string().min(1))
    .describe("Names of the volumes on the array, by a stable key."),
  guard: z
    .string()
    .describe("Id of the RescanGuard: it is deleted after the map, and rescans the hosts then."),
});

const state = inputs.extend({
  nsids: z
    .record(z.string(), z.int())
    .describe("Numbers of the namespaces in the subsystem, given by the array, by key."),
  owned: z.array(z.string()).describe("Volumes that were mapped."),
});

type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;
type Call = ResourceCall<BedContext>;

/** Maps NVMe namespaces to a subsystem. */
export const namespaceMap = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:array:NamespaceMap",
  description: "Mapping of a group of NVMe namespaces to a host group (subsystem).",
  inputs,
  state,
  replaceOn: ["device", "target", "group", "guard"],
  replaceOnUnknown: ["namespaces"],
  deleteBeforeReplace: true,
  diff: keepAdopted,
  refuse: leaving,
  async create(call, args) {
    const id = idOf(args);
    const started: State = { ...args, nsids: {}, owned: Object.values(args.namespaces) };
    const nsids = await ensure(call, args, () => {
      call.began(id, started);
    });
    return { id, state: { ...started, nsids } };
  },
  async update(call, id, olds, news) {
    const owned = [...new Set([...olds.owned, ...Object.values(news.namespaces)])];
    const nsids = await ensure(call, news, () => {
      call.began(id, { ...olds, ...news, owned });
    });
    return { ...news, nsids, owned };
  },
  async read(call, id, recorded) {
    const known = recorded ?? importedState(id);
    const present = await mapsOf(call, known);
    const found = keysOf(known).filter(([, volume]) => present.has(volume));
    if (found.length === 0) return undefined;
    const { device, target, group, guard, owned } = known;
    const namespaces = Object.fromEntries(found);
    const read: Inputs = { device, target, group, namespaces, guard };
    return { id, inputs: read, state: { ...read, nsids: numbersOf(namespaces, present), owned } };
  },
  async delete(call, _id, olds) {
    const volumes = [...new Set([...olds.owned, ...Object.values(olds.namespaces)])];
    const maps = volumes.map((volume) => ({ volume, group: olds.group }));
    await nvmeSide(call.context.array(olds.device)).maps.remove(call, scopeOf(call, olds), maps);
  },
});

async function ensure(
  call: Call,
  args: Inputs,
  onWrite: () => void,
): Promise<Record<string, number>> {
  const { maps } = nvmeSide(call.context.array(args.device));
  const wanted = Object.values(args.namespaces).map((volume) => ({ volume, group: args.group }));
  await maps.ensure({ ...call, onWrite }, scopeOf(call, args), wanted);
  return numbersOf(args.namespaces, await mapsOf(call, args));
}

async function mapsOf(
  call: Call,
  args: Pick<Inputs, "device" | "target" | "group">,
): Promise<ReadonlyMap<string, number>> {
  const { maps } = nvmeSide(call.context.array(args.device));
  const present = await maps.list(call, scopeOf(call, args), args.group);
  return new Map(present.map(({ volume, nsid }) => [volume, nsid]));
}

function numbersOf(
  namespaces: Inputs["namespaces"],
  present: ReadonlyMap<string, number>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(namespaces).flatMap(([key, volume]) => {
      const nsid = present.get(volume);
      return nsid === undefined ? [] : [[key, nsid]];
    }),
  );
}

/** A map that an earlier refresh found gone has lost its key; it shows under the volume's name. */
function keysOf(known: State): [string, string][] {
  const named = Object.entries(known.namespaces);
  const seen = new Set(named.map(([, volume]) => volume));
  const lost = known.owned.filter((volume) => !seen.has(volume));
  return [...named, ...lost.map((volume): [string, string] => [volume, volume])];
}

function idOf(args: Inputs): string {
  const [first = ""] = Object.values(args.namespaces);
  return [args.device, args.target, args.group, first].join("/");
}

/**
 * Import id: `<device>/<target>/<group>/<volume>,<volume>...`; the keys are then the volumes' names. The
 * group may hold maps of others: only what the id names is ever unmapped.
 * @throws {ConfigError} when it names none.
 */
function importedState(id: string): State {
  const [device = "", target = "", group = "", list = ""] = id.split("/");
  const owned = list.split(",").filter((name) => name !== "");
  if (owned.length === 0) {
    const message = `"${id}" names no volumes`;
    const remedy = "import with the id <device>/<target>/<group>/<volume>,<volume>...";
    throw new ConfigError([{ path: "id", message, remedy }]);
  }
  return { device, target, group, namespaces: {}, guard: "", nsids: {}, owned };
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
 * A namespace is added in place. One that leaves would be unmapped under its datastore: refused while the
 * group is the same one. A new volume group brings a new guard, and with it all maps are made anew. Pure.
 */
function leaving(olds: State, news: Inputs): Problem[] {
  const staying = new Set(Object.values(news.namespaces));
  return Object.entries(olds.namespaces).flatMap(([key, volume]): Problem[] => {
    if (staying.has(volume)) return [];
    const message = `${volume} is mapped, and the program does not name it any more`;
    const remedy =
      "keep it, or raise `generation` of the volume group to have it made anew, without its data";
    return [{ path: `namespaces.${key}`, message, remedy }];
  });
}
