import type { Bytes } from "../../../bed/units";
import type { DataReduction } from "../block-array";
import type { DeviceCall } from "../call";
import type { FlexVolCalls, QueueCalls, UnitCalls, VolumeFilter } from "../ontap/gateway";
import { exactly, inParts, namesPerQuery } from "../ontap/naming";
import type { DeletedVolume, Dependent, FlexVol, Unit } from "../ontap/objects";
import type { VolumeOnArray } from "../ontap/volume-decisions";
import type { OntapiClient } from "./ontapi-client";
import { dependentsOf } from "./ontapi-dependents";
import { OntapiEfficiency, policyOf } from "./ontapi-efficiency";
import type { OntapiTree } from "./ontapi-message";
import { deletedShape, flexVolLeaves, flexVolShape, lunShape } from "./ontapi-wire";

/** Asks for the named volumes in parts: a query is a pattern, and long ones are slow. */
async function inNameParts<T>(
  device: string,
  filter: VolumeFilter | undefined,
  queryOf: (svm: string, volumes: string | undefined) => OntapiTree,
  list: (query: OntapiTree | undefined) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (filter === undefined) return await list(undefined);
  const svm = exactly(device, [filter.svm]);
  if (filter.volumes === undefined) return await list(queryOf(svm, undefined));
  const parts = await Promise.all(
    inParts(filter.volumes, namesPerQuery).map((names) =>
      list(queryOf(svm, exactly(device, names))),
    ),
  );
  return parts.flat();
}

/** A volume on which efficiency was never switched on is not in the list. */
const neverOn: DataReduction = { deduplication: "off", compression: "off", compaction: "off" };

export class OntapiFlexVols implements FlexVolCalls {
  readonly removesForGood = false;
  readonly #client: OntapiClient;
  readonly #efficiency: OntapiEfficiency;

  constructor(client: OntapiClient) {
    this.#client = client;
    this.#efficiency = new OntapiEfficiency(client);
  }

  /** Without the nodes' own root volumes. */
  async list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly FlexVol[]> {
    const reading = inNameParts(
      this.#client.device,
      filter,
      (svm, name) => ({ "volume-id-attributes": { "owning-vserver-name": svm, name } }),
      (query) =>
        this.#client.list(call, flexVolShape, {
          api: "volume-get-iter",
          element: "volume-attributes",
          query,
          desired: flexVolLeaves,
          operation: "list volumes",
          object: filter?.svm,
        }),
    );
    const [volumes, reductions] = await Promise.all([
      reading,
      filter?.volumes && this.#efficiency.list(call, filter.svm, filter.volumes),
    ]);
    return volumes.flatMap(({ nodeRoot, ...volume }) =>
      nodeRoot
        ? []
        : [{ ...volume, reduction: reductions && (reductions.get(volume.name) ?? neverOn) }],
    );
  }

  async dependents(
    call: DeviceCall,
    volumes: readonly VolumeOnArray[],
  ): Promise<readonly Dependent[]> {
    return await dependentsOf(this.#client, call, volumes);
  }

  async create(call: DeviceCall, spec: Parameters<FlexVolCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "volume-create",
      vserver: spec.svm,
      input: {
        volume: spec.name,
        "containing-aggr-name": spec.aggregate,
        size: spec.sizeBytes.toString(),
        "space-reserve": spec.thin ? "none" : "volume",
        "efficiency-policy": policyOf(spec.reduction),
        "snapshot-policy": "none",
        "percentage-snapshot-reserve": "0",
        "volume-comment": spec.comment,
      },
      operation: "create volume",
      object: spec.name,
    });
  }

  /** `volume-modify-iter` passes although it changed nothing: its failures are in a list of their own. */
  async setThin(call: DeviceCall, flexVol: FlexVol, thin: boolean): Promise<void> {
    await this.#client.modify(call, {
      api: "volume-modify-iter",
      vserver: flexVol.svm,
      input: {
        query: { "volume-attributes": { "volume-id-attributes": { name: flexVol.name } } },
        attributes: {
          "volume-attributes": {
            "volume-space-attributes": { "space-guarantee": thin ? "none" : "volume" },
          },
        },
      },
      operation: thin ? "let take space when written: volume" : "hold space of volume",
      object: flexVol.name,
    });
  }

  async setReduction(call: DeviceCall, flexVol: FlexVol, wanted: DataReduction): Promise<void> {
    await this.#efficiency.set(call, flexVol, wanted);
  }

  async resize(call: DeviceCall, flexVol: FlexVol, sizeBytes: Bytes): Promise<void> {
    await this.#client.write(call, {
      api: "volume-size",
      vserver: flexVol.svm,
      input: { volume: flexVol.name, "new-size": sizeBytes.toString() },
      operation: "grow volume",
      object: flexVol.name,
    });
  }

  async bringOnline(call: DeviceCall, flexVol: FlexVol): Promise<void> {
    await this.#client.write(call, {
      api: "volume-online",
      vserver: flexVol.svm,
      input: { name: flexVol.name },
      operation: "bring volume online",
      object: flexVol.name,
    });
  }

  async rename(call: DeviceCall, flexVol: FlexVol, name: string): Promise<void> {
    await this.#client.write(call, {
      api: "volume-rename",
      vserver: flexVol.svm,
      input: { volume: flexVol.name, "new-volume-name": name },
      operation: "mark for removal volume",
      object: flexVol.name,
    });
  }

  async remove(call: DeviceCall, flexVol: FlexVol): Promise<void> {
    await this.#client.write(call, {
      api: "volume-destroy",
      vserver: flexVol.svm,
      // Only an offline volume can go.
      input: { name: flexVol.name, "unmount-and-offline": "true" },
      operation: "remove volume",
      object: flexVol.name,
    });
  }
}

