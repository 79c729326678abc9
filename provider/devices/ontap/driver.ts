import type { BedId, DeviceName } from "../../../bed/identities";
import type {
  ArrayFacts,
  ArrayHosts,
  ArrayMaps,
  ArrayTargets,
  ArrayVolumes,
  BlockArray,
  NvmeArray,
  PoolBuilder,
  PhysicalPort,
  PoolInfo,
  PortLister,
  Scope,
} from "../block-array";
import type { ArrayEvidence } from "../array-evidence";
import type { ArraySurvey, SurveyedCopy } from "../array-survey";
import { deviceIdentity } from "../call";
import type { DeviceCall, InventoryObject } from "../call";
import type { ArrayRemains, ArraySweeper } from "../sweep";
import { ClusterPictures } from "./cluster-picture";
import type { OntapConnection } from "./connect";
import type { OntapGateway } from "./gateway";
import { OntapHosts } from "./ontap-hosts";
import type { OntapLine } from "./line";
import { inventoryOf, type ClusterContent } from "./ontap-inventory";
import { lunMaps, namespaceMaps, OntapMaps } from "./ontap-maps";
import { OntapPools } from "./ontap-pools";
import { toPhysicalPort } from "./ontap-ports";
import { surveyOf } from "./ontap-survey";
import { markedDevices, remainsOf, sweepArray } from "./ontap-sweep";
import { OntapTargets } from "./ontap-targets";
import { OntapVolumes } from "./ontap-volumes";
import { nvmeSide, scsiSide, sidesOf, type Side } from "./side";
import { findVolumes } from "./find-volumes";

/** What one cluster is worked with, once it is known how to talk to it. */
interface Parts {
  readonly ontap: OntapGateway;
  readonly targets: OntapTargets;
  readonly pools: OntapPools;
  readonly scsi: SideParts<ArrayMaps>;
}

interface SideParts<Maps> {
  readonly hosts: ArrayHosts;
  readonly volumes: ArrayVolumes;
  readonly maps: Maps;
}

/** An ONTAP cluster (AFF, FAS, unified): REST from 9.8 on, ONTAPI before. */
export class OntapArray implements BlockArray, PoolBuilder, PortLister, ArraySweeper {
  readonly device: string;
  readonly targets: ArrayTargets;
  readonly hosts: ArrayHosts;
  readonly volumes: ArrayVolumes;
  readonly maps: ArrayMaps;
  readonly nvme: NvmeArray;
  readonly evidence: ArrayEvidence;
  readonly #connection: OntapConnection;
  readonly #close: () => Promise<void>;
  readonly #pictures: ClusterPictures;
  #parts: Parts | undefined;
  #nvme: NvmeArray | undefined;

