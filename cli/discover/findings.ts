import type { BedId } from "../../bed/identities";
import type {
  ArrayFacts,
  BlockArray,
  PhysicalPort,
  PoolInfo,
} from "../../provider/devices/block-array";
import { isPortLister } from "../../provider/devices/block-array";
import type { DeviceCall } from "../../provider/devices/call";
import type { FabricFacts, FabricLogin, FabricSwitch } from "../../provider/devices/fabric-switch";
import type {
  HostAdapter,
  HostDevice,
  HostInfo,
  HostStorage,
} from "../../provider/devices/host-storage";
import type { OpenDevices } from "../../provider/devices/registry";
import { isVirtualSurveyor, type VirtualSurvey } from "../../provider/devices/virtual-survey";
import { printable } from "../errors";
import type { Seed } from "./seed";

interface FoundFabric {
  readonly facts: FabricFacts;
  readonly logins: readonly FabricLogin[];
  /** Name of the zone configuration in force. */
  readonly effective: string | undefined;
}

interface FoundArray {
  readonly facts: ArrayFacts;
  readonly pools: readonly PoolInfo[];
  /** Undefined: this family does not tell. */
  readonly ports: readonly PhysicalPort[] | undefined;
  /** Tenants that belong to no bed. */
  readonly tenants: readonly string[];
  /** Host entries and groups, without those of the bed that is left out. */
  readonly hostEntries: readonly string[];
}

interface FoundHost {
  readonly info: HostInfo;
  readonly adapters: readonly HostAdapter[];
  readonly devices: readonly HostDevice[];
}

/** What the devices told, and what they did not. */
export interface Findings {
  readonly fabrics: Readonly<Record<"A" | "B", FoundFabric | undefined>>;
  readonly array: FoundArray | undefined;
  readonly hosts: readonly FoundHost[];
  readonly survey: VirtualSurvey | undefined;
  /** The bed whose own objects do not count as taken, and its volumes as hosts call them. */
  readonly own: BedId | undefined;
  readonly ownDevices: ReadonlySet<string>;
  /** Questions that got no answer, in words for a person. */
  readonly unanswered: readonly string[];
}

/**
 * Asks every device, all at the same time; one that does not answer does not stop the others. Reads
 * only. `own`: the bed whose objects are not to count as taken.
 */
export async function ask(
  devices: OpenDevices,
  seed: Seed,
  call: DeviceCall,
  own: BedId | undefined,
): Promise<Findings> {
  const unanswered: string[] = [];
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      unanswered.push(`${what}: ${printable(error)}`);
      return undefined;
    }
  };
  const array = devices.arrays.get(seed.array);
  const hosts = devices.hypervisors.get(seed.hypervisor);
  const [A, B, foundArray, foundHosts, survey, ownDevices] = await Promise.all([
    attempt("fabric A", () => askFabric(devices.fabrics.get(seed.fabrics.A), call)),
    attempt("fabric B", () => askFabric(devices.fabrics.get(seed.fabrics.B), call)),
    attempt("array", () => askArray(array, call, own)),
    attempt("hosts", () => askHosts(hosts, call, attempt)),
    attempt("vCenter", () => askSurvey(hosts, call)),
    attempt("the bed's own volumes", async () =>
      own === undefined || array === undefined ? [] : await array.markedDevices(call, own),
    ),
  ]);
  return {
    fabrics: { A, B },
    array: foundArray,
    hosts: foundHosts ?? [],
    survey,
    own,
    ownDevices: new Set(ownDevices),
    unanswered,
  };
}

async function askFabric(
  fabric: FabricSwitch | undefined,
  call: DeviceCall,
): Promise<FoundFabric | undefined> {
  if (fabric === undefined) return undefined;
  // One after the other: a switch has few sessions, and the first call opens ours.
  const facts = await fabric.facts(call);
  const logins = await fabric.logins(call);
  return { facts, logins, effective: (await fabric.zoning(call)).effective?.name };
}

/** Classes of an array's inventory under which hosts are known to it. */
const hostClasses: ReadonlySet<string> = new Set(["host", "hostGroup", "subsystem"]);

async function askArray(
  array: BlockArray | undefined,
  call: DeviceCall,
  own: BedId | undefined,
): Promise<FoundArray | undefined> {
  if (array === undefined) return undefined;
  const [facts, pools, ports, inventory] = await Promise.all([
    array.facts(call),
    array.pools(call),
    isPortLister(array) ? array.physicalPorts(call) : undefined,
    array.inventory(call),
  ]);
  return {
    facts,
    pools: pools.filter((pool) => pool.bedId === undefined),
    ports,
    tenants: inventory
      .filter((one) => one.class === "tenant" && one.bedId === undefined)
      .map((one) => one.name),
    hostEntries: inventory
      .filter((one) => hostClasses.has(one.class) && (own === undefined || one.bedId !== own))
      .map((one) => one.name),
  };
}

async function askHosts(
  hosts: HostStorage | undefined,
  call: DeviceCall,
  attempt: <T>(what: string, work: () => Promise<T>) => Promise<T | undefined>,
): Promise<FoundHost[]> {
  if (hosts === undefined) return [];
  const found = await Promise.all(
    (await hosts.hosts(call)).map((info) =>
      attempt(`host ${info.name}`, async () => ({
        info,
        adapters: await hosts.adapters(call, info.name),
        devices: await hosts.devices(call, info.name, undefined, { queueDepths: false }),
      })),
    ),
  );
  return found.filter((host) => host !== undefined);
}

async function askSurvey(
  hosts: HostStorage | undefined,
  call: DeviceCall,
): Promise<VirtualSurvey | undefined> {
  return hosts !== undefined && isVirtualSurveyor(hosts) ? await hosts.survey(call) : undefined;
}
