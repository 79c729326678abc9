import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import { formatBytes } from "../units";
import { zoneNames } from "../zone-names";

/**
 * FOS 8.2: 1 MB of zoning database on fixed switches; later releases and directors have more
 * (brocade-zone.yang, `db-max`). Others share it: this is what the bed alone would need.
 */
const zoningDatabase = { kind: "brocade-fos", maxBytes: 1024 ** 2 };
/** A WWPN as text, with what separates it from the next member. */
const memberBytes = 24;

/** Whether the zones of a bed fit into a switch at all. */
export function fabricProblems({ site, zoning, prefix, settings }: BedPlan): Problem[] {
  return (["A", "B"] as const).flatMap((fabric) => {
    const device = site.fabrics[fabric].device;
    if (site.devices[device]?.kind !== zoningDatabase.kind) return [];
    let bytes = 0;
    for (const { host, fabrics } of zoning) {
      const { initiators, targetKeys } = fabrics[fabric];
      for (const adapter of Object.keys(initiators)) {
        const { alias, zone } = zoneNames(settings.bedId, host, adapter, prefix);
        // The alias with its port; the zone with alias and targets; its name in the configuration.
        bytes += 2 * alias.length + memberBytes + 2 * zone.length + targetKeys.length * memberBytes;
      }
    }
    if (bytes <= zoningDatabase.maxBytes) return [];
    return [
      {
        path: `site.fabrics.${fabric}`,
        message: `the zones of the bed need about ${formatBytes(BigInt(bytes))} of the zoning database of ${device}, which has ${formatBytes(BigInt(zoningDatabase.maxBytes))} at least (brocade-zone.yang, db-max)`,
        remedy: "fewer hosts or target ports",
      },
    ];
  });
}
