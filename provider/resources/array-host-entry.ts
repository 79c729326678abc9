import { z } from "zod";
import { ConfigError, type Problem } from "../../bed/errors";
import { parseNqn } from "../../bed/identities";
import type { HostInitiators, Initiator } from "../devices/block-array";
import type { DeviceCall } from "../devices/call";
import { GroupCommit } from "../kit/group-commit";
import { resource, type PropertyChange, type ResourceCall } from "../kit/handler";
import {
  canonicalInitiators,
  hostsOf,
  initiatorSchema,
  parseInitiator,
  protocolSchema,
} from "./array-protocol";
import type { BedContext } from "./context";
import { refuseOthersNqn } from "./host-nvme-name";
import { readHostGroup } from "./shared-read";

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant."),
  group: z.string().min(1).describe("Host group that the host belongs to."),
  host: z.string().min(1).describe("Name of the host."),
  protocol: protocolSchema,
  initiators: z
    .array(initiatorSchema)
    .min(1)
    .describe("WWPNs of all ports of the host; with `nvme-fc` its NQN."),
});

const state = inputs.extend({
  owned: z.array(z.string()).describe("Initiators that were added for this host."),
});

type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;

interface EntryRequest {
  readonly kind: "add" | "remove";
  readonly place: Pick<Inputs, "device" | "target" | "group" | "protocol">;
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
  replaceOn: ["device", "target", "group", "host", "protocol"],
  deleteBeforeReplace: true,
  check: refuseOthersProtocol,
  diff: dropOrder,
  refuse: leaving,
  async create(call, args) {
    const id = idOf(args);
    const owned = canonicalInitiators(args.initiators);
    await refuseWrongName(call, args, owned);
    await submit(call, "add", args, owned, () => {
      call.began(id, { ...args, owned });
    });
    return { id, state: { ...args, owned } };
  },
  async update(call, id, olds, news) {
    const wanted = canonicalInitiators(news.initiators);
    const both = canonicalInitiators([...olds.owned, ...wanted]);
    await refuseWrongName(call, news, wanted);
    const onWrite = (): void => {
      call.began(id, { ...olds, ...news, owned: both });
    };
    await submit(call, "add", news, wanted, onWrite);
    return { ...news, owned: both };
  },
  async read(call, id, recorded) {
    const known = recorded ?? importedState(id);
    const { device, target, group, protocol } = known;
    const found = await readHostGroup(call, { device, target, group, protocol });
    const present = new Set<string>(found?.initiators ?? []);
    const wanted = [...known.initiators, ...known.owned];
    const spelling = new Map(known.initiators.map((text) => [parseInitiator(text), text]));
    const seen = canonicalInitiators(wanted).filter((wwpn) => present.has(wwpn));
    if (seen.length === 0) return undefined;
    const read: Inputs = {
      device,
      target,
      group,
      host: known.host,
      ...(protocol === undefined ? {} : { protocol }),
      initiators: ordered(
        known.initiators,
        seen.map((wwpn) => spelling.get(wwpn) ?? wwpn),
      ),
    };
    return { id: idOf(read), inputs: read, state: { ...read, owned: recorded?.owned ?? seen } };
  },
  async delete(call, _id, olds) {
    await submit(call, "remove", olds, canonicalInitiators(olds.owned), () => undefined);
  },
});

async function refuseWrongName(
  call: ResourceCall<BedContext>,
  { host, protocol }: Inputs,
  initiators: readonly Initiator[],
): Promise<void> {
  if (protocol !== "nvme-fc") return;
  await refuseOthersNqn(call, { host, nqns: initiators.flatMap((one) => parseNqn(one) ?? []) });
}

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
  const initiators = canonicalInitiators(list.split(","));
  // Hosts of a subsystem have NQNs, those of other groups WWPNs.
  const nvme = initiators.some((one) => one.startsWith("nqn."));
  if (initiators.length === 0) {
    const message = `"${id}" names no initiators`;
    const remedy =
      "import with the id <device>/<target>/<group>/<host>/<wwpn>,<wwpn>..., or the NQN over NVMe";
    throw new ConfigError([{ path: "id", message, remedy }]);
  }
  const protocol = nvme ? ({ protocol: "nvme-fc" } as const) : {};
  return { device, target, group, host, ...protocol, initiators, owned: [] };
}

async function submit(
  call: ResourceCall<BedContext>,
  kind: EntryRequest["kind"],
  args: Omit<Inputs, "initiators">,
  initiators: readonly Initiator[],
  onWrite: () => void,
): Promise<void> {
  const { context, signal, deadline } = call;
  const queue = queues.get(context) ?? newQueue(context);
  const { device, target, group, protocol } = args;
  const place = { device, target, group, protocol };
  await queue.run(
    [kind, device, target, group, protocol ?? "fcp"].join("/"),
    { kind, place, host: { name: args.host, initiators }, onWrite },
    { signal, deadline, leftBehind: onWrite },
  );
}

function newQueue(context: BedContext): GroupCommit<EntryRequest, undefined> {
  const queue = new GroupCommit<EntryRequest, undefined>(
    async ({ items, signal }) => {
      const [first] = items;
      if (first === undefined) return [];
      const { device, target, group, protocol } = first.place;
      const call: DeviceCall = {
        signal,
        onWrite: () => {
          for (const item of items) item.onWrite();
        },
      };
      const hosts = hostsOf(context.array(device), protocol);
      const scope = { bedId: context.bedId, target };
      const members = items.map((item) => item.host);
      if (first.kind === "add") await hosts.ensureHosts(call, scope, group, members);
      else await hosts.removeHosts(call, scope, group, members);
      return items.map(() => ({ ok: true, value: undefined }));
    },
    { windowMs: context.gatherMs },
  );
  queues.set(context, queue);
  return queue;
}

/** A WWPN is none of NVMe and an NQN none of SCSI: the array would only say that it is malformed. */
function refuseOthersProtocol({ initiators, protocol = "fcp" }: Partial<Inputs>): Problem[] {
  return (initiators ?? []).flatMap((text, index) => {
    if (text.startsWith("nqn.") === (protocol === "nvme-fc")) return [];
    const message = `"${text}" is no initiator of ${protocol}`;
    const remedy = protocol === "fcp" ? "give WWPNs" : "give the host's NQN";
    return [{ path: `initiators[${index.toString()}]`, message, remedy }];
  });
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
  const now = canonicalInitiators(news.initiators);
  const gone = canonicalInitiators(olds.initiators).filter((wwpn) => !now.includes(wwpn));
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
  const was = new Set(canonicalInitiators(olds.initiators));
  const now = canonicalInitiators(news.initiators);
  const same = was.size === now.length && now.every((one) => was.has(one));
  return same ? changes.filter((change) => !change.path.startsWith("initiators")) : changes;
}
