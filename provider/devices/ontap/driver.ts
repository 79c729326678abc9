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
import type { ArraySurvey } from "../array-survey";
import { deviceIdentity } from "../call";
import type { DeviceCall, InventoryObject } from "../call";
import type { ArrayRemains, ArraySweeper } from "../sweep";
import type { OntapClient } from "./ontap-client";
import { OntapHosts } from "./ontap-hosts";
import { inventoryOf, readCluster } from "./ontap-inventory";
import { OntapMaps } from "./ontap-maps";
import { physicalPorts } from "./ontap-ports";
import { OntapPools } from "./ontap-pools";
import { surveyOf } from "./ontap-survey";
import { markedDevices, remainsOf, sweepArray } from "./ontap-sweep";
import { OntapTargets } from "./ontap-targets";
import { OntapVolumes } from "./ontap-volumes";
import { licenceShape, nodeShape } from "./wire";

/** An ONTAP cluster (AFF, unified) over its REST API, 9.8 and later. */
export class OntapArray implements BlockArray, PoolBuilder, PortLister, ArraySweeper {
  readonly device: string;
  readonly targets: ArrayTargets;
  readonly hosts: ArrayHosts;
  readonly volumes: ArrayVolumes;
  readonly maps: ArrayMaps;
  readonly #client: OntapClient;
  readonly #pools: OntapPools;

  constructor(client: OntapClient) {
    const hosts = new OntapHosts(client);
    this.device = client.device;
    this.targets = new OntapTargets(client);
    this.hosts = hosts;
    this.volumes = new OntapVolumes(client);
    this.maps = new OntapMaps(client, hosts);
    this.#client = client;
    this.#pools = new OntapPools(client);
  }

  async facts(call: DeviceCall): Promise<ArrayFacts> {
    const operation = "read the array's facts";
    const cluster = await this.#client.cluster(call);
    const [nodes, licences] = await Promise.all([
      this.#client.list(call, nodeShape, {
        path: "/cluster/nodes",
        query: { fields: "name,model,state" },
        operation,
      }),
      this.#client.list(call, licenceShape, {
        path: "/cluster/licensing/licenses",
        query: { fields: "name,state" },
        operation,
      }),
    ]);
    return {
      vendor: "NetApp",
      model: nodes[0]?.model ?? "unknown",
      name: cluster.name,
      software: cluster.version.full,
      controllers: nodes.map((node) => ({ name: node.name, state: node.state ?? "unknown" })),
      licences: licences.map((licence) => licence.name),
    };
  }

  pools(call: DeviceCall): Promise<readonly PoolInfo[]> {
    return this.#pools.list(call);
  }

  physicalPorts(call: DeviceCall): Promise<readonly PhysicalPort[]> {
    return physicalPorts(this.#client, call);
  }

  ensurePool(
    call: DeviceCall,
    scope: Scope,
    spec: Parameters<PoolBuilder["ensurePool"]>[2],
  ): Promise<PoolInfo> {
    return this.#pools.ensure(call, scope, spec);
  }

  removePool(call: DeviceCall, scope: Scope, name: string): Promise<void> {
    return this.#pools.remove(call, scope, name);
  }

  async survey(call: DeviceCall): Promise<ArraySurvey> {
    return surveyOf(this.device, await readCluster(this.#client, call));
  }

  async inventory(call: DeviceCall): Promise<readonly InventoryObject[]> {
    const { uuid } = await this.#client.cluster(call);
    return [deviceIdentity(uuid), ...inventoryOf(await readCluster(this.#client, call))];
  }

  markedDevices(call: DeviceCall, bedId: BedId): Promise<readonly Naa[]> {
    return markedDevices(this.#client, call, bedId);
  }

  remains(call: DeviceCall, bedId: BedId): Promise<ArrayRemains> {
    return remainsOf(this.#client, call, bedId);
  }

  sweep(call: DeviceCall, bedId: BedId): Promise<readonly string[]> {
    return sweepArray(this.#client, this, call, bedId);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
