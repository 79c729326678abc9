import { DeviceError, isDeviceError } from "../../../bed/errors";
import { bedOfComment } from "../../../bed/mark";
import type { ArrayMaps, ArrayNamespaceMaps, Scope } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import { decideMaps, type PresentMap, type WantedMap } from "./map-decisions";
import { allSettledOrThrow, groupName, grouped, unitPath, volumeOfPath } from "./naming";
import type { UnitMap } from "./objects";
import type { OntapHosts } from "./ontap-hosts";
import { readBack, settle } from "./settle";
import type { Side } from "./side";

/** LUNs in igroups under fixed numbers, as the contract has them. */
export function lunMaps(maps: OntapMaps): ArrayMaps {
  return {
    list: async (call, scope, group) =>
      (await maps.list(call, scope, group)).map(({ number: lun, volume }) => ({
        volume,
        group,
        lun,
      })),
    ensure: (call, scope, wanted) =>
      maps.ensure(
        call,
        scope,
        wanted.map(({ volume, group, lun: number }) => ({ volume, group, number })),
      ),
    remove: (call, scope, leaving) => maps.remove(call, scope, leaving),
  };
}

/** Namespaces in subsystems; the array gives the numbers. */
export function namespaceMaps(maps: OntapMaps): ArrayNamespaceMaps {
  return {
    list: async (call, scope, group) =>
      (await maps.list(call, scope, group)).map(({ number: nsid, volume }) => ({
        volume,
        group,
        nsid,
      })),
    ensure: (call, scope, wanted) =>
      maps.ensure(
        call,
        scope,
        wanted.map((map) => ({ ...map, number: undefined })),
      ),
    remove: (call, scope, leaving) => maps.remove(call, scope, leaving),
  };
}

/**
 * Maps on ONTAP: one LUN or namespace in one group. The group's name always carries the mark, so a group
 * that is found by it is ours: no request is spent on looking at the group itself.
 */
export class OntapMaps {
  readonly #ontap: OntapGateway;
  readonly #side: Side;
  readonly #hosts: OntapHosts;

  constructor(ontap: OntapGateway, side: Side, hosts: OntapHosts) {
    this.#ontap = ontap;
    this.#side = side;
    this.#hosts = hosts;
  }

  async list(call: DeviceCall, scope: Scope, group: string): Promise<readonly PresentMap[]> {
    const maps = await this.#find(call, scope, group);
    return maps
      .map((map) => ({ volume: volumeOfPath(map.path), group, number: map.number }))
      .sort((a, b) => a.number - b.number);
  }

