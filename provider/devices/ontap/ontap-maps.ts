import { DeviceError, isDeviceError } from "../../../bed/errors";
import { bedOfComment } from "../../../bed/mark";
import type { ArrayMaps, Scope, VolumeMapping } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import { decideMaps } from "./map-decisions";
import {
  allSettledOrThrow,
  bedOfIgroup,
  grouped,
  igroupName,
  lunPath,
  volumeOfLun,
} from "./naming";
import type { Igroup, LunMap } from "./objects";
import type { OntapHosts } from "./ontap-hosts";
import { settle } from "./settle";

/** LUN maps on ONTAP: one LUN in one igroup under a fixed number. */
export class OntapMaps implements ArrayMaps {
  readonly #ontap: OntapGateway;
  readonly #hosts: OntapHosts;

  constructor(ontap: OntapGateway, hosts: OntapHosts) {
    this.#ontap = ontap;
    this.#hosts = hosts;
  }

  async list(call: DeviceCall, scope: Scope, group: string): Promise<readonly VolumeMapping[]> {
    const maps = await this.#find(call, scope, group);
    return maps
      .map((map) => ({
        volume: volumeOfLun(map.path),
        group,
        lun: map.lun,
      }))
      .sort((a, b) => a.lun - b.lun);
  }

  async ensure(call: DeviceCall, scope: Scope, maps: readonly VolumeMapping[]): Promise<void> {
    for (const [group, wanted] of grouped(maps, (map) => map.group)) {
      const [igroup, present] = await Promise.all([
        this.#hosts.ours(call, scope, group),
        this.list(call, scope, group),
        this.#refuseForeignLuns(call, scope, wanted),
      ]);
      const decision = decideMaps(present, wanted);
      if ("refusal" in decision) {
        throw this.#error(
          "refused",
          "map volume",
          decision.object,
          decision.refusal,
          decision.remedy,
        );
      }
      await allSettledOrThrow(decision.missing.map((map) => this.#map(call, scope, igroup, map)));
      await this.#prove(call, scope, group, wanted, decision.missing.length > 0);
    }
  }

  async remove(call: DeviceCall, scope: Scope, maps: readonly VolumeMapping[]): Promise<void> {
    for (const [group, leaving] of grouped(maps, (map) => map.group)) {
      const [igroup, present] = await Promise.all([
        this.#hosts.find(call, scope, group),
        this.#find(call, scope, group),
      ]);
      if (igroup === undefined) continue;
      const names = new Set(leaving.map((map) => lunPath(map.volume)));
      const found = present.filter((map) => names.has(map.path));
      if (found.length === 0) continue;
      if (bedOfIgroup(igroup) !== scope.bedId) {
        const reason = `it does not carry the mark of bed ${scope.bedId}`;
        throw this.#error("refused", "unmap from igroup", igroup.name, reason);
      }
      await allSettledOrThrow(found.map((map) => this.#unmap(call, scope, group, map)));
      const left = (await this.#find(call, scope, group)).filter((map) => names.has(map.path));
      if (left.length === 0) continue;
      const objects = left.map((map) => map.path).join(", ");
      throw this.#error(
        "protocol",
        "unmap",
        objects,
        "the array answered success, but it is still mapped",
      );
    }
  }

  async #find(call: DeviceCall, scope: Scope, group: string): Promise<readonly LunMap[]> {
    const filter = { svm: scope.target, igroup: igroupName(scope, group) };
    return await this.#ontap.maps.list(call, filter);
  }

  /** A map is a change of the LUN too: those of others are not mapped, and absent ones are named. */
  async #refuseForeignLuns(
    call: DeviceCall,
    scope: Scope,
    wanted: readonly VolumeMapping[],
  ): Promise<void> {
    const volumes = wanted.map((map) => map.volume);
    const found = await this.#ontap.luns.list(call, { svm: scope.target, volumes });
    const luns = new Map(found.map((lun) => [lun.path, lun]));
    for (const path of volumes.map(lunPath)) {
      const lun = luns.get(path);
      if (lun === undefined) {
        const remedy = "Run refresh, then up: it is created again.";
        throw this.#error(
          "notFound",
          "map LUN",
          path,
          `SVM ${scope.target} has no such LUN`,
          remedy,
        );
      }
      if (bedOfComment(lun.comment) === scope.bedId) continue;
      throw this.#error(
        "refused",
        "map LUN",
        path,
        `it does not carry the mark of bed ${scope.bedId}`,
      );
    }
  }

  async #map(call: DeviceCall, scope: Scope, igroup: Igroup, map: VolumeMapping): Promise<void> {
    const spec = {
      svm: scope.target,
      path: lunPath(map.volume),
      igroup: igroup.name,
      lun: map.lun,
    };
    const isMapped = async (): Promise<boolean> =>
      (await this.list(call, scope, map.group)).some(
        (now) => now.volume === map.volume && now.lun === map.lun,
      );
    for (let attempt = 0; ; attempt++) {
      try {
        await settle(this.#ontap, call, () => this.#ontap.maps.create(call, spec), isMapped);
        return;
      } catch (error) {
        // Right after its creation a LUN may be unknown to the map for a moment (netapp.ontap issue 135).
        const tooEarly = isDeviceError(error, "notFound") && attempt < 5;
        if (!tooEarly || call.signal.aborted)
          throw await this.#explainClash(call, scope, map, error);
        await this.#ontap.sleep(call, 1000);
      }
    }
  }

  /** A number that is taken has no documented code: a fresh look tells. */
  async #explainClash(
    call: DeviceCall,
    scope: Scope,
    map: VolumeMapping,
    error: unknown,
  ): Promise<unknown> {
    if (call.signal.aborted || !isDeviceError(error, "alreadyExists", "refused", "protocol"))
      return error;
    const now = await this.list(call, scope, map.group).catch(() => []);
    const decision = decideMaps(now, [map]);
    if (!("refusal" in decision)) return error;
    return this.#error("refused", "map volume", decision.object, decision.refusal, decision.remedy);
  }

  async #unmap(call: DeviceCall, scope: Scope, group: string, map: LunMap): Promise<void> {
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.maps.remove(call, map),
      async () =>
        !(await this.#find(call, scope, group)).some((now) => now.lunUuid === map.lunUuid),
    );
  }

  async #prove(
    call: DeviceCall,
    scope: Scope,
    group: string,
    wanted: readonly VolumeMapping[],
    changed: boolean,
  ): Promise<void> {
    if (!changed) return;
    const decision = decideMaps(await this.list(call, scope, group), wanted);
    if (!("refusal" in decision) && decision.missing.length === 0) return;
    const object = wanted.map((map) => map.volume).join(", ");
    throw this.#error(
      "protocol",
      "map volumes",
      object,
      "the array answered success, but a fresh read does not show every map",
    );
  }

  #error(
    kind: "refused" | "protocol" | "notFound",
    operation: string,
    object: string,
    reason: string,
    remedy?: string,
  ): DeviceError {
    return new DeviceError({
      kind,
      device: this.#ontap.device,
      operation,
      object,
      reason,
      remedy,
    });
  }
}
