import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";

/** What the snapshot says of entries on the array: those of the site that are to be used, and the bed's own. */
export function occupancyProblems(plan: BedPlan): Problem[] {
  const { occupancy } = plan.site;
  if (occupancy === undefined || occupancy.hostEntries.length === 0) return [];
  // Where an array has tenants the snapshot names them too: `svm_erp/ig_erp_db`.
  const known = new Set(
    occupancy.hostEntries.flatMap((name) => [name, name.slice(name.lastIndexOf("/") + 1)]),
  );
  const when = occupancy.takenAt === undefined ? "" : ` of ${occupancy.takenAt}`;
  const missing = plan.hosts.flatMap(({ name, entry }): Problem[] => {
    if (entry === undefined || known.has(entry.name)) return [];
    return [
      {
        path: `site.hosts.${name}.entry`,
        message: `host ${name} is to use the entry ${entry.name}, which the snapshot${when} does not know on the array`,
        remedy: "correct the name, or renew the snapshot: sanbed discover",
      },
    ];
  });
  const used = new Set(plan.hosts.flatMap(({ entry }) => entry?.name ?? []));
  const standing = plan.hostGroups.flatMap(({ name }): Problem[] => {
    if (used.has(name) || !known.has(name)) return [];
    return [
      {
        path: "site.occupancy.hostEntries",
        message: `the bed's own host group ${name} is in the snapshot${when}, so the bed stands, and its LUN numbers count as taken`,
        remedy: `renew it without the bed's own: sanbed discover --bed ${plan.settings.bedId}`,
      },
    ];
  });
  return [...missing, ...standing];
}