  async ensure(call: DeviceCall, scope: Scope, maps: readonly WantedMap[]): Promise<void> {
    for (const [name, wanted] of grouped(maps, (map) => map.group)) {
      const [present] = await Promise.all([
        this.list(call, scope, name),
        this.#refuseForeignUnits(call, scope, wanted),
      ]);
      const decision = decideMaps(present, wanted);
      if ("refusal" in decision) {
        const { object, refusal, remedy } = decision;
        throw this.#error("refused", "map volume", object, refusal, remedy);
      }
      await allSettledOrThrow(decision.missing.map((map) => this.#map(call, scope, map)));
      await this.#prove(call, scope, name, wanted, decision.missing.length > 0);
    }
  }

  async remove(
    call: DeviceCall,
    scope: Scope,
    maps: readonly Pick<WantedMap, "volume" | "group">[],
  ): Promise<void> {
    for (const [name, leaving] of grouped(maps, (map) => map.group)) {
      const present = await this.#find(call, scope, name);
      const paths = new Set(leaving.map((map) => unitPath(map.volume)));
      const found = present.filter((map) => paths.has(map.path));
      if (found.length === 0) continue;
      await allSettledOrThrow(found.map((map) => this.#unmap(call, scope, name, map)));
      const left = await readBack(
        this.#ontap,
        call,
        async () => (await this.#find(call, scope, name)).filter((map) => paths.has(map.path)),
        (seen) => seen.length === 0,
      );
      if (left.length === 0) continue;
      const objects = left.map((map) => map.path).join(", ");
      const reason = "the array answered success, but it is still mapped";
      throw this.#error("protocol", "unmap", objects, reason);
    }
  }

  async #find(call: DeviceCall, scope: Scope, group: string): Promise<readonly UnitMap[]> {
    const filter = { svm: scope.target, group: groupName(scope, group) };
    return await this.#side.calls.maps.list(call, filter);
  }

  /** A map is a change of the unit too: those of others are not mapped, and absent ones are named. */
  async #refuseForeignUnits(
    call: DeviceCall,
    scope: Scope,
    wanted: readonly WantedMap[],
  ): Promise<void> {
    const volumes = wanted.map((map) => map.volume);
    const found = await this.#side.calls.units.list(call, { svm: scope.target, volumes });
    const units = new Map(found.map((unit) => [unit.path, unit]));
    const { unit: word } = this.#side.words;
    for (const path of volumes.map(unitPath)) {
      const unit = units.get(path);
      if (unit === undefined) {
        const reason = `SVM ${scope.target} has no such ${word}`;
        const remedy = "Run refresh, then up: it is created again.";
        throw this.#error("notFound", `map ${word}`, path, reason, remedy);
      }
      if (bedOfComment(unit.comment) === scope.bedId) continue;
      const reason = `it does not carry the mark of bed ${scope.bedId}`;
      throw this.#error("refused", `map ${word}`, path, reason);
    }
  }

  async #map(call: DeviceCall, scope: Scope, map: WantedMap): Promise<void> {
    const spec = {
      svm: scope.target,
      path: unitPath(map.volume),
      group: groupName(scope, map.group),
      number: map.number,
    };
    const isMapped = async (): Promise<boolean> =>
      (await this.list(call, scope, map.group)).some(
        (now) =>
          now.volume === map.volume && (map.number === undefined || now.number === map.number),
      );
    for (let attempt = 0; ; attempt++) {
      try {
        await settle(this.#ontap, call, () => this.#side.calls.maps.create(call, spec), isMapped);
        return;
      } catch (error) {
        // Right after its creation a LUN may be unknown to the map for a moment (netapp.ontap issue 135,
        // trident issue 1089 for namespaces).
        const tooEarly = isDeviceError(error, "notFound") && attempt < 5;
        if (!tooEarly || call.signal.aborted)
          throw await this.#explainClash(call, scope, map, error);
        // Unless it is the group that is missing, which is told by its name.
        await this.#hosts.ours(call, scope, map.group);
        await this.#ontap.sleep(call, 1000);
      }
    }
  }

  /** A number that is taken has no documented code: a fresh look tells. */
  async #explainClash(
    call: DeviceCall,
    scope: Scope,
    map: WantedMap,
    error: unknown,
  ): Promise<unknown> {
    if (call.signal.aborted || !isDeviceError(error, "alreadyExists", "refused", "protocol"))
      return error;
    const now = await this.list(call, scope, map.group).catch(() => []);
    const decision = decideMaps(now, [map]);
    if (!("refusal" in decision)) return error;
    return this.#error("refused", "map volume", decision.object, decision.refusal, decision.remedy);
  }

  async #unmap(call: DeviceCall, scope: Scope, group: string, map: UnitMap): Promise<void> {
    await settle(
      this.#ontap,
      call,
      () => this.#side.calls.maps.remove(call, map),
      async () =>
        !(await this.#find(call, scope, group)).some((now) => now.unitUuid === map.unitUuid),
    );
  }

  async #prove(
    call: DeviceCall,
    scope: Scope,
    group: string,
    wanted: readonly WantedMap[],
    changed: boolean,
  ): Promise<void> {
    if (!changed) return;
    const isDone = (seen: readonly PresentMap[]): boolean => {
      const decision = decideMaps(seen, wanted);
      return !("refusal" in decision) && decision.missing.length === 0;
    };
    const seen = await readBack(this.#ontap, call, () => this.list(call, scope, group), isDone);
    if (isDone(seen)) return;
    const object = wanted.map((map) => map.volume).join(", ");
    const reason = "the array answered success, but a fresh read does not show every map";
    throw this.#error("protocol", "map volumes", object, reason);
  }

  #error(
    kind: "refused" | "protocol" | "notFound",
    operation: string,
    object: string,
    reason: string,
    remedy?: string,
  ): DeviceError {
    const { device } = this.#ontap;
    return new DeviceError({ kind, device, operation, object, reason, remedy });
  }
}
