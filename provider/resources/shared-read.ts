import type { HostGroupInfo } from "../devices/block-array";
import type { DeviceCall } from "../devices/call";
import type { DataProtocol } from "../devices/data-protocol";
import type { ZoningState } from "../devices/fabric-switch";
import { GroupCommit } from "../kit/group-commit";
import type { HostInfo } from "../devices/host-storage";
import type { ResourceCall } from "../kit/handler";
import { hostsOf } from "./array-protocol";
import type { BedContext } from "./context";

type SharedRead<Args, T> = (call: ResourceCall<BedContext>, args: Args) => Promise<T>;

/**
 * A read that many resources need at the same time, as in a refresh: those that ask for the same within
 * one moment share an answer. Nobody gets the answer to a request that was sent before it asked.
 */
function sharedRead<Args, T>(
  read: (context: BedContext, args: Args, call: DeviceCall) => Promise<T>,
): SharedRead<Args, T> {
  const queues = new WeakMap<BedContext, GroupCommit<Args, T>>();
  const newQueue = (context: BedContext): GroupCommit<Args, T> => {
    const queue = new GroupCommit<Args, T>(
      async ({ items, signal }) => {
        const [args] = items;
        if (args === undefined) return [];
        const value = await read(context, args, { signal });
        return items.map(() => ({ ok: true, value }));
      },
      { windowMs: context.gatherMs },
    );
    queues.set(context, queue);
    return queue;
  };
  return ({ context, signal, deadline }, args) =>
    (queues.get(context) ?? newQueue(context)).run(JSON.stringify(args), args, {
      signal,
      deadline,
    });
}

/** Hosts of one hypervisor, which every host's entry asks for. */
export const readHosts: SharedRead<string, readonly HostInfo[]> = sharedRead(
  (context, device, call) => context.hosts(device).hosts(call),
);

/** The zoning database of one switch, which every host of the bed is in. */
export const readZoning: SharedRead<string, ZoningState> = sharedRead((context, device, call) =>
  context.fabric(device).zoning(call),
);

/** One host group of an array, which every entry of it is read from. */
export const readHostGroup: SharedRead<
  {
    readonly device: string;
    readonly target: string;
    readonly group: string;
    readonly protocol?: DataProtocol | undefined;
  },
  HostGroupInfo | undefined
> = sharedRead((context, { device, target, group, protocol }, call) =>
  hostsOf(context.array(device), protocol).get(call, { bedId: context.bedId, target }, group),
);
