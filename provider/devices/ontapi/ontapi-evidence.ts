import type {
  ArrayCounters,
  ArrayDetails,
  ArrayEvent,
  ArrayEvidence,
  EvidenceScope,
} from "../array-evidence";
import type { DeviceCall } from "../call";
import type { InterfaceCalls } from "../ontap/gateway";
import { exactly, inParts, namesPerQuery, unitPath, volumeOfPath } from "../ontap/naming";
import type { OntapiClient } from "./ontapi-client";
import {
  driveShape,
  efficiencyShape,
  eventShape,
  instancesShape,
  limitLeaves,
  limitShape,
  nodeDetailsShape,
  poolDetailsShape,
  portDetailsShape,
  type Instance,
} from "./evidence-wire";

const operation = "collect evidence";

/** Counters of the objects `lun` and `fcp_lif` (NetApp Harvest, `conf/zapiperf`). */
const counterNames = [
  "read_ops",
  "write_ops",
  "read_data",
  "write_data",
  "avg_read_latency",
  "avg_write_latency",
];

/** Facts, counters and events over ONTAPI. */
export class OntapiEvidence implements ArrayEvidence {
  readonly #client: OntapiClient;
  readonly #interfaces: InterfaceCalls;

  constructor(client: OntapiClient, interfaces: InterfaceCalls) {
    this.#client = client;
    this.#interfaces = interfaces;
  }

  async details(call: DeviceCall, scope: EvidenceScope): Promise<ArrayDetails> {
    const client = this.#client;
    const [controllers, ports, drives, pools, volumes] = await Promise.all([
      client.list(call, nodeDetailsShape, {
        api: "system-node-get-iter",
        element: "node-details-info",
        operation,
      }),
      client.list(call, portDetailsShape, {
        api: "fcp-adapter-get-iter",
        element: "fcp-config-adapter-info",
        operation,
      }),
      client.listIfAny(call, driveShape, {
        api: "storage-disk-get-iter",
        element: "storage-disk-info",
        operation,
      }),
      client.list(call, poolDetailsShape, {
        api: "aggr-get-iter",
        element: "aggr-attributes",
        operation,
      }),
      this.#volumes(call, scope),
    ]);
    return { controllers, ports, drives, pools, volumes };
  }

  async counters(call: DeviceCall, scope: EvidenceScope): Promise<readonly ArrayCounters[]> {
    const lifs = await this.#interfaces.list(call, scope.target);
    const [luns, ports] = await Promise.all([
      this.#instances(call, "lun", scope.volumes.map(unitPath)),
      this.#instances(
        call,
        "fcp_lif",
        lifs.map((lif) => lif.name),
      ),
    ]);
    const ofTarget = ({ svm }: Instance): boolean => svm === undefined || svm === scope.target;
    return [
      ...luns.filter(ofTarget).map(({ name, sample }) => ({
        kind: "volume" as const,
        name: volumeOfPath(name),
        ...sample,
      })),
      ...ports
        .filter(ofTarget)
        .map(({ name, sample }) => ({ kind: "port" as const, name, ...sample })),
    ];
  }

  async events(call: DeviceCall, since: string): Promise<readonly ArrayEvent[]> {
    const seconds = Math.floor(Date.parse(since) / 1000);
    const events = await this.#client.list(call, eventShape, {
      api: "ems-message-get-iter",
      element: "ems-message-info",
      query: { time: `>=${seconds.toString()}` },
      operation,
    });
    return events.sort((a, b) => a.at.localeCompare(b.at));
  }

  async #volumes(call: DeviceCall, scope: EvidenceScope): Promise<ArrayDetails["volumes"]> {
    const paths = inParts(scope.volumes, namesPerQuery).map((names) =>
      names.map((name) => `/vol/${name}`),
    );
    const parts = paths.map((part) =>
      this.#client.list(call, efficiencyShape, {
        api: "sis-get-iter",
        element: "sis-status-info",
        query: {
          vserver: exactly(this.#client.device, [scope.target]),
          path: exactly(this.#client.device, part),
        },
        operation,
        object: scope.target,
      }),
    );
    const limits = inParts(scope.volumes, namesPerQuery).map((names) =>
      this.#client.list(call, limitShape, {
        api: "volume-get-iter",
        element: "volume-attributes",
        query: {
          "volume-id-attributes": {
            "owning-vserver-name": exactly(this.#client.device, [scope.target]),
            name: exactly(this.#client.device, names),
          },
        },
        desired: limitLeaves,
        operation,
        object: scope.target,
      }),
    );
    const known = (await Promise.all(parts)).flat();
    const policies = new Map((await Promise.all(limits)).flat());
    return scope.volumes.map((name) => ({
      name,
      efficiency: known.find((one) => one.name === name)?.efficiency ?? {},
      qosPolicy: policies.get(name),
    }));
  }

  async #instances(
    call: DeviceCall,
    object: string,
    names: readonly string[],
  ): Promise<readonly Instance[]> {
    if (names.length === 0) return [];
    const answer = await this.#client.read(call, {
      api: "perf-object-get-instances",
      input: {
        objectname: object,
        instances: { instance: names },
        counters: { counter: [...counterNames, "vserver_name"] },
      },
      operation,
    });
    return this.#client.parse(instancesShape, answer, operation);
  }
}
