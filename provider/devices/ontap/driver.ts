import type { BedId, Naa } from "../../../bed/identities";
import type {
  ArrayFacts,
  ArrayHosts,
  ArrayMaps,
  ArrayTargets,
  ArrayVolumes,
  BlockArray,
  PoolBuilder,
  PhysicalPort,
  PoolInfo,
  PortLister,
  Scope,
} from "../block-array";
import { deviceIdentity } from "../call";
import type { DeviceCall, InventoryObject } from "../call";
import type { ArrayRemains, ArraySweeper } from "../sweep";
import type { OntapConnection } from "./connect";
import type { OntapGateway } from "./gateway";
import { OntapHosts } from "./ontap-hosts";
import { inventoryOf, readCluster } from "./ontap-inventory";
import { OntapMaps } from "./ontap-maps";
import { OntapPools } from "./ontap-pools";
import { toPhysicalPort } from "./ontap-ports";
import { markedDevices, remainsOf, sweepArray } from "./ontap-sweep";
import { OntapTargets } from "./ontap-targets";
import { OntapVolumes } from "./ontap-volumes";

/** What one cluster is worked with, once it is known how to talk to it. */
interface Parts {
  readonly ontap: OntapGateway;
  readonly targets: OntapTargets;
  readonly hosts: OntapHosts;
  readonly volumes: OntapVolumes;
  readonly maps: OntapMaps;
  readonly pools: OntapPools;
}

/** An ONTAP cluster (AFF, FAS, unified): REST from 9.8 on, ONTAPI before. */
export class OntapArray implements BlockArray, PoolBuilder, PortLister, ArraySweeper {
  readonly device: string;
  readonly targets: ArrayTargets;
  readonly hosts: ArrayHosts;
  readonly volumes: ArrayVolumes;
  readonly maps: ArrayMaps;
  readonly #connection: OntapConnection;
  readonly #close: () => Promise<void>;
  #parts: Parts | undefined;

  constructor(connection: OntapConnection, close: () => Promise<void>) {
    this.device = connection.device;
    this.#connection = connection;
    this.#close = close;
    const parts = (call: DeviceCall): Promise<Parts> => this.#open(call);
    this.targets = {
      list: async (call, scope) => (await parts(call)).targets.list(call, scope),
      ensure: async (call, spec) => (await parts(call)).targets.ensure(call, spec),
      remove: async (call, scope) => (await parts(call)).targets.remove(call, scope),
    };
    this.hosts = {
      get: async (call, ...rest) => (await parts(call)).hosts.get(call, ...rest),
      ensureGroup: async (call, ...rest) => (await parts(call)).hosts.ensureGroup(call, ...rest),
      removeGroup: async (call, ...rest) => (await parts(call)).hosts.removeGroup(call, ...rest),
      ensureHosts: async (call, ...rest) => (await parts(call)).hosts.ensureHosts(call, ...rest),
      removeHosts: async (call, ...rest) => (await parts(call)).hosts.removeHosts(call, ...rest),
    };
    this.volumes = {
      list: async (call, ...rest) => (await parts(call)).volumes.list(call, ...rest),
      ensure: async (call, ...rest) => (await parts(call)).volumes.ensure(call, ...rest),
      remove: async (call, ...rest) => (await parts(call)).volumes.remove(call, ...rest),
    };
    this.maps = {
      list: async (call, ...rest) => (await parts(call)).maps.list(call, ...rest),
      ensure: async (call, ...rest) => (await parts(call)).maps.ensure(call, ...rest),
      remove: async (call, ...rest) => (await parts(call)).maps.remove(call, ...rest),
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

  async inventory(call: DeviceCall): Promise<readonly InventoryObject[]> {
    const { ontap } = await this.#open(call);
    const content = await readCluster(ontap, call);
    return [deviceIdentity(ontap.facts.cluster.uuid), ...inventoryOf(content)];
  }

  async markedDevices(call: DeviceCall, bedId: BedId): Promise<readonly Naa[]> {
    return await markedDevices((await this.#open(call)).ontap, call, bedId);
  }

  async remains(call: DeviceCall, bedId: BedId): Promise<ArrayRemains> {
    return await remainsOf((await this.#open(call)).ontap, call, bedId);
  }

  async sweep(call: DeviceCall, bedId: BedId): Promise<readonly string[]> {
    return await sweepArray((await this.#open(call)).ontap, this, call, bedId);
  }

  async close(): Promise<void> {
    await this.#close();
  }

  async #open(call: DeviceCall): Promise<Parts> {
    const ontap = await this.#connection.gateway(call);
    this.#parts ??= partsOf(ontap);
    return this.#parts;
  }
}

function partsOf(ontap: OntapGateway): Parts {
  const hosts = new OntapHosts(ontap);
  return {
    ontap,
    hosts,
    targets: new OntapTargets(ontap),
    volumes: new OntapVolumes(ontap),
    maps: new OntapMaps(ontap, hosts),
    pools: new OntapPools(ontap),
  };
}