  constructor(connection: OntapConnection, line: OntapLine, close: () => Promise<void>) {
    this.device = connection.device;
    this.#pictures = new ClusterPictures(line);
    this.#connection = connection;
    this.#close = close;
    this.targets = {
      list: async (call, scope) => (await this.#open(call)).targets.list(call, scope),
      ensure: async (call, spec) => (await this.#open(call)).targets.ensure(call, spec),
      remove: async (call, scope) => (await this.#open(call)).targets.remove(call, scope),
    };
    const scsi = async (call: DeviceCall): Promise<Parts["scsi"]> => (await this.#open(call)).scsi;
    this.hosts = hostsOf(async (call) => (await scsi(call)).hosts);
    this.volumes = volumesOf(async (call) => (await scsi(call)).volumes);
    this.maps = mapsOf(async (call) => (await scsi(call)).maps);
    const evidence = async (call: DeviceCall): Promise<ArrayEvidence> =>
      (await this.#open(call)).ontap.evidence;
    this.evidence = {
      details: async (call, scope) => (await evidence(call)).details(call, scope),
      counters: async (call, scope) => (await evidence(call)).counters(call, scope),
      events: async (call, since) => (await evidence(call)).events(call, since),
    };
    const nvme = (call: DeviceCall): Promise<NvmeArray> => this.#openNvme(call);
    this.nvme = {
      hosts: hostsOf(async (call) => (await nvme(call)).hosts),
      volumes: volumesOf(async (call) => (await nvme(call)).volumes),
      maps: mapsOf(async (call) => (await nvme(call)).maps),
    };
  }

  async facts(call: DeviceCall): Promise<ArrayFacts> {
    const { facts } = (await this.#open(call)).ontap;
    const [nodes, licences] = await Promise.all([facts.nodes(call), facts.licences(call)]);
    return {
      vendor: "NetApp",
      model: nodes[0]?.model ?? "unknown",
      name: facts.cluster.name,
      software: facts.software,
      controllers: nodes.map(({ name, state }) => ({ name, state })),
      licences,
    };
  }

  async pools(call: DeviceCall): Promise<readonly PoolInfo[]> {
    return await (await this.#open(call)).pools.list(call);
  }

  async physicalPorts(call: DeviceCall): Promise<readonly PhysicalPort[]> {
    const ports = await (await this.#open(call)).ontap.facts.ports(call);
    return ports.map((port) => toPhysicalPort(this.device, port));
  }

  async ensurePool(
    call: DeviceCall,
    scope: Scope,
    spec: Parameters<PoolBuilder["ensurePool"]>[2],
  ): Promise<PoolInfo> {
    return await (await this.#open(call)).pools.ensure(call, scope, spec);
  }

  async removePool(call: DeviceCall, scope: Scope, name: string): Promise<void> {
    await (await this.#open(call)).pools.remove(call, scope, name);
  }

  async survey(call: DeviceCall): Promise<ArraySurvey> {
    return surveyOf((await this.#picture(call)).content);
  }

  async copies(
    call: DeviceCall,
    volumes: readonly { readonly tenant: string; readonly name: string }[],
  ): Promise<readonly SurveyedCopy[]> {
    const { ontap } = await this.#open(call);
    const tenants = [...new Set(volumes.map(({ tenant }) => tenant))];
    const found = await Promise.all(
      tenants.map(async (svm) => {
        const names = volumes.filter(({ tenant }) => tenant === svm).map(({ name }) => name);
        const there = await findVolumes(ontap, call, { svm, volumes: names }, sidesOf(ontap));
        // Of one that is not online nothing can be seen; it is looked at again before it is removed.
        const online = [...there.values()].filter(
          ({ flexVol }) => (flexVol.state ?? "online") === "online",
        );
        const copies = await ontap.flexVols.dependents(call, online);
        return copies.map(({ volume, what }) => ({ tenant: svm, volume, what }));
      }),
    );
    return found.flat();
  }

  async inventory(call: DeviceCall): Promise<readonly InventoryObject[]> {
    const { ontap, content } = await this.#picture(call);
    return [deviceIdentity(ontap.facts.cluster.uuid), ...inventoryOf(content)];
  }

  async markedDevices(call: DeviceCall, bedId: BedId): Promise<readonly DeviceName[]> {
    return markedDevices((await this.#picture(call)).content, bedId);
  }

  async remains(call: DeviceCall, bedId: BedId): Promise<ArrayRemains> {
    return remainsOf((await this.#picture(call)).content, bedId);
  }

  async sweep(call: DeviceCall, bedId: BedId): Promise<readonly string[]> {
    return await sweepArray((await this.#picture(call)).content, this, call, bedId);
  }

  async close(): Promise<void> {
    await this.#close();
  }

  async #picture(
    call: DeviceCall,
  ): Promise<{ readonly ontap: OntapGateway; readonly content: ClusterContent }> {
    const { ontap } = await this.#open(call);
    return { ontap, content: await this.#pictures.take(ontap, call) };
  }

  async #open(call: DeviceCall): Promise<Parts> {
    const ontap = await this.#connection.gateway(call);
    this.#parts ??= {
      ontap,
      targets: new OntapTargets(ontap),
      pools: new OntapPools(ontap),
      scsi: partsOf(ontap, scsiSide(ontap), lunMaps),
    };
    return this.#parts;
  }

  async #openNvme(call: DeviceCall): Promise<NvmeArray> {
    const { ontap } = await this.#open(call);
    this.#nvme ??= partsOf(ontap, nvmeSide(ontap), namespaceMaps);
    return this.#nvme;
  }
}

function partsOf<Maps>(
  ontap: OntapGateway,
  side: Side,
  mapsAs: (maps: OntapMaps) => Maps,
): SideParts<Maps> {
  const hosts = new OntapHosts(ontap, side);
  return {
    hosts,
    volumes: new OntapVolumes(ontap, side),
    maps: mapsAs(new OntapMaps(ontap, side, hosts)),
  };
}

/** The contract's parts before it is known how to talk to the array. */
function hostsOf(part: (call: DeviceCall) => Promise<ArrayHosts>): ArrayHosts {
  return {
    get: async (call, ...rest) => (await part(call)).get(call, ...rest),
    ensureGroup: async (call, ...rest) => (await part(call)).ensureGroup(call, ...rest),
    removeGroup: async (call, ...rest) => (await part(call)).removeGroup(call, ...rest),
    ensureHosts: async (call, ...rest) => (await part(call)).ensureHosts(call, ...rest),
    removeHosts: async (call, ...rest) => (await part(call)).removeHosts(call, ...rest),
  };
}

function volumesOf(part: (call: DeviceCall) => Promise<ArrayVolumes>): ArrayVolumes {
  return {
    list: async (call, ...rest) => (await part(call)).list(call, ...rest),
    ensure: async (call, ...rest) => (await part(call)).ensure(call, ...rest),
    examine: async (call, ...rest) => (await part(call)).examine(call, ...rest),
    remove: async (call, ...rest) => (await part(call)).remove(call, ...rest),
  };
}

/** Both kinds of maps have the same methods. */
function mapsOf<Map, Present extends Map>(
  part: (call: DeviceCall) => Promise<MapsOf<Map, Present>>,
): MapsOf<Map, Present> {
  return {
    list: async (call, ...rest) => (await part(call)).list(call, ...rest),
    ensure: async (call, ...rest) => (await part(call)).ensure(call, ...rest),
    remove: async (call, ...rest) => (await part(call)).remove(call, ...rest),
  };
}

interface MapsOf<Map, Present extends Map> {
  list(call: DeviceCall, scope: Scope, group: string): Promise<readonly Present[]>;
  ensure(call: DeviceCall, scope: Scope, maps: readonly Map[]): Promise<void>;
  remove(call: DeviceCall, scope: Scope, maps: readonly Map[]): Promise<void>;
}
