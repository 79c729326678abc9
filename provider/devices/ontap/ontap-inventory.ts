import { createHash } from "node:crypto";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { BedId } from "../../../bed/identities";
import type { DeviceCall, InventoryObject } from "../call";
import type { OntapGateway } from "./gateway";
import { bedOfIgroup, bedOfLun } from "./naming";

/** Everything of a cluster that a bed could make or change, with whole collections read once each. */
export async function readCluster(ontap: OntapGateway, call: DeviceCall) {
  const [svms, services, interfaces, volumes, luns, igroups, maps, aggregates, deleted] =
    await Promise.all([
      ontap.svms.list(call),
      ontap.services.list(call),
      ontap.interfaces.list(call),
      ontap.flexVols.list(call),
      ontap.luns.list(call),
      ontap.igroups.list(call),
      ontap.maps.list(call),
      ontap.aggregates.list(call),
      ontap.queue.list(call),
    ]);
  return { svms, services, interfaces, volumes, luns, igroups, maps, aggregates, deleted };
}

export type ClusterContent = Awaited<ReturnType<typeof readCluster>>;

/** Objects with digests over their settings; nothing that moves by use alone. */
export function inventoryOf(content: ClusterContent): readonly InventoryObject[] {
  const objects: InventoryObject[] = [];
  const add = (kind: string, name: string, bedId: BedId | undefined, settings: unknown): void => {
    const text = JSON.stringify(settings, (_key, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    );
    objects.push({
      class: kind,
      name,
      bedId,
      digest: createHash("sha256").update(text).digest("hex"),
    });
  };
  const tenantBed = new Map(content.svms.map((svm) => [svm.name, bedOfComment(svm.comment)]));
  for (const svm of content.svms) {
    const settings = [svm.state, svm.comment, [...svm.aggregates].sort()];
    add("tenant", svm.name, tenantBed.get(svm.name), settings);
  }
  for (const service of content.services) {
    const settings = [service.enabled, service.wwnn];
    add("service", `${service.svm}/fcp`, tenantBed.get(service.svm), settings);
  }
  for (const port of content.interfaces) {
    const bed = bedOfComment(port.comment) ?? tenantBed.get(port.svm);
    const settings = [
      port.wwpn,
      port.enabled,
      port.protocol,
      port.comment,
      port.homeNode,
      port.homePort,
    ];
    add("targetPort", `${port.svm}/${port.name}`, bed, settings);
  }
  addVolumes(content, tenantBed, add);
  for (const { svm, entry } of content.deleted) {
    add("deletedVolume", `${svm}/${entry}`, bedOfName(entry) ?? tenantBed.get(svm), null);
  }
  for (const igroup of content.igroups) {
    const members = [...igroup.initiators].sort();
    const settings = [igroup.osType, igroup.protocol, igroup.comment, members];
    add("hostGroup", `${igroup.svm}/${igroup.name}`, bedOfIgroup(igroup), settings);
  }
  for (const map of content.maps) {
    add("map", `${map.svm}/${map.igroup}${map.path}`, bedOfName(map.igroup), map.lun);
  }
  return objects.sort((a, b) => `${a.class}/${a.name}`.localeCompare(`${b.class}/${b.name}`));
}

function addVolumes(
  content: ClusterContent,
  tenantBed: ReadonlyMap<string, BedId | undefined>,
  add: (kind: string, name: string, bedId: BedId | undefined, settings: unknown) => void,
): void {
  for (const volume of content.volumes) {
    const rootOf = volume.isRoot ? tenantBed.get(volume.svm) : undefined;
    const { state, sizeBytes, comment, guarantee, aggregate } = volume;
    const settings = [state, sizeBytes, comment, guarantee, aggregate];
    const bed = bedOfComment(comment) ?? rootOf;
    add("volume", `${volume.svm}/${volume.name}`, bed, settings);
  }
  for (const lun of content.luns) {
    const settings = [lun.serial, lun.osType, lun.comment, lun.sizeBytes];
    add("lun", `${lun.svm}${lun.path}`, bedOfLun(lun, content.volumes), settings);
  }
  for (const aggregate of content.aggregates) {
    const { name, node, disks, raid } = aggregate;
    add("pool", name, bedOfName(name), [node, disks, raid]);
  }
}
