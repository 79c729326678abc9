import type {
  ArrayCounters,
  ArrayDetails,
  ArrayEvent,
  ArrayEvidence,
  EvidenceScope,
} from "../../array-evidence";
import type { DeviceCall } from "../../call";
import { exactly, inParts, namesPerQuery, unitPath, volumeOfPath } from "../naming";
import type { RestClient } from "./rest-client";
import {
  countersShape,
  efficiencyShape,
  eventShape,
  nodeDetailsShape,
  poolDetailsShape,
  portDetailsShape,
  driveShape,
} from "./evidence-wire";

const operation = "collect evidence";

/** Facts, counters and events over REST (ONTAP REST API Reference, 9.8 and 9.9.1). */
export class RestEvidence implements ArrayEvidence {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async details(call: DeviceCall, scope: EvidenceScope): Promise<ArrayDetails> {
    const client = this.#client;
    const [controllers, ports, drives, pools, volumes] = await Promise.all([
      client.list(call, nodeDetailsShape, {
        path: "/cluster/nodes",
        query: { fields: "name,model,serial_number,version,uptime,state" },
        operation,
      }),
      client.list(call, portDetailsShape, {
        path: "/network/fc/ports",
        query: { fields: "name,node.name,state,wwpn,description,fabric.connected_speed" },
        operation,
      }),
      client.listIfAny(call, driveShape, {
        path: "/storage/disks",
        query: { fields: "name,model,firmware_version,class,usable_size" },
        operation,
      }),
      client.list(call, poolDetailsShape, {
        path: "/storage/aggregates",
        query: {
          fields: "name,node.name,block_storage.primary.raid_type,block_storage.primary.disk_count",
        },
        operation,
      }),
      this.#volumes(call, scope),
    ]);
    return { controllers, ports, drives, pools, volumes };
  }

  async counters(call: DeviceCall, scope: EvidenceScope): Promise<readonly ArrayCounters[]> {
    const svm = exactly(this.#client.device, [scope.target]);
    const path = scope.protocol === "fcp" ? "/storage/luns" : "/storage/namespaces";
    const parts = inParts(scope.volumes, namesPerQuery).map((names) =>
      this.#client.list(call, countersShape, {
        path,
        query: {
          "svm.name": svm,
          name: exactly(this.#client.device, names.map(unitPath)),
          fields: "name,statistics",
        },
        operation,
        object: scope.target,
      }),
    );
    const [ports, ...units] = await Promise.all([
      this.#client.list(call, countersShape, {
        path: "/network/fc/interfaces",
        query: { "svm.name": svm, fields: "name,statistics" },
        operation,
        object: scope.target,
      }),
      ...parts,
    ]);
    return [
      ...units
        .flat()
        .flatMap(({ name, sample }) =>
          sample === undefined
            ? []
            : [{ kind: "volume" as const, name: volumeOfPath(name), ...sample }],
        ),
      ...ports.flatMap(({ name, sample }) =>
        sample === undefined ? [] : [{ kind: "port" as const, name, ...sample }],
      ),
    ];
  }

  async events(call: DeviceCall, since: string): Promise<readonly ArrayEvent[]> {
    const events = await this.#client.list(call, eventShape, {
      path: "/support/ems/events",
      query: {
        time: `>=${since}`,
        fields: "time,node.name,message.name,message.severity,log_message",
      },
      operation,
    });
    return events.sort((a, b) => a.at.localeCompare(b.at));
  }

  async #volumes(call: DeviceCall, scope: EvidenceScope): Promise<ArrayDetails["volumes"]> {
    const parts = inParts(scope.volumes, namesPerQuery).map((names) =>
      this.#client.list(call, efficiencyShape, {
        path: "/storage/volumes",
        query: {
          "svm.name": exactly(this.#client.device, [scope.target]),
          name: exactly(this.#client.device, names),
          fields: "name,efficiency,qos.policy.name",
        },
        operation,
        object: scope.target,
      }),
    );
    return (await Promise.all(parts)).flat();
  }
}
