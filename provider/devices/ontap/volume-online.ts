import type { DeviceCall } from "../call";
import type { OntapClient } from "./ontap-client";
import type { VolumeOnArray } from "./volume-decisions";
import type { WireLun, WireVolume } from "./wire";

const volumeJobMs = 300_000;

/** Hosts can use the LUN: neither it nor the FlexVol around it was taken offline. */
export function isOnline({ flexVol }: VolumeOnArray, lun: WireLun): boolean {
  return isServed(flexVol) && (lun.status?.state ?? "online") === "online";
}

/**
 * Brings the FlexVol and the LUNs in it back that somebody took offline (ONTAP REST: `state` of a
 * volume, `enabled` of a LUN). The caller knows that they carry our mark.
 */
export async function bringOnline(
  client: OntapClient,
  call: DeviceCall,
  found: VolumeOnArray | undefined,
  again: () => Promise<VolumeOnArray | undefined>,
): Promise<void> {
  let now = found;
  if (now !== undefined && !isServed(now.flexVol)) {
    const request = {
      method: "PATCH",
      path: `/storage/volumes/${now.flexVol.uuid}`,
      body: { state: "online" },
      operation: "bring volume online",
      object: now.flexVol.name,
      jobMs: volumeJobMs,
    } as const;
    await client.settle(call, request, async () => (await again())?.flexVol.state === "online");
    // A LUN in an offline volume shows as offline whatever its own setting is.
    now = await again();
  }
  for (const lun of now?.luns.filter((one) => one.status?.state === "offline") ?? []) {
    const request = {
      method: "PATCH",
      path: `/storage/luns/${lun.uuid}`,
      body: { enabled: true },
      operation: "bring LUN online",
      object: lun.name,
    } as const;
    await client.settle(call, request, async () => {
      const seen = (await again())?.luns.find((one) => one.uuid === lun.uuid);
      return seen?.status?.state === "online";
    });
  }
}

function isServed({ state = "online" }: WireVolume): boolean {
  return state === "online";
}
