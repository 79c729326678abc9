import { DeviceError } from "../../../bed/errors";
import { bedOfComment, markComment } from "../../../bed/mark";
import type { ArrayVolumes, Scope, VolumeInfo, VolumeSpec } from "../block-array";
import type { DeviceCall } from "../call";
import { findVolumes } from "./find-volumes";
import type { OntapGateway } from "./gateway";
import { allSettledOrThrow, unitPath } from "./naming";
import type { Unit } from "./objects";
import { explainSpace } from "./pool-space";
import { settle } from "./settle";
import { sidesOf, type Side } from "./side";
import { VolumeAdjustment } from "./volume-adjustment";
import { decideVolume, flexVolBytes, type VolumeOnArray } from "./volume-decisions";
import { bringOnline, isOnline } from "./volume-online";
import { VolumeRemoval } from "./volume-removal";
import { isThin } from "./volume-settings";

/**
 * Volumes on ONTAP: one FlexVol for one LUN or namespace of the same name, both with the mark in the
 * comment.
 */
export class OntapVolumes implements ArrayVolumes {
  readonly #ontap: OntapGateway;
  readonly #side: Side;
  readonly #removal: VolumeRemoval;
  readonly #adjustment: VolumeAdjustment;

  constructor(ontap: OntapGateway, side: Side) {
    this.#ontap = ontap;
    this.#side = side;
    this.#adjustment = new VolumeAdjustment(ontap, side);
    this.#removal = new VolumeRemoval(ontap, (call, scope, names) =>
      this.#find(call, scope, names, sidesOf(ontap)),
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
    // All refusals before the first write: half a group helps nobody.
    const { found, decided } = await this.#decide(call, scope, specs);
    let done = 0;
    const tell = (): void => {
      done++;
      call.status?.(
        `${this.#ontap.device}: ${done.toString()} of ${specs.length.toString()} volumes`,
      );
    };
    await allSettledOrThrow(
      decided.map(async ({ spec, decision }) => {
        await bringOnline(
          this.#ontap,
          this.#side.calls.units,
          call,
          found.get(spec.name),
          async () => (await this.#find(call, scope, [spec.name])).get(spec.name),
        );
        if (decision.kind === "create") await this.#createFlexVol(call, scope, spec);
        if (decision.kind === "createUnit" && decision.growFlexVol) {
          await this.#growFlexVol(call, scope, spec, found);
        }
        if (decision.kind === "create" || decision.kind === "createUnit") {
          await this.#createUnit(call, scope, spec);
        }
        if (decision.kind === "grow") await this.#grow(call, scope, spec, decision.unit, found);
        tell();
      }),
    );
    const read = (): Promise<Map<string, VolumeOnArray>> => this.#readBack(call, scope, specs);
    return this.#infos(namesOf(specs), await this.#adjustment.adjust(call, specs, read));
  }

  async examine(call: DeviceCall, scope: Scope, specs: readonly VolumeSpec[]): Promise<void> {
    await this.#decide(call, scope, specs);
  }

  async #decide(call: DeviceCall, scope: Scope, specs: readonly VolumeSpec[]) {
    const found = await this.#find(call, scope, namesOf(specs));
    const { fixedSize } = this.#side.calls.units;
    const decided = specs.map((spec) => {
      const decision = decideVolume(spec, found.get(spec.name), scope.bedId, fixedSize);
      if (decision.kind !== "refuse") return { spec, decision };
      const { operation = "create volume", reason, remedy } = decision;
      throw this.#error("refused", operation, spec.name, reason, remedy);
    });
    return { found, decided };
  }

