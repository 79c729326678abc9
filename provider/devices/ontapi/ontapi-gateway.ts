import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { AggregateCalls, FactCalls, OntapGateway, SideCalls } from "../ontap/gateway";
import { exactly } from "../ontap/naming";
import type { Aggregate, ClusterIdentity, ClusterNode, FcPort } from "../ontap/objects";
import { versionText } from "../ontap/ontap-versions";
import type { OntapiClient, OntapiCluster } from "./ontapi-client";
import { OntapiEvidence } from "./ontapi-evidence";
import { OntapiIgroups, OntapiMaps } from "./ontapi-hosts";
import { OntapiInterfaces, OntapiServices, OntapiSvms } from "./ontapi-tenants";
import { OntapiFlexVols, OntapiLuns, OntapiQueue } from "./ontapi-volumes";
import { aggregateShape, fcPortShape, licencesShape, nodeShape } from "./ontapi-wire";

/** ONTAP over ONTAPI (ZAPI): releases whose REST API does not reach. FCP only. */
export class OntapiGateway implements OntapGateway {
  readonly device: string;
  readonly release: string;
  readonly svms: OntapiSvms;
  readonly interfaces: OntapiInterfaces;
  readonly flexVols: OntapiFlexVols;
  readonly scsi: SideCalls;
  readonly nvme = undefined;
  readonly aggregates: OntapiAggregates;
  readonly queue: OntapiQueue;
  readonly facts: OntapiFacts;
  readonly evidence: OntapiEvidence;
  readonly #client: OntapiClient;

  constructor(client: OntapiClient, cluster: OntapiCluster) {
    this.device = client.device;
    this.release = versionText(cluster.version);
    this.flexVols = new OntapiFlexVols(client);
    this.svms = new OntapiSvms(client, this.flexVols);
    const services = new OntapiServices(client);
    this.interfaces = new OntapiInterfaces(client, services);
    this.scsi = {
      services,
      units: new OntapiLuns(client),
      groups: new OntapiIgroups(client),
      maps: new OntapiMaps(client),
    };
    this.aggregates = new OntapiAggregates(client);
    this.queue = new OntapiQueue(client);
    this.facts = new OntapiFacts(client, cluster);
    this.evidence = new OntapiEvidence(client, this.interfaces);
    this.#client = client;
  }

  async sleep(call: DeviceCall, ms: number): Promise<void> {
    await this.#client.sleep(call, ms);
  }
}

/** New aggregates come online when their disks have been zeroed: for so long it is looked for, every so often. */
const aggregateWaitMs = 1_800_000;
const aggregatePauseMs = 15_000;

class OntapiAggregates implements AggregateCalls {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, name?: string): Promise<readonly Aggregate[]> {
    return (await this.#all(call, name)).flatMap(({ root, state: _state, ...aggregate }) =>
      root ? [] : [aggregate],
    );
  }

  async create(call: DeviceCall, spec: Parameters<AggregateCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "aggr-create",
      input: {
        aggregate: spec.name,
        "disk-count": spec.disks.toString(),
        "raid-type": spec.raid,
        nodes: { "node-name": spec.node },
      },
      operation: "create pool",
      object: spec.name,
    });
    for (let left = aggregateWaitMs; left > 0; left -= aggregatePauseMs) {
      const [made] = await this.#all(call, spec.name);
      if (made?.state === "online") return;
      call.status?.(`${this.#client.device}: pool ${spec.name}: ${made?.state ?? "not there yet"}`);
      await this.#client.sleep(call, aggregatePauseMs);
    }
    throw new DeviceError({
      kind: "timeout",
      device: this.#client.device,
      operation: "create pool",
      object: spec.name,
      reason: `it is not online after ${(aggregateWaitMs / 60_000).toString()} minutes`,
    });
  }

  /** Only an offline aggregate can go. */
  async remove(call: DeviceCall, { name }: Aggregate): Promise<void> {
    const input = { aggregate: name };
    const [found] = await this.#all(call, name);
    if (found?.state !== "offline") {
      const operation = "take offline pool";
      await this.#client.write(call, { api: "aggr-offline", input, operation, object: name });
    }
    const operation = "remove pool";
    await this.#client.write(call, { api: "aggr-destroy", input, operation, object: name });
  }

  async #all(call: DeviceCall, name?: string) {
    return await this.#client.list(call, aggregateShape, {
      api: "aggr-get-iter",
      element: "aggr-attributes",
      query:
        name === undefined ? undefined : { "aggregate-name": exactly(this.#client.device, [name]) },
      operation: name === undefined ? "list pools" : "read pool",
      object: name,
    });
  }
}

const factsOperation = "read the array's facts";

class OntapiFacts implements FactCalls {
  readonly software: string;
  readonly cluster: ClusterIdentity;
  readonly #client: OntapiClient;

  constructor(client: OntapiClient, cluster: OntapiCluster) {
    this.#client = client;
    this.software = cluster.full;
    this.cluster = { name: cluster.name, uuid: cluster.uuid };
  }

  async nodes(call: DeviceCall): Promise<readonly ClusterNode[]> {
    return await this.#client.list(call, nodeShape, {
      api: "system-node-get-iter",
      element: "node-details-info",
      operation: factsOperation,
    });
  }

  async ports(call: DeviceCall): Promise<readonly FcPort[]> {
    return await this.#client.list(call, fcPortShape, {
      api: "fcp-adapter-get-iter",
      element: "fcp-config-adapter-info",
      operation: "list FC ports",
    });
  }

  async licences(call: DeviceCall): Promise<readonly string[]> {
    const api = "license-v2-list-info";
    const answer = await this.#client.read(call, { api, operation: factsOperation });
    return this.#client.parse(licencesShape, answer, factsOperation);
  }
}
