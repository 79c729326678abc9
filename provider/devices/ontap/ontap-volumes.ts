import { DeviceError, isDeviceError } from "../../../bed/errors";
import { bedOfComment, markComment } from "../../../bed/mark";
import { formatBytes, type Bytes } from "../../../bed/units";
import type { ArrayVolumes, Scope, VolumeInfo, VolumeSpec } from "../block-array";
import type { DeviceCall } from "../call";
import { allSettledOrThrow, exactly, inParts, lunPath, naaOfSerial, namesPerQuery } from "./naming";
import type { OntapClient } from "./ontap-client";
import { ontapCode } from "./ontap-errors";
import { wrapperCodes } from "./ontap-codes";
import { VolumeRemoval, volumeJobMs } from "./volume-removal";
import { decideVolume, flexVolBytes, type VolumeOnArray } from "./volume-decisions";
import { bringOnline, isOnline } from "./volume-online";
import { aggregateShape, lunShape, volumeShape, type WireLun } from "./wire";

const volumeFields = "uuid,name,svm.name,state,size,comment,aggregates.name,guarantee.type";
const lunFields =
  "uuid,name,svm.name,serial_number,os_type,comment,location.volume.name,space.size,space.guarantee.requested,status.state,status.mapped";

/** Volumes on ONTAP: one FlexVol for one LUN of the same name, both with the mark in the comment. */
export class OntapVolumes implements ArrayVolumes {
  readonly #client: OntapClient;
  readonly #removal: VolumeRemoval;

