import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import type { UnitCalls } from "./gateway";
import type { FlexVol, Unit } from "./objects";
import { settle } from "./settle";
import type { VolumeOnArray } from "./volume-decisions";

/** Hosts can use the unit: neither it nor the FlexVol around it was taken offline. */
export function isOnline({ flexVol }: VolumeOnArray, unit: Unit): boolean {
  return isServed(flexVol) && (unit.state ?? "online") === "online";
}

/**
 * Brings the FlexVol and the units in it back that somebody took offline. The caller knows that they
 * carry our mark.
 */
export async function bringOnline(
  ontap: OntapGateway,
  units: UnitCalls,
  call: DeviceCall,
  found: VolumeOnArray | undefined,
  again: () => Promise<VolumeOnArray | undefined>,
): Promise<void> {
  let now = found;
  if (now !== undefined && !isServed(now.flexVol)) {
    const { flexVol } = now;
    await settle(
      ontap,
      call,
      () => ontap.flexVols.bringOnline(call, flexVol),
      async () => (await again())?.flexVol.state === "online",
    );
    // A unit in an offline volume shows as offline whatever its own setting is.
    now = await again();
  }
  for (const unit of now?.units.filter((one) => one.state === "offline") ?? []) {
    await settle(
      ontap,
      call,
      () => units.bringOnline(call, unit),
      async () => {
        const seen = (await again())?.units.find((one) => one.uuid === unit.uuid);
        return seen?.state === "online";
      },
    );
  }
}

function isServed({ state = "online" }: FlexVol): boolean {
  return state === "online";
}
