import path from "node:path";
import type { BedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import type { Site } from "../../bed/site";
import {
  type ArraySurvey,
  isArraySurveyor,
  type SurveyedCopy,
} from "../../provider/devices/array-survey";
import type { DeviceCall } from "../../provider/devices/call";
import type { ZoningState } from "../../provider/devices/fabric-switch";
import type {
  HostAdapter,
  HostDevice,
  HostInfo,
  HostStorage,
} from "../../provider/devices/host-storage";
import type { OpenDevices } from "../../provider/devices/registry";
import {
  type StorageHolds,
  type StorageUse,
  tellsStorageUse,
} from "../../provider/devices/storage-use";
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

/** What is only asked for objects that came up. */
export interface Details {
  /** Files that belong to no machine, by `<vCenter>/<datastore id>`. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** By vCenter. */
  readonly holds: ReadonlyMap<string, StorageHolds>;
  /** By array. */
  readonly copies: ReadonlyMap<string, readonly SurveyedCopy[]>;
}

export const noDetails: Details = { files: new Map(), holds: new Map(), copies: new Map() };

/** Objects whose details are asked. */
export interface Wanted {
  readonly datastores: readonly {
    readonly device: string;
    readonly id: string;
    readonly name: string;
  }[];
  /** Names of devices on hosts. */
  readonly devices: readonly string[];
  readonly volumes: readonly {
    readonly device: string;
    readonly tenant: string;
    readonly name: string;
  }[];
}

/**
 * Looks through datastores for files that belong to no machine, and for what keeps devices and volumes beside
 * that. Reads only.
 */
export async function askDetails(
  devices: OpenDevices,
  wanted: Wanted,
  call: DeviceCall,
): Promise<Details & { readonly unanswered: readonly string[] }> {
  const unanswered: string[] = [];
  const attempt: Attempt = async (what, work) => {
    try {
      return await work();
    } catch (error) {
      unanswered.push(`${what}: ${printable(error)}`);
      return undefined;
    }
  };
  const files = new Map<string, readonly string[]>();
  const holds = new Map<string, StorageHolds>();
  const copies = new Map<string, readonly SurveyedCopy[]>();
  await Promise.all([
    ...wanted.datastores.map(({ device, id, name }) =>
      attempt(`files on datastore ${name}`, async () => {
        const storage = devices.hypervisors.get(device);
        if (storage === undefined || !tellsStorageUse(storage)) return;
        files.set(`${device}/${id}`, await storage.strayFiles(call, id));
      }),
    ),
    ...[...devices.hypervisors].map(([device, storage]) =>
      attempt(`${device}, what it keeps on datastores`, async () => {
        if (wanted.devices.length === 0 || !tellsStorageUse(storage)) return;
        holds.set(device, await storage.holds(call, wanted.devices));
      }),
    ),
    ...[...devices.arrays].map(([device, array]) =>
      attempt(`${device}, snapshots and clones`, async () => {
        const volumes = wanted.volumes.filter((volume) => volume.device === device);
        if (volumes.length === 0 || !isArraySurveyor(array)) return;
        copies.set(device, await array.copies(call, volumes));
      }),
    ),
  ]);
  return { files, holds, copies, unanswered };
}
