import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import { formatBytes } from "../units";
import { zoneNames } from "../zone-names";

/** What a kind of switch takes of zoning. Others share it: this is what the bed alone would need. */
interface ZoningLimits {
  readonly bytes: { readonly max: number; readonly source: string };
  readonly members?: { readonly max: number; readonly source: string };
}

const zoningLimits: Readonly<Record<string, ZoningLimits>> = {
  "brocade-fos": {
    // 1 MB on fixed switches up to FOS 8.2; later releases and directors have more.
    bytes: {
      max: 1024 ** 2,
      source: "brocade-zone.yang, db-max; Fabric OS Administrator's Guide, Zone database size",
    },
  },
  "cisco-mds": {
    bytes: { max: 4_000_000, source: "NX-OS, show zone status: usage of 4000000 bytes" },
    members: {
      max: 16_000,
      source: "NX-OS configuration guide, Zoning Features: 16,000 members in a physical fabric",
    },
  },
};
/** A WWPN as text, with what separates it from the next member. */
const memberBytes = 24;

/** Whether the zones of a bed fit into a switch at all. */
export function fabricProblems(plan: BedPlan): Problem[] {
  return (["A", "B"] as const).flatMap((fabric) => {
    const device = plan.site.fabrics[fabric].device;
    const limits = zoningLimits[plan.site.devices[device]?.kind ?? ""];
    if (limits === undefined) return [];
    const { bytes, members } = sizeOf(plan, fabric);
    const path = `site.fabrics.${fabric}`;
    const remedy = "fewer hosts or target ports";
    const problems: Problem[] = [];
    if (bytes > limits.bytes.max) {
      const message = `the zones of the bed need about ${formatBytes(BigInt(bytes))} of the zoning database of ${device}, which has ${formatBytes(BigInt(limits.bytes.max))} at least (${limits.bytes.source})`;
      problems.push({ path, message, remedy });
    }
    const most = limits.members;
    if (most !== undefined && members > most.max) {
      const message = `the zones of the bed have ${members.toString()} members on ${device}, ${(members - most.max).toString()} more than the ${most.max.toString()} it takes (${most.source})`;
      problems.push({ path, message, remedy });
    }
    return problems;
  });
}

function sizeOf(
  { zoning, settings, prefix }: BedPlan,
  fabric: "A" | "B",
): { readonly bytes: number; readonly members: number } {
  let [bytes, members] = [0, 0];
  for (const { host, fabrics } of zoning) {
    const { initiators, targetKeys } = fabrics[fabric];
    for (const adapter of Object.keys(initiators)) {
      const { alias, zone } = zoneNames(settings.bedId, host, adapter, prefix);
      // The alias with its port; the zone with alias and targets; its name in the configuration.
      bytes += 2 * alias.length + memberBytes + 2 * zone.length + targetKeys.length * memberBytes;
      members += 1 + targetKeys.length;
    }
  }
  return { bytes, members };
}