  async remove(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<void> {
    if (names.length > 0) await this.#removal.remove(call, scope, names);
  }

  /** The FlexVols of these names with all units of the sides in them, whoever made them. */
  async #find(
    call: DeviceCall,
    scope: Scope,
    names: readonly string[],
    sides: readonly Side[] = [this.#side],
  ): Promise<Map<string, VolumeOnArray>> {
    return await findVolumes(this.#ontap, call, { svm: scope.target, volumes: names }, sides);
  }

  async #createFlexVol(call: DeviceCall, scope: Scope, spec: VolumeSpec): Promise<void> {
    const flexVol = {
      svm: scope.target,
      name: spec.name,
      aggregate: spec.pool,
      sizeBytes: flexVolBytes(spec.sizeBytes),
      thin: spec.thin,
      reduction: spec.dataReduction,
      comment: markComment(scope.bedId, "volume"),
    };
    try {
      await settle(
        this.#ontap,
        call,
        () => this.#ontap.flexVols.create(call, flexVol),
        async () => {
          const made = (await this.#find(call, scope, [spec.name])).get(spec.name);
          return made !== undefined && bedOfComment(made.flexVol.comment) === scope.bedId;
        },
      );
    } catch (error) {
      throw await explainSpace(this.#ontap, call, spec, error);
    }
  }

  async #createUnit(call: DeviceCall, scope: Scope, spec: VolumeSpec): Promise<void> {
    const unit = {
      svm: scope.target,
      path: unitPath(spec.name),
      sizeBytes: spec.sizeBytes,
      thin: spec.thin,
      comment: markComment(scope.bedId, "volume"),
    };
    await settle(
      this.#ontap,
      call,
      () => this.#side.calls.units.create(call, unit),
      async () => {
        const made = (await this.#find(call, scope, [spec.name])).get(spec.name)?.units ?? [];
        return made.some(
          (one) => one.path === unit.path && bedOfComment(one.comment) === scope.bedId,
        );
      },
    );
  }

  async #grow(
    call: DeviceCall,
    scope: Scope,
    spec: VolumeSpec,
    unit: Unit,
    found: ReadonlyMap<string, VolumeOnArray>,
  ): Promise<void> {
    await this.#growFlexVol(call, scope, spec, found);
    await settle(
      this.#ontap,
      call,
      () => this.#side.calls.units.resize(call, unit, spec.sizeBytes),
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
    if (flexVol === undefined || (flexVol.sizeBytes ?? 0n) >= wanted) return;
    try {
      await settle(
        this.#ontap,
        call,
        () => this.#ontap.flexVols.resize(call, flexVol, wanted),
        async () => {
          const now = (await this.#find(call, scope, [spec.name])).get(spec.name);
          return (now?.flexVol.sizeBytes ?? 0n) >= wanted;
        },
      );
    } catch (error) {
      throw await explainSpace(this.#ontap, call, spec, error);
    }
  }

  /** A LUN answers before it can be used (netapp.ontap issue 135): done is when it says online. */
  async #readBack(
    call: DeviceCall,
    scope: Scope,
    specs: readonly VolumeSpec[],
  ): Promise<Map<string, VolumeOnArray>> {
    const names = namesOf(specs);
    for (let attempt = 0; ; attempt++) {
      const found = await this.#find(call, scope, names);
      const waiting = names.filter((name) => {
        const unit = unitOf(name, found.get(name));
        return unit === undefined || (unit.state ?? "online") !== "online";
      });
      if (waiting.length === 0) return found;
      if (attempt >= 15) {
        const object = waiting.join(", ");
        throw this.#error(
          "timeout",
          `see online ${this.#side.words.unit}`,
          object,
          "it was created but is not online",
        );
      }
      await this.#ontap.sleep(call, 2000);
    }
  }

  #infos(names: readonly string[], found: ReadonlyMap<string, VolumeOnArray>): VolumeInfo[] {
    return names.flatMap((name) => {
      const volume = found.get(name);
      const unit = unitOf(name, volume);
      return volume === undefined || unit === undefined ? [] : [this.#info(name, volume, unit)];
    });
  }

  #info(name: string, volume: VolumeOnArray, unit: Unit): VolumeInfo {
    const { flexVol } = volume;
    return {
      name,
      id: unit.uuid,
      serial: unit.serial,
      sizeBytes: unit.sizeBytes,
      pool: flexVol.aggregate ?? "",
      deviceName: this.#side.deviceName(unit),
      thin: isThin(flexVol, unit),
      dataReduction: flexVol.reduction,
      bedId: bedOfComment(flexVol.comment),
      mapped: unit.mapped,
      online: isOnline(volume, unit),
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
      device: this.#ontap.device,
      operation,
      object,
      reason,
      remedy,
    });
  }
}

function unitOf(name: string, volume: VolumeOnArray | undefined): Unit | undefined {
  return volume?.units.find((candidate) => candidate.path === unitPath(name));
}

function namesOf(specs: readonly VolumeSpec[]): string[] {
  return specs.map((spec) => spec.name);
}
