import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import type { FlexVol, Lun } from "./objects";
import { settle } from "./settle";
import type { VolumeOnArray } from "./volume-decisions";

/** Hosts can use the LUN: neither it nor the FlexVol around it was taken offline. */
export function isOnline({ flexVol }: VolumeOnArray, lun: Lun): boolean {
  return isServed(flexVol) && (lun.state ?? "online") === "online";
}

/**
 * Brings the FlexVol and the LUNs in it back that somebody took offline. The caller knows that they
 * carry our mark.
 */
export async function bringOnline(
  ontap: OntapGateway,
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
    // A LUN in an offline volume shows as offline whatever its own setting is.
    now = await again();
  }
  for (const lun of now?.luns.filter((one) => one.state === "offline") ?? []) {
    await settle(
      ontap,
      call,
      () => ontap.luns.bringOnline(call, lun),
      async () => {
        const seen = (await again())?.luns.find((one) => one.uuid === lun.uuid);
        return seen?.state === "online";
      },
    );
  }
}

function isServed({ state = "online" }: FlexVol): boolean {
  return state === "online";
}
