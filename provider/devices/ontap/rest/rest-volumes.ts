import type { Bytes } from "../../../../bed/units";
import type { DataReduction, Reduction } from "../../block-array";
import type { DeviceCall } from "../../call";
import type { FlexVolCalls, QueueCalls, UnitCalls, VolumeFilter } from "../gateway";
import { exactly, inParts, namesPerQuery } from "../naming";
import type { DeletedVolume, Dependent, FlexVol, Unit } from "../objects";
import type { VolumeOnArray } from "../volume-decisions";
import type { RestClient } from "./rest-client";
import { RestDependents } from "./rest-dependents";
import { lunShape, recoveryEntryShape, volumeShape } from "./volume-wire";

const volumeJobMs = 300_000;
const volumeFields =
  "uuid,name,svm.name,state,size,comment,aggregates.name,guarantee.type,is_svm_root";
/** Expensive properties: only of volumes that are asked for by name. */
const efficiencyFields = ",efficiency.dedupe,efficiency.compression,efficiency.compaction";
const lunFields =
  "uuid,name,svm.name,serial_number,os_type,comment,location.volume.name,space.size,space.guarantee.requested,status.state,status.mapped";

/** Asks for the named volumes in parts, so that the address of a GET stays well below 8 KiB. */
export async function inNameParts<T>(
  client: RestClient,
  filter: VolumeFilter | undefined,
  nameField: string,
  list: (query: Readonly<Record<string, string>>) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (filter === undefined) return await list({});
  const svm = { "svm.name": exactly(client.device, [filter.svm]) };
  if (filter.volumes === undefined) return await list(svm);
  const parts = await Promise.all(
    inParts(filter.volumes, namesPerQuery).map((names) =>
      list({ ...svm, [nameField]: exactly(client.device, names) }),
    ),
  );
  return parts.flat();
}

export class RestFlexVols implements FlexVolCalls {
  readonly #client: RestClient;
  readonly #dependents: RestDependents;

  constructor(
    client: RestClient,
    /** `DELETE ...?force=true` exists. */
    readonly removesForGood: boolean,
  ) {
    this.#client = client;
    this.#dependents = new RestDependents(client);
  }

  async list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly FlexVol[]> {
    return await inNameParts(this.#client, filter, "name", (query) =>
      this.#client.list(call, volumeShape, {
        path: "/storage/volumes",
        query: {
          ...query,
          fields: filter?.volumes === undefined ? volumeFields : volumeFields + efficiencyFields,
        },
        operation: "list volumes",
        object: filter?.svm,
      }),
    );
  }

  async create(call: DeviceCall, spec: Parameters<FlexVolCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: "/storage/volumes",
      body: {
        svm: { name: spec.svm },
        name: spec.name,
        aggregates: [{ name: spec.aggregate }],
        size: Number(spec.sizeBytes),
        style: "flexvol",
        type: "rw",
        guarantee: guaranteeOf(spec.thin),
        ...efficiencyOf(spec.reduction),
        snapshot_policy: { name: "none" },
        space: { snapshot: { reserve_percent: 0 }, fractional_reserve: 0 },
        comment: spec.comment,
      },
      operation: "create volume",
      object: spec.name,
      jobMs: volumeJobMs,
    });
  }

  async setThin(call: DeviceCall, flexVol: FlexVol, thin: boolean): Promise<void> {
    const operation = thin ? "let take space when written: volume" : "hold space of volume";
    await this.#patch(call, flexVol, operation, { guarantee: guaranteeOf(thin) });
  }

  async setReduction(call: DeviceCall, flexVol: FlexVol, wanted: DataReduction): Promise<void> {
    await this.#patch(call, flexVol, "set data reduction of volume", efficiencyOf(wanted));
  }

  async resize(call: DeviceCall, flexVol: FlexVol, sizeBytes: Bytes): Promise<void> {
    await this.#patch(call, flexVol, "grow volume", { size: Number(sizeBytes) });
  }

  async bringOnline(call: DeviceCall, flexVol: FlexVol): Promise<void> {
    await this.#patch(call, flexVol, "bring volume online", { state: "online" });
  }

  async rename(call: DeviceCall, flexVol: FlexVol, name: string): Promise<void> {
    await this.#patch(call, flexVol, "mark for removal volume", { name });
  }

  async remove(call: DeviceCall, flexVol: FlexVol): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `/storage/volumes/${flexVol.uuid}`,
      ...(this.removesForGood ? { query: { force: "true" } } : {}),
      operation: "remove volume",
      object: flexVol.name,
      jobMs: volumeJobMs,
    });
  }

  async dependents(
    call: DeviceCall,
    volumes: readonly VolumeOnArray[],
  ): Promise<readonly Dependent[]> {
    return await this.#dependents.of(call, volumes);
  }

  async #patch(
    call: DeviceCall,
    flexVol: FlexVol,
    operation: string,
    body: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `/storage/volumes/${flexVol.uuid}`,
      body,
      operation,
      object: flexVol.name,
      jobMs: volumeJobMs,
    });
  }
}

