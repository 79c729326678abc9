import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { ArraySurvey, SurveyedMap, SurveyedVolume } from "../array-survey";
import { bedOfGroup, bedOfUnit, grouped } from "./naming";
import type { Unit } from "./objects";
import type { ClusterContent, SideContent } from "./ontap-inventory";

/** Who is presented with what on a cluster, LUNs and namespaces alike. Pure. */
export function surveyOf(content: ClusterContent): ArraySurvey {
  const { sides, svms } = content;
  const tenantBed = new Map(svms.map((svm) => [svm.name, bedOfComment(svm.comment)]));
  return {
    tenants: svms.map(({ name }) => ({ name, bedId: tenantBed.get(name) })),
    volumes: volumesOf(content),
    groups: sides.flatMap(({ side, groups }) =>
      groups.map((group) => ({
        tenant: group.svm,
        name: group.name,
        bedId: bedOfGroup(group),
        initiators: group.members.flatMap((member) => side.parseMember(member) ?? []),
      })),
    ),
    maps: sides.flatMap((side) => mapsOf(side, content)),
    deleted: content.deleted.map(({ svm, entry }) => ({
      tenant: svm,
      name: entry,
      bedId: bedOfName(entry) ?? tenantBed.get(svm),
    })),
  };
}

function volumesOf({ sides, volumes }: ClusterContent): SurveyedVolume[] {
  const all = sides.flatMap(({ side, units }) => units.map((unit) => ({ side, unit })));
  const unitsIn = grouped(all, ({ unit }) => `${unit.svm}/${volumeAround(unit.path)}`);
  return volumes
    .filter((one) => !one.isRoot)
    .map((volume) => {
      const inside = unitsIn.get(`${volume.svm}/${volume.name}`) ?? [];
      const bed = bedOfComment(volume.comment);
      return {
        tenant: volume.svm,
        name: volume.name,
        // A LUN of somebody else in a volume of ours: the whole is no longer ours alone.
        bedId: inside.every(({ unit }) => bedOfUnit(unit, volumes) === bed) ? bed : undefined,
        units: inside.map(({ side, unit }) => ({ path: unit.path, device: side.deviceName(unit) })),
      };
    });
}

function mapsOf(content: SideContent, { volumes }: ClusterContent): SurveyedMap[] {
  const units = new Map<string, Unit>(content.units.map((unit) => [unit.uuid, unit]));
  const groups = new Map(content.groups.map((group) => [group.uuid, bedOfGroup(group)]));
  return content.maps.flatMap((map) => {
    const unit = units.get(map.unitUuid);
    // Made or gone between two requests: the next look has it whole.
    if (unit === undefined) return [];
    const bed = bedOfUnit(unit, volumes);
    return [
      {
        tenant: map.svm,
        volume: volumeAround(map.path),
        group: map.group,
        device: content.side.deviceName(unit),
        lun: map.number,
        bedId: groups.get(map.groupUuid) === bed ? bed : undefined,
      },
    ];
  });
}

/** The volume that a LUN or namespace lies in: `/vol/<volume>/...`. */
function volumeAround(path: string): string {
  return /^\/vol\/([^/]+)\//.exec(path)?.[1] ?? path;
}
