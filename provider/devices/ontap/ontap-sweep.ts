import { DeviceError } from "../../../bed/errors";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { BedId, Naa } from "../../../bed/identities";
import type { BlockArray, PoolBuilder, Scope } from "../block-array";
import type { DeviceCall } from "../call";
import type { ArrayRemains } from "../sweep";
import { bedOfIgroup, bedOfLun, grouped, naaOfSerial, volumeOfLun } from "./naming";
import type { OntapGateway } from "./gateway";
import { readCluster } from "./ontap-inventory";
import { volumeOfEntry } from "./recovery-queue";

/** What hosts call the LUNs of a bed. */
export async function markedDevices(
  ontap: OntapGateway,
  call: DeviceCall,
  bedId: BedId,
): Promise<readonly Naa[]> {
  const content = await readCluster(ontap, call);
  return content.luns
    .filter((lun) => bedOfLun(lun, content.volumes) === bedId)
    .map((lun) => naaOfSerial(ontap.device, lun.serial));
}

/** Everything of a bed that hosts could see or that would keep a tenant from going. */
export async function remainsOf(
  ontap: OntapGateway,
  call: DeviceCall,
  bedId: BedId,
): Promise<ArrayRemains> {
  const content = await readCluster(ontap, call);
  const groups = content.igroups.filter((igroup) => bedOfIgroup(igroup) === bedId);
  const luns = new Map(
    content.luns.filter((lun) => bedOfLun(lun, content.volumes) === bedId).map((l) => [l.uuid, l]),
  );
  return {
    groups: groups.map((igroup) => ({ target: igroup.svm, name: igroup.name })),
    volumes: content.volumes
      .filter((volume) => bedOfComment(volume.comment) === bedId)
      .map((volume) => ({ target: volume.svm, name: volume.name })),
    maps: content.maps.flatMap((map) => {
      const lun = luns.get(map.lunUuid);
      const ours = groups.some((igroup) => igroup.uuid === map.igroupUuid);
      if (lun === undefined || !ours) return [];
      return [
        {
          target: map.svm,
          volume: volumeOfLun(map.path),
          group: map.igroup,
          device: naaOfSerial(ontap.device, lun.serial),
        },
      ];
    }),
  };
}

/** Removes everything of a bed, in the order in which nothing is pulled from under another. */
export async function sweepArray(
  ontap: OntapGateway,
  array: BlockArray & PoolBuilder,
  call: DeviceCall,
  bedId: BedId,
): Promise<readonly string[]> {
  const content = await readCluster(ontap, call);
  const removed: string[] = [];
  const scope = (target: string): Scope => ({ bedId, target });
  const igroups = content.igroups.filter((igroup) => bedOfIgroup(igroup) === bedId);
  refuseForeignMaps(ontap.device, content, igroups, bedId);
  for (const igroup of igroups) {
    const maps = content.maps.filter((map) => map.igroupUuid === igroup.uuid);
    await array.maps.remove(
      call,
      scope(igroup.svm),
      maps.map((map) => ({
        volume: volumeOfLun(map.path),
        group: igroup.name,
        lun: map.lun,
      })),
    );
    removed.push(...maps.map((map) => `map ${igroup.name}${map.path}`));
  }
  const volumes = content.volumes.filter((volume) => bedOfComment(volume.comment) === bedId);
  for (const [svm, list] of grouped(volumes, (volume) => volume.svm)) {
    await array.volumes.remove(
      call,
      scope(svm),
      list.map((volume) => volume.name),
    );
    removed.push(...list.map((volume) => `volume ${svm}/${volume.name}`));
  }
  const deleted = content.deleted.filter(({ entry }) => bedOfName(entry) === bedId);
  for (const [svm, list] of grouped(deleted, (one) => one.svm)) {
    const names = list.flatMap(({ entry }) => volumeOfEntry(entry) ?? []);
    await array.volumes.remove(call, scope(svm), names);
    removed.push(...list.map(({ entry }) => `deletedVolume ${svm}/${entry}`));
  }
  for (const igroup of igroups) {
    await array.hosts.removeGroup(call, scope(igroup.svm), igroup.name);
    removed.push(`hostGroup ${igroup.svm}/${igroup.name}`);
  }
  for (const svm of content.svms.filter((one) => bedOfComment(one.comment) === bedId)) {
    await array.targets.remove(call, scope(svm.name));
    removed.push(`tenant ${svm.name}`);
  }
  for (const pool of content.aggregates.filter((one) => bedOfName(one.name) === bedId)) {
    await array.removePool(call, scope(""), pool.name);
    removed.push(`pool ${pool.name}`);
  }
  return removed;
}

/** Hosts may use what somebody mapped to our igroup: nothing is taken from under them. */
function refuseForeignMaps(
  device: string,
  content: Awaited<ReturnType<typeof readCluster>>,
  igroups: readonly { readonly uuid: string; readonly name: string }[],
  bedId: BedId,
): void {
  const ours = new Set(
    content.luns.filter((lun) => bedOfLun(lun, content.volumes) === bedId).map((lun) => lun.uuid),
  );
  const foreign = content.maps.filter(
    (map) => igroups.some((igroup) => igroup.uuid === map.igroupUuid) && !ours.has(map.lunUuid),
  );
  if (foreign.length === 0) return;
  throw new DeviceError({
    kind: "refused",
    device,
    operation: "sweep",
    object: [...new Set(foreign.map((map) => map.igroup))].join(", "),
    reason: `LUNs that are not the bed's are mapped to it: ${foreign.map((map) => map.path).join(", ")}`,
    remedy: "Let their hosts go, unmap them, then run again. Nothing was removed.",
  });
}