function guaranteeOf(thin: boolean): { readonly type: string } {
  return { type: thin ? "none" : "volume" };
}

function efficiencyOf(wanted: DataReduction | undefined): Readonly<Record<string, unknown>> {
  const word = (value: Reduction): string => (value === "off" ? "none" : value);
  const { deduplication, compression, compaction } = wanted ?? {};
  const efficiency = {
    ...(deduplication === undefined ? {} : { dedupe: word(deduplication) }),
    // Over the volumes of an aggregate it goes on beside that of the volume, unless it is switched off too.
    ...(deduplication === "off" ? { cross_volume_dedupe: "none" } : {}),
    ...(compression === undefined ? {} : { compression: word(compression) }),
    ...(compaction === undefined ? {} : { compaction: word(compaction) }),
  };
  return Object.keys(efficiency).length === 0 ? {} : { efficiency };
}

export class RestLuns implements UnitCalls {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly Unit[]> {
    return await inNameParts(this.#client, filter, "location.volume.name", (query) =>
      this.#client.list(call, lunShape, {
        path: "/storage/luns",
        query: { ...query, fields: lunFields },
        operation: "list LUNs",
        object: filter?.svm,
      }),
    );
  }

  async create(call: DeviceCall, spec: Parameters<UnitCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: "/storage/luns",
      body: {
        svm: { name: spec.svm },
        name: spec.path,
        os_type: "vmware",
        space: { size: Number(spec.sizeBytes), guarantee: { requested: !spec.thin } },
        comment: spec.comment,
      },
      operation: "create LUN",
      object: spec.path,
    });
  }

  async resize(call: DeviceCall, lun: Unit, sizeBytes: Bytes): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `/storage/luns/${lun.uuid}`,
      body: { space: { size: Number(sizeBytes) } },
      operation: "grow LUN",
      object: lun.path,
    });
  }

  async setReserved(call: DeviceCall, lun: Unit, reserved: boolean): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `/storage/luns/${lun.uuid}`,
      body: { space: { guarantee: { requested: reserved } } },
      operation: reserved ? "hold space of LUN" : "let take space when written: LUN",
      object: lun.path,
    });
  }

  async bringOnline(call: DeviceCall, lun: Unit): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `/storage/luns/${lun.uuid}`,
      body: { enabled: true },
      operation: "bring LUN online",
      object: lun.path,
    });
  }
}

const queuePath = "/private/cli/volume/recovery-queue";

/** REST reaches the recovery queue only through the private CLI. */
export class RestQueue implements QueueCalls {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, svm?: string): Promise<readonly DeletedVolume[]> {
    return await this.#client.list(call, recoveryEntryShape, {
      path: queuePath,
      ...(svm === undefined ? {} : { query: { vserver: exactly(this.#client.device, [svm]) } }),
      operation: "read the volume recovery queue",
      object: svm,
    });
  }

  async purge(call: DeviceCall, { svm, entry }: DeletedVolume): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: `${queuePath}/purge`,
      body: { vserver: svm, volume: entry },
      operation: "purge from the volume recovery queue",
      object: entry,
      jobMs: volumeJobMs,
    });
  }
}
