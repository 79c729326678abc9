import type { DeviceCall } from "../../call";
import type { AggregateCalls, FactCalls, OntapGateway, SideCalls } from "../gateway";
import { exactly } from "../naming";
import type { Aggregate, ClusterIdentity, ClusterNode, FcPort } from "../objects";
import { supports, versionText } from "../ontap-versions";
import type { RestClient } from "./rest-client";
import { RestEvidence } from "./rest-evidence";
import { RestIgroups, RestMaps } from "./rest-hosts";
import { RestNamespaces, RestSubsystemMaps, RestSubsystems } from "./rest-nvme";
import { fcpService, nvmeService, RestInterfaces, RestServices, RestSvms } from "./rest-tenants";
import { RestFlexVols, RestLuns, RestQueue } from "./rest-volumes";
import { fcPortShape } from "./port-wire";
import { aggregateShape, licenceShape, nodeShape } from "./system-wire";
import type { WireCluster } from "./wire";

/** ONTAP over its REST API, 9.8 and later. */
export class RestGateway implements OntapGateway {
  readonly device: string;
  readonly release: string;
  readonly svms: RestSvms;
  readonly interfaces: RestInterfaces;
  readonly flexVols: RestFlexVols;
  readonly scsi: SideCalls;
  readonly nvme: SideCalls;
  readonly aggregates: RestAggregates;
  readonly queue: RestQueue;
  readonly facts: RestFacts;
  readonly evidence: RestEvidence;
  readonly #client: RestClient;

  constructor(client: RestClient, cluster: WireCluster) {
    this.device = client.device;
    this.release = versionText(cluster.version);
    this.svms = new RestSvms(client, cluster.version);
    this.interfaces = new RestInterfaces(client);
    this.flexVols = new RestFlexVols(client, supports(cluster.version, "forcedVolumeDelete"));
    this.scsi = {
      services: new RestServices(client, cluster.version, fcpService),
      units: new RestLuns(client),
      groups: new RestIgroups(client, cluster.version),
      maps: new RestMaps(client),
    };
    this.nvme = {
      services: new RestServices(client, cluster.version, nvmeService),
      units: new RestNamespaces(client, cluster.version),
      groups: new RestSubsystems(client),
      maps: new RestSubsystemMaps(client),
    };
    this.aggregates = new RestAggregates(client);
    this.queue = new RestQueue(client);
    this.facts = new RestFacts(client, cluster);
    this.evidence = new RestEvidence(client);
    this.#client = client;
  }

  async sleep(call: DeviceCall, ms: number): Promise<void> {
    await this.#client.sleep(call, ms);
  }
}

const aggregateJobMs = 1_800_000;

/** Aggregates that hold a node's root are not listed by REST. */
class RestAggregates implements AggregateCalls {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, name?: string): Promise<readonly Aggregate[]> {
    return await this.#client.list(call, aggregateShape, {
      path: "/storage/aggregates",
      query: {
        ...(name === undefined ? {} : { name: exactly(this.#client.device, [name]) }),
        fields:
          "uuid,name,node.name,space.block_storage.size,space.block_storage.available,block_storage.primary.disk_count,block_storage.primary.raid_type",
      },
      operation: name === undefined ? "list pools" : "read pool",
      object: name,
    });
  }

  async create(call: DeviceCall, spec: Parameters<AggregateCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: "/storage/aggregates",
      body: {
        name: spec.name,
        node: { name: spec.node },
        block_storage: { primary: { disk_count: spec.disks, raid_type: spec.raid } },
      },
      operation: "create pool",
      object: spec.name,
      jobMs: aggregateJobMs,
    });
  }

  async remove(call: DeviceCall, aggregate: Aggregate): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `/storage/aggregates/${aggregate.uuid}`,
      operation: "remove pool",
      object: aggregate.name,
      jobMs: aggregateJobMs,
    });
  }
}

const factsOperation = "read the array's facts";

class RestFacts implements FactCalls {
  readonly software: string;
  readonly cluster: ClusterIdentity;
  readonly #client: RestClient;

  constructor(client: RestClient, cluster: WireCluster) {
    this.#client = client;
    this.software = cluster.version.full;
    this.cluster = { name: cluster.name, uuid: cluster.uuid };
  }

  async nodes(call: DeviceCall): Promise<readonly ClusterNode[]> {
    return await this.#client.list(call, nodeShape, {
      path: "/cluster/nodes",
      query: { fields: "name,model,state" },
      operation: factsOperation,
    });
  }

  async ports(call: DeviceCall): Promise<readonly FcPort[]> {
    return await this.#client.list(call, fcPortShape, {
      path: "/network/fc/ports",
      query: { fields: "name,node.name,wwpn,state,fabric.switch_port" },
      operation: "list FC ports",
    });
  }

  async licences(call: DeviceCall): Promise<readonly string[]> {
    const licences = await this.#client.list(call, licenceShape, {
      path: "/cluster/licensing/licenses",
      query: { fields: "name,state" },
      operation: factsOperation,
    });
    return licences.map((licence) => licence.name);
  }
}
