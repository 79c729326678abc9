import path from "node:path";
import type { BedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import type { Site } from "../../bed/site";
import { type ArraySurvey, isArraySurveyor } from "../../provider/devices/array-survey";
import type { DeviceCall } from "../../provider/devices/call";
import type { ZoningState } from "../../provider/devices/fabric-switch";
import type {
  HostAdapter,
  HostDevice,
  HostInfo,
  HostStorage,
} from "../../provider/devices/host-storage";
import type { OpenDevices } from "../../provider/devices/registry";
import { type StorageUse, tellsStorageUse } from "../../provider/devices/storage-use";
import { readAnyLedger } from "../../provider/resources/ledger";
import { printable } from "../errors";

export interface FoundHost {
  /** The vCenter that knows it. */
  readonly device: string;
  readonly info: HostInfo;
  /** Undefined: the host was not read. */
  readonly storage:
    | { readonly adapters: readonly HostAdapter[]; readonly devices: readonly HostDevice[] }
    | undefined;
}

/** What the devices told, whoever it belongs to. */
export interface Findings {
  readonly arrays: readonly { readonly device: string; readonly survey: ArraySurvey }[];
  readonly fabrics: readonly { readonly device: string; readonly zoning: ZoningState }[];
  readonly hosts: readonly FoundHost[];
  readonly uses: readonly { readonly device: string; readonly use: StorageUse }[];
  /** Port names of hosts by host, as the site says: for hosts that cannot be asked. */
  readonly ports: ReadonlyMap<string, readonly string[]>;
  /** `<switch>/<zone>` of the zones that a bed has noted as made by it. */
  readonly notedZones: ReadonlyMap<BedId, ReadonlySet<string>>;
  /** Questions that got no answer, in words for a person. */
  readonly unanswered: readonly string[];
}

type Attempt = <T>(what: string, work: () => Promise<T>) => Promise<T | undefined>;

/** Asks every device, all at the same time; one that does not answer does not stop the others. Reads only. */
export async function ask(devices: OpenDevices, site: Site, call: DeviceCall): Promise<Findings> {
  const unanswered: string[] = [];
  const attempt: Attempt = async (what, work) => {
    try {
      return await work();
    } catch (error) {
      unanswered.push(`${what}: ${printable(error)}`);
      return undefined;
    }
  };
  const [arrays, fabrics, hosts, uses] = await Promise.all([
    each(devices.arrays, (device, array) =>
      attempt(device, async () => {
        if (!isArraySurveyor(array))
          throw new Error("its driver does not tell what is mapped to whom");
        return { device, survey: await array.survey(call) };
      }),
    ),
    each(devices.fabrics, (device, fabric) =>
      attempt(device, async () => ({ device, zoning: await fabric.zoning(call) })),
    ),
    each(devices.hypervisors, (device, storage) =>
      attempt(device, () => askHosts(device, storage, call, attempt)),
    ),
    each(devices.hypervisors, (device, storage) =>
      attempt(`${device}, who uses which datastore`, async () => {
        if (!tellsStorageUse(storage)) throw new Error("its driver does not tell");
        return { device, use: await storage.storageUse(call) };
      }),
    ),
  ]);
  return {
    arrays,
    fabrics,
    hosts: hosts.flat(),
    uses,
    ports: new Map(site.hosts.map(({ name, hbas }) => [name, hbas.map((hba) => hba.wwpn)])),
    notedZones: notedZones(fabrics.map(({ zoning }) => zoning)),
    unanswered,
  };
}

async function each<T, R>(
  devices: ReadonlyMap<string, T>,
  work: (name: string, device: T) => Promise<R | undefined>,
): Promise<R[]> {
  const found = await Promise.all([...devices].map(([name, device]) => work(name, device)));
  return found.filter((one) => one !== undefined);
}

/** A host that is not connected is told as such: nobody knows what it holds. */
async function askHosts(
  device: string,
  storage: HostStorage,
  call: DeviceCall,
  attempt: Attempt,
): Promise<FoundHost[]> {
  const read = async (host: string): Promise<FoundHost["storage"]> => {
    const adapters = await storage.adapters(call, host);
    return {
      adapters,
      devices: await storage.devices(call, host, undefined, { queueDepths: false }),
    };
  };
  return await Promise.all(
    (await storage.hosts(call)).map(async (info) => ({
      device,
      info,
      storage: info.connected
        ? await attempt(`host ${info.name}`, () => read(info.name))
        : undefined,
    })),
  );
}

/** Zones carry no mark: only the bed's own ledger tells those that it made. */
function notedZones(states: readonly ZoningState[]): Findings["notedZones"] {
  const beds = new Set(
    states.flatMap(({ aliases }) => [...aliases.keys()].flatMap((n) => bedOfName(n) ?? [])),
  );
  return new Map(
    [...beds].map((bed) => {
      const entries = readAnyLedger(path.resolve(".sanbed", "beds", bed));
      const zones = entries.filter((entry) => entry.class === "zone");
      return [bed, new Set(zones.map(({ device, name }) => `${device}/${name}`))];
    }),
  );
}

/** Files by `<vCenter>/<datastore id>`. */
export type StrayFiles = ReadonlyMap<string, readonly string[]>;

/** Looks through datastores for files that belong to no machine. Reads only. */
export async function askFiles(
  devices: OpenDevices,
  datastores: readonly { readonly device: string; readonly id: string; readonly name: string }[],
  call: DeviceCall,
): Promise<{ readonly files: StrayFiles; readonly unanswered: readonly string[] }> {
  const files = new Map<string, readonly string[]>();
  const unanswered: string[] = [];
  await Promise.all(
    datastores.map(async ({ device, id, name }) => {
      const storage = devices.hypervisors.get(device);
      if (storage === undefined || !tellsStorageUse(storage)) return;
      try {
        files.set(`${device}/${id}`, await storage.strayFiles(call, id));
      } catch (error) {
        unanswered.push(`files on datastore ${name}: ${printable(error)}`);
      }
    }),
  );
  return { files, unanswered };
}