export class OntapiLuns implements UnitCalls {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly Unit[]> {
    return await inNameParts(
      this.#client.device,
      filter,
      (vserver, volume) => ({ vserver, volume }),
      (query) =>
        this.#client.list(call, lunShape, {
          api: "lun-get-iter",
          element: "lun-info",
          query,
          operation: "list LUNs",
          object: filter?.svm,
        }),
    );
  }

  async create(call: DeviceCall, spec: Parameters<UnitCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "lun-create-by-size",
      vserver: spec.svm,
      input: {
        path: spec.path,
        size: spec.sizeBytes.toString(),
        ostype: "vmware",
        "space-reservation-enabled": spec.thin ? "false" : "true",
        // Else the size is rounded up to a whole cylinder of the geometry that the LUN reports.
        "use-exact-size": "true",
        comment: spec.comment,
      },
      operation: "create LUN",
      object: spec.path,
    });
  }

  async resize(call: DeviceCall, lun: Unit, sizeBytes: Bytes): Promise<void> {
    await this.#client.write(call, {
      api: "lun-resize",
      vserver: lun.svm,
      input: { path: lun.path, size: sizeBytes.toString() },
      operation: "grow LUN",
      object: lun.path,
    });
  }

  async setReserved(call: DeviceCall, lun: Unit, reserved: boolean): Promise<void> {
    await this.#client.write(call, {
      api: "lun-set-space-reservation-info",
      vserver: lun.svm,
      input: { path: lun.path, enable: String(reserved) },
      operation: reserved ? "hold space of LUN" : "let take space when written: LUN",
      object: lun.path,
    });
  }

  async bringOnline(call: DeviceCall, lun: Unit): Promise<void> {
    await this.#client.writeUnless(call, "alreadyExists", {
      api: "lun-online",
      vserver: lun.svm,
      input: { path: lun.path },
      operation: "bring LUN online",
      object: lun.path,
    });
  }
}

export class OntapiQueue implements QueueCalls {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, svm?: string): Promise<readonly DeletedVolume[]> {
    return await this.#client.list(call, deletedShape, {
      api: "volume-recovery-queue-get-iter",
      element: "volume-recovery-queue-info",
      query:
        svm === undefined ? undefined : { "vserver-name": exactly(this.#client.device, [svm]) },
      operation: "read the volume recovery queue",
      object: svm,
    });
  }

  async purge(call: DeviceCall, { svm, entry }: DeletedVolume): Promise<void> {
    await this.#client.write(call, {
      api: "volume-recovery-queue-purge",
      input: { "vserver-name": svm, "volume-name": entry },
      operation: "purge from the volume recovery queue",
      object: entry,
    });
  }
}
