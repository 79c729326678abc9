import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import { zoneNames } from "../zone-names";

/** Names that are different in the plan and the same on the device. */
export function nameProblems(plan: BedPlan): Problem[] {
  const { bedId } = plan.settings;
  const volumes = plan.volumeGroups.flatMap((group) =>
    group.volumes.map((volume) => ({ ...volume, of: `${group.name}/${volume.key}` })),
  );
  return [
    ...unique(
      "site.hosts",
      "alias",
      plan.hosts.flatMap((host) =>
        host.hbas.map((hba) => [
          zoneNames(bedId, host.name, hba.adapter, plan.prefix).alias,
          `${host.name} ${hba.adapter}`,
        ]),
      ),
    ),
    ...unique(
      "volumeGroups",
      "volume",
      volumes.map((v) => [v.name, v.of]),
    ),
    ...unique(
      "volumeGroups",
      "datastore",
      volumes.map((v) => [v.datastore, v.of]),
    ),
    ...unique(
      "guests",
      "guest",
      plan.guests.map((guest, index) => [
        guest.name,
        `${guest.class} ${guest.key} (number ${(index + 1).toString()})`,
      ]),
    ),
  ];
}

function unique(
  path: string,
  what: string,
  names: readonly (readonly [string, string])[],
): Problem[] {
  const owner = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [name, of] of names) {
    const other = owner.get(name);
    if (other !== undefined && other !== of) {
      problems.push({
        path,
        message: `${of} and ${other} would both be ${what} ${name}`,
        remedy: "names must differ in more than the characters that the device does not take",
      });
    }
    owner.set(name, of);
  }
  return problems;
}
