import { DeviceError } from "../../../bed/errors";
import type { VolumeSpec } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import { allSettledOrThrow, unitPath } from "./naming";
import { explainSpace } from "./pool-space";
import { settle } from "./settle";
import type { Side } from "./side";
import type { VolumeOnArray } from "./volume-decisions";
import { settingChanges, settingWords, type SettingChanges } from "./volume-settings";

type Found = ReadonlyMap<string, VolumeOnArray>;

/**
 * Settings of volumes of the bed that the array made otherwise than asked for (some releases pass over
 * efficiency in a POST: netapp.ontap issue 100, terraform-provider-netapp-ontap issue 618), or that somebody
 * changed since.
 */
export class VolumeAdjustment {
  readonly #ontap: OntapGateway;
  readonly #side: Side;

  constructor(ontap: OntapGateway, side: Side) {
    this.#ontap = ontap;
    this.#side = side;
  }

  /** Sets what differs and proves it. `read` gives all volumes as they are; the last of it is answered. */
  async adjust(
    call: DeviceCall,
    specs: readonly VolumeSpec[],
    read: () => Promise<Found>,
  ): Promise<Found> {
    const found = await read();
    const changes = changesOf(specs, found);
    if (changes.length === 0) return found;
    await allSettledOrThrow(
      changes.map(({ spec, volume, change }) => this.#set(call, spec, volume, change, read)),
    );
    const after = await read();
    const [still] = changesOf(specs, after);
    if (still === undefined) return after;
    throw new DeviceError({
      kind: "protocol",
      device: this.#ontap.device,
      operation: "set volume",
      object: still.spec.name,
      reason: `the array answered success, but a fresh read does not show: ${settingWords(still.change)}`,
      remedy: "See `volume efficiency show` on the array: the platform may not have it.",
    });
  }

  async #set(
    call: DeviceCall,
    spec: VolumeSpec,
    { flexVol, units }: VolumeOnArray,
    { thin, reserved, reduction }: SettingChanges,
    read: () => Promise<Found>,
  ): Promise<void> {
    const { flexVols } = this.#ontap;
    const run = (part: keyof SettingChanges, write: () => Promise<void>): Promise<void> =>
      settle(this.#ontap, call, write, async () => {
        const now = (await read()).get(spec.name);
        return now !== undefined && settingChanges(spec, now)?.[part] === undefined;
      });
    const unit = units.find((one) => one.path === unitPath(spec.name));
    try {
      if (thin !== undefined) await run("thin", () => flexVols.setThin(call, flexVol, thin));
      if (reserved !== undefined && unit !== undefined) {
        await run("reserved", () => this.#side.calls.units.setReserved(call, unit, reserved));
      }
    } catch (error) {
      throw await explainSpace(this.#ontap, call, spec, error);
    }
    if (reduction === undefined) return;
    await run("reduction", () => flexVols.setReduction(call, flexVol, reduction));
  }
}

function changesOf(
  specs: readonly VolumeSpec[],
  found: Found,
): { spec: VolumeSpec; volume: VolumeOnArray; change: SettingChanges }[] {
  return specs.flatMap((spec) => {
    const volume = found.get(spec.name);
    const change = volume === undefined ? undefined : settingChanges(spec, volume);
    return volume === undefined || change === undefined ? [] : [{ spec, volume, change }];
  });
}
