import { parseWwpn } from "../../../bed/identities";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { ArraySurvey, SurveyedMap, SurveyedVolume } from "../array-survey";
import { bedOfIgroup, bedOfLun, grouped, naaOfSerial } from "./naming";
import type { ClusterContent } from "./ontap-inventory";
import type { WireLun } from "./wire";

/** Who is presented with what on a cluster. Pure. */
export function surveyOf(device: string, content: ClusterContent): ArraySurvey {
  const tenantBed = new Map(content.svms.map((svm) => [svm.name, bedOfComment(svm.comment)]));
  return {
    tenants: content.svms.map(({ name }) => ({ name, bedId: tenantBed.get(name) })),
    volumes: volumesOf(device, content),
    groups: content.igroups.map((igroup) => ({
      tenant: igroup.svm.name,
      name: igroup.name,
      bedId: bedOfIgroup(igroup),
      initiators: (igroup.initiators ?? []).flatMap(({ name }) => parseWwpn(name) ?? []),
    })),
    maps: mapsOf(device, content),
    deleted: content.deleted.map((text) => {
      const [tenant = "", name = ""] = text.split("/");
      return { tenant, name, bedId: bedOfName(name) ?? tenantBed.get(tenant) };
    }),
  };
}

function volumesOf(device: string, content: ClusterContent): SurveyedVolume[] {
  const rootOf = (name: string): string => `${name}_root`;
  const lunsIn = grouped(content.luns, (lun) => `${lun.svm.name}/${volumeAround(lun.name)}`);
  return content.volumes
    .filter((one) => one.is_svm_root !== true && one.name !== rootOf(one.svm.name))
    .map((volume) => {
      const luns = lunsIn.get(`${volume.svm.name}/${volume.name}`) ?? [];
      const bed = bedOfComment(volume.comment);
      return {
        tenant: volume.svm.name,
        name: volume.name,
        // A LUN of somebody else in a volume of ours: the whole is no longer ours alone.
        bedId: luns.every((lun) => bedOfLun(lun, content.volumes) === bed) ? bed : undefined,
        units: luns.map((lun) => ({
          path: lun.name,
          device: naaOfSerial(device, lun.serial_number),
        })),
      };
    });
}

function mapsOf(device: string, content: ClusterContent): SurveyedMap[] {
  const luns = new Map<string, WireLun>(content.luns.map((lun) => [lun.uuid, lun]));
  const groups = new Map(content.igroups.map((igroup) => [igroup.uuid, bedOfIgroup(igroup)]));
  return content.maps.flatMap((map) => {
    const lun = luns.get(map.lun.uuid);
    // Made or gone between two requests: the next look has it whole.
    if (lun === undefined) return [];
    const bed = bedOfLun(lun, content.volumes);
    return [
      {
        tenant: map.svm.name,
        volume: volumeAround(map.lun.name),
        group: map.igroup.name,
        device: naaOfSerial(device, lun.serial_number),
        lun: map.logical_unit_number,
        bedId: groups.get(map.igroup.uuid) === bed ? bed : undefined,
      },
    ];
  });
}

/** The volume that a LUN lies in: `/vol/<volume>/...`. */
function volumeAround(path: string): string {
  return /^\/vol\/([^/]+)\//.exec(path)?.[1] ?? path;
}
