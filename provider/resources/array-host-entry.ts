import { z } from "zod";
import { ConfigError, type Problem } from "../../bed/errors";
import { parseWwpn, wwpnSchema, type Wwpn } from "../../bed/identities";
import type { HostInitiators } from "../devices/block-array";
import type { DeviceCall } from "../devices/call";
import { engineWindowMs, GroupCommit } from "../kit/group-commit";
import { resource, type PropertyChange, type ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";
import { canonical } from "./fabric-zone-plan";
import { readHostGroup } from "./shared-read";

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant."),
  group: z.string().min(1).describe("Host group that the host belongs to."),
  host: z.string().min(1).describe("Name of the host."),
  initiators: z.array(wwpnSchema).min(1).describe("WWPNs of all ports of the host."),
});

const state = inputs.extend({
  owned: z.array(z.string()).describe("WWPNs that were added for this host."),
});

type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;

interface EntryRequest {
  readonly kind: "add" | "remove";
  readonly place: Pick<Inputs, "device" | "target" | "group">;
  readonly host: HostInitiators;
  readonly onWrite: () => void;
}

/** One queue per bed: hosts in flight at the same time for one group share one request. */
const queues = new WeakMap<BedContext, GroupCommit<EntryRequest, undefined>>();

/** A host as the array knows it: its initiators, members of a host group. */
export const hostEntry = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:array:HostEntry",
  description: "A host's initiators as members of a host group.",
  inputs,
  state,
  replaceOn: ["device", "target", "group", "host"],
  deleteBeforeReplace: true,
  diff: dropOrder,
  refuse: leaving,
  async create(call, args) {
    const id = idOf(args);
    const owned = canonical(args.initiators);
    await submit(call, "add", args, owned, () => {
      call.began(id, { ...args, owned });
    });
    return { id, state: { ...args, owned } };
  },
  async update(call, id, olds, news) {
    const wanted = canonical(news.initiators);
    const both = canonical([...olds.owned, ...wanted]);
    const onWrite = (): void => {
      call.began(id, { ...olds, ...news, owned: both });
    };
    await submit(call, "add", news, wanted, onWrite);
    return { ...news, owned: both };
  },
  async read(call, id, recorded) {
    const known = recorded ?? importedState(id);
    const { device, target, group } = known;
    const found = await readHostGroup(call, { device, target, group });
    const present = new Set<string>(found?.initiators ?? []);
    const wanted = [...known.initiators, ...known.owned];
    const spelling = new Map(known.initiators.map((text) => [parseWwpn(text), text]));
    const seen = canonical(wanted).filter((wwpn) => present.has(wwpn));
    if (seen.length === 0) return undefined;
    const read: Inputs = {
      device,
      target,
      group,
      host: known.host,
      initiators: ordered(
        known.initiators,
        seen.map((wwpn) => spelling.get(wwpn) ?? wwpn),
      ),
    };
    return { id: idOf(read), inputs: read, state: { ...read, owned: recorded?.owned ?? seen } };
  },
  async delete(call, _id, olds) {
    await submit(call, "remove", olds, canonical(olds.owned), () => undefined);
  },
});

function idOf(args: Inputs): string {
  return `${args.device}/${args.target}/${args.group}/${args.host}`;
}

/**
 * Import id: `<device>/<target>/<group>/<host>/<wwpn>,<wwpn>...`. A group holds other hosts too, and an
 * array without host objects cannot say which initiator is whose: only those that the id names are taken.
 * @throws {ConfigError} when it names none.
 */
function importedState(id: string): State {
  const [device = "", target = "", group = "", host = "", list = ""] = id.split("/");
  const initiators = canonical(list.split(","));
  if (initiators.length === 0) {
    const message = `"${id}" names no initiators`;
    const remedy = "import with the id <device>/<target>/<group>/<host>/<wwpn>,<wwpn>...";
    throw new ConfigError([{ path: "id", message, remedy }]);
  }
  return { device, target, group, host, initiators, owned: [] };
}

async function submit(
  call: ResourceCall<BedContext>,
  kind: EntryRequest["kind"],
  args: Omit<Inputs, "initiators">,
  initiators: readonly Wwpn[],
  onWrite: () => void,
): Promise<void> {
  const { context, signal, deadline } = call;
  const queue = queues.get(context) ?? newQueue(context);
  const place = { device: args.device, target: args.target, group: args.group };
  await queue.run(
    [kind, place.device, place.target, place.group].join("/"),
    { kind, place, host: { name: args.host, initiators }, onWrite },
    { signal, deadline, leftBehind: onWrite },
  );
}

function newQueue(context: BedContext): GroupCommit<EntryRequest, undefined> {
  const queue = new GroupCommit<EntryRequest, undefined>(
    async ({ items, signal }) => {
      const [first] = items;
      if (first === undefined) return [];
      const { device, target, group } = first.place;
      const call: DeviceCall = {
        signal,
        onWrite: () => {
          for (const item of items) item.onWrite();
        },
      };
      const { hosts } = context.array(device);
      const scope = { bedId: context.bedId, target };
      const members = items.map((item) => item.host);
      if (first.kind === "add") await hosts.ensureHosts(call, scope, group, members);
      else await hosts.removeHosts(call, scope, group, members);
      return items.map(() => ({ ok: true, value: undefined }));
    },
    { windowMs: engineWindowMs },
  );
  queues.set(context, queue);
  return queue;
}

/** Keeps the program's order where nothing changed, so that a refresh shows no difference. */
function ordered(recorded: readonly string[], seen: readonly string[]): string[] {
  const kept = recorded.filter((text) => seen.includes(text));
  return [...kept, ...seen.filter((text) => !kept.includes(text))];
}

/**
 * Initiators join in place. One that goes would be taken out of a mapped group under the host's datastores,
 * since updates run before anything lets go of them. Not a replacement either: the datastores of a bed hang
 * on one host's devices and would go with it.
 */
function leaving(olds: State, news: Inputs): readonly Problem[] {
  const now = canonical(news.initiators);
  const gone = canonical(olds.initiators).filter((wwpn) => !now.includes(wwpn));
  if (gone.length === 0) return [];
  const message = `${gone.join(", ")} of host ${news.host} cannot leave group ${news.group} while the host uses its volumes`;
  const remedy =
    "take the host out of the bed and run up, then put it back with its new ports and run up again";
  return [{ path: "initiators", message, remedy }];
}

/** Another order or spelling of the same initiators is no change. */
function dropOrder(
  changes: readonly PropertyChange[],
  olds: State,
  news: Inputs,
): readonly PropertyChange[] {
  const [was, now] = [new Set(canonical(olds.initiators)), canonical(news.initiators)];
  const same = was.size === now.length && now.every((wwpn) => was.has(wwpn));
  return same ? changes.filter((change) => !change.path.startsWith("initiators")) : changes;
}