  constructor(client: OntapClient) {
    this.#client = client;
    this.#removal = new VolumeRemoval(client, (call, scope, names) =>
      this.#find(call, scope, names),
    );
  }

  async list(
    call: DeviceCall,
    scope: Scope,
    names: readonly string[],
  ): Promise<readonly VolumeInfo[]> {
    return this.#infos(names, await this.#find(call, scope, names));
  }

  async ensure(
    call: DeviceCall,
    scope: Scope,
    specs: readonly VolumeSpec[],
  ): Promise<readonly VolumeInfo[]> {
    const found = await this.#find(
      call,
      scope,
      specs.map((spec) => spec.name),
    );
    const decided = specs.map((spec) => ({
      spec,
      decision: decideVolume(spec, found.get(spec.name), scope.bedId),
    }));
    // All refusals before the first write: half a group helps nobody.
    for (const { spec, decision } of decided) {
      if (decision.kind !== "refuse") continue;
      throw this.#error("refused", "create volume", spec.name, decision.reason, decision.remedy);
    }
    let done = 0;
    const tell = (): void => {
      done++;
      call.status?.(
        `${this.#client.device}: ${done.toString()} of ${specs.length.toString()} volumes`,
      );
    };
    await allSettledOrThrow(
      decided.map(async ({ spec, decision }) => {
        await bringOnline(this.#client, call, found.get(spec.name), async () =>
          (await this.#find(call, scope, [spec.name])).get(spec.name),
        );
        if (decision.kind === "create") await this.#createFlexVol(call, scope, spec);
        if (decision.kind === "createLun" && decision.growFlexVol) {
          await this.#growFlexVol(call, scope, spec, found);
        }
        if (decision.kind === "create" || decision.kind === "createLun") {
          await this.#createLun(call, scope, spec);
        }
        if (decision.kind === "grow") await this.#grow(call, scope, spec, decision.lun, found);
        tell();
      }),
    );
    return await this.#readBack(call, scope, specs);
  }

  async remove(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#removal.remove(call, scope, names);
  }

  /** The FlexVols of these names with all LUNs in them, whoever made them. */
  async #find(
    call: DeviceCall,
    scope: Scope,
    names: readonly string[],
  ): Promise<Map<string, VolumeOnArray>> {
    const svm = exactly(this.#client.device, [scope.target]);
    const parts = await Promise.all(
      inParts(names, namesPerQuery).map(async (part) => {
        const which = exactly(this.#client.device, part);
        const [flexVols, luns] = await Promise.all([
          this.#client.list(call, volumeShape, {
            path: "/storage/volumes",
            query: { "svm.name": svm, name: which, fields: volumeFields },
            operation: "list volumes",
            object: scope.target,
          }),
          this.#client.list(call, lunShape, {
            path: "/storage/luns",
            query: { "svm.name": svm, "location.volume.name": which, fields: lunFields },
            operation: "list LUNs",
            object: scope.target,
          }),
        ]);
        return flexVols.map((flexVol): [string, VolumeOnArray] => [
          flexVol.name,
          { flexVol, luns: luns.filter((lun) => lun.name.startsWith(`/vol/${flexVol.name}/`)) },
        ]);
      }),
    );
    return new Map(parts.flat());
  }

  async #createFlexVol(call: DeviceCall, scope: Scope, spec: VolumeSpec): Promise<void> {
    const request = {
      method: "POST",
      path: "/storage/volumes",
      body: {
        svm: { name: scope.target },
        name: spec.name,
        aggregates: [{ name: spec.pool }],
        size: Number(flexVolBytes(spec.sizeBytes)),
        style: "flexvol",
        type: "rw",
        guarantee: { type: spec.thin ? "none" : "volume" },
        snapshot_policy: { name: "none" },
        space: { snapshot: { reserve_percent: 0 }, fractional_reserve: 0 },
        comment: markComment(scope.bedId, "volume"),
      },
      operation: "create volume",
      object: spec.name,
      jobMs: volumeJobMs,
    } as const;
    try {
      await this.#client.settle(call, request, async () => {
        const made = (await this.#find(call, scope, [spec.name])).get(spec.name);
        return made !== undefined && bedOfComment(made.flexVol.comment) === scope.bedId;
      });
    } catch (error) {
      throw await this.#explainSpace(call, spec, error);
    }
  }

  /** A failed job tells of missing space in words only: the figures say whether that was it. */
  async #explainSpace(call: DeviceCall, spec: VolumeSpec, error: unknown): Promise<unknown> {
    const code = ontapCode(error);
    if (!isDeviceError(error, "refused", "protocol") || call.signal.aborted) return error;
    if (code !== undefined && !wrapperCodes.has(code) && error.kind !== "protocol") return error;
    const needed = flexVolBytes(spec.sizeBytes);
    const free = await this.#freeBytes(call, spec.pool).catch(() => undefined);
    if (free === undefined || spec.thin || needed <= free) return error;
    return new DeviceError({
      kind: "refused",
      device: this.#client.device,
      operation: "create volume",
      object: spec.name,
      reason: `pool ${spec.pool} has ${formatBytes(free)} free, the volume needs ${formatBytes(needed)} (its size and a tenth for metadata)`,
      remedy: "Use a larger pool, smaller or fewer volumes, or thin ones.",
      vendorCode: code === undefined ? undefined : `ONTAP ${code}`,
      cause: error,
    });
  }

  async #freeBytes(call: DeviceCall, pool: string): Promise<Bytes | undefined> {
    const [aggregate] = await this.#client.list(call, aggregateShape, {
      path: "/storage/aggregates",
      query: {
        name: exactly(this.#client.device, [pool]),
        fields: "uuid,name,space.block_storage.size,space.block_storage.available",
      },
      operation: "read pool",
      object: pool,
    });
    return aggregate?.space?.block_storage.available;
  }

  async #createLun(call: DeviceCall, scope: Scope, spec: VolumeSpec): Promise<void> {
    await this.#client.settle(
      call,
      {
        method: "POST",
        path: "/storage/luns",
        body: {
          svm: { name: scope.target },
          name: lunPath(spec.name),
          os_type: "vmware",
          space: { size: Number(spec.sizeBytes), guarantee: { requested: !spec.thin } },
          comment: markComment(scope.bedId, "volume"),
        },
        operation: "create LUN",
        object: lunPath(spec.name),
      },
      async () => {
        const made = (await this.#find(call, scope, [spec.name])).get(spec.name)?.luns ?? [];
        return made.some(
          (lun) => lun.name === lunPath(spec.name) && bedOfComment(lun.comment) === scope.bedId,
        );
      },
    );
  }

  async #grow(
    call: DeviceCall,
    scope: Scope,
    spec: VolumeSpec,
    lun: WireLun,
    found: ReadonlyMap<string, VolumeOnArray>,
  ): Promise<void> {
    await this.#growFlexVol(call, scope, spec, found);
    await this.#client.settle(
      call,
      {
        method: "PATCH",
        path: `/storage/luns/${lun.uuid}`,
        body: { space: { size: Number(spec.sizeBytes) } },
        operation: "grow LUN",
        object: lun.name,
      },
      async () => {
        const [now] = await this.list(call, scope, [spec.name]);
        return (now?.sizeBytes ?? 0n) >= spec.sizeBytes;
      },
    );
  }

  async #growFlexVol(
    call: DeviceCall,
    scope: Scope,
    spec: VolumeSpec,
    found: ReadonlyMap<string, VolumeOnArray>,
  ): Promise<void> {
    const flexVol = found.get(spec.name)?.flexVol;
    const wanted = flexVolBytes(spec.sizeBytes);
    if (flexVol === undefined || (flexVol.size ?? 0n) >= wanted) return;
    const request = {
      method: "PATCH",
      path: `/storage/volumes/${flexVol.uuid}`,
      body: { size: Number(wanted) },
      operation: "grow volume",
      object: spec.name,
      jobMs: volumeJobMs,
    } as const;
    try {
      await this.#client.settle(call, request, async () => {
        const now = (await this.#find(call, scope, [spec.name])).get(spec.name);
        return (now?.flexVol.size ?? 0n) >= wanted;
      });
    } catch (error) {
      throw await this.#explainSpace(call, spec, error);
    }
  }

  /** A LUN answers before it can be used (netapp.ontap issue 135): done is when it says online. */
  async #readBack(
    call: DeviceCall,
    scope: Scope,
    specs: readonly VolumeSpec[],
  ): Promise<readonly VolumeInfo[]> {
    const names = specs.map((spec) => spec.name);
    for (let attempt = 0; ; attempt++) {
      const found = await this.#find(call, scope, names);
      const waiting = names.filter((name) => {
        const lun = found.get(name)?.luns.find((candidate) => candidate.name === lunPath(name));
        return lun === undefined || (lun.status?.state ?? "online") !== "online";
      });
      if (waiting.length === 0) return this.#infos(names, found);
      if (attempt >= 15) {
        const object = waiting.join(", ");
        throw this.#error("timeout", "see online LUN", object, "it was created but is not online");
      }
      await this.#client.sleep(call, 2000);
    }
  }

  #infos(names: readonly string[], found: ReadonlyMap<string, VolumeOnArray>): VolumeInfo[] {
    return names.flatMap((name) => {
      const volume = found.get(name);
      const lun = volume?.luns.find((candidate) => candidate.name === lunPath(name));
      return volume === undefined || lun === undefined ? [] : [this.#info(name, volume, lun)];
    });
  }

  #info(name: string, volume: VolumeOnArray, lun: WireLun): VolumeInfo {
    const { flexVol } = volume;
    return {
      name,
      id: lun.uuid,
      serial: lun.serial_number,
      sizeBytes: lun.space.size,
      pool: flexVol.aggregates?.[0]?.name ?? "",
      deviceName: naaOfSerial(this.#client.device, lun.serial_number),
      thin: flexVol.guarantee?.type === "none",
      bedId: bedOfComment(flexVol.comment),
      mapped: lun.status?.mapped ?? false,
      online: isOnline(volume, lun),
    };
  }

  #error(
    kind: "refused" | "protocol" | "timeout",
    operation: string,
    object: string,
    reason: string,
    remedy?: string,
  ): DeviceError {
    return new DeviceError({
      kind,
      device: this.#client.device,
      operation,
      object,
      reason,
      remedy,
    });
  }
}
