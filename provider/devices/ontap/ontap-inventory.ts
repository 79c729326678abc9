import { createHash } from "node:crypto";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { BedId } from "../../../bed/identities";
import type { DataProtocol } from "../data-protocol";
import type { DeviceCall, InventoryObject } from "../call";
import type { OntapGateway } from "./gateway";
import { bedOfGroup, bedOfUnit } from "./naming";
import { sidesOf, type Side } from "./side";

/** Everything of a cluster that a bed could make or change, with whole collections read once each. */
export async function readCluster(ontap: OntapGateway, call: DeviceCall) {
  const [svms, interfaces, volumes, aggregates, deleted, sides] = await Promise.all([
    ontap.svms.list(call),
    ontap.interfaces.list(call),
    ontap.flexVols.list(call),
    ontap.aggregates.list(call),
    ontap.queue.list(call),
    Promise.all(sidesOf(ontap).map((side) => readSide(side, call))),
  ]);
  return { svms, interfaces, volumes, aggregates, deleted, sides };
}

async function readSide(side: Side, call: DeviceCall) {
  const { services, units, groups, maps } = side.calls;
  const [serviceList, unitList, groupList, mapList] = await Promise.all([
    services.list(call),
    units.list(call),
    groups.list(call),
    maps.list(call),
  ]);
  return { side, services: serviceList, units: unitList, groups: groupList, maps: mapList };
}

export type ClusterContent = Awaited<ReturnType<typeof readCluster>>;
export type SideContent = ClusterContent["sides"][number];

/** Classes of the certificate's inventory, by side. */
const classes: Readonly<
  Record<DataProtocol, { service: string; unit: string; group: string; map: string }>
> = {
  fcp: { service: "fcp", unit: "lun", group: "hostGroup", map: "map" },
  "nvme-fc": { service: "nvme", unit: "namespace", group: "subsystem", map: "namespaceMap" },
};

type Add = (kind: string, name: string, bedId: BedId | undefined, settings: unknown) => void;
type TenantBeds = ReadonlyMap<string, BedId | undefined>;

/** Objects with digests over their settings; nothing that moves by use alone. */
export function inventoryOf(content: ClusterContent): readonly InventoryObject[] {
  const objects: InventoryObject[] = [];
  const add: Add = (kind, name, bedId, settings) => {
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
  for (const side of content.sides) addSide(content, side, tenantBed, add);
  return objects.sort((a, b) => `${a.class}/${a.name}`.localeCompare(`${b.class}/${b.name}`));
}

function addVolumes(content: ClusterContent, tenantBed: TenantBeds, add: Add): void {
  for (const volume of content.volumes) {
    const rootOf = volume.isRoot ? tenantBed.get(volume.svm) : undefined;
    const { state, sizeBytes, comment, guarantee, aggregate } = volume;
    const settings = [state, sizeBytes, comment, guarantee, aggregate];
    add("volume", `${volume.svm}/${volume.name}`, bedOfComment(comment) ?? rootOf, settings);
  }
  for (const aggregate of content.aggregates) {
    const { name, node, disks, raid } = aggregate;
    add("pool", name, bedOfName(name), [node, disks, raid]);
  }
}

function addSide(
  { volumes }: ClusterContent,
  { side, services, units, groups, maps }: SideContent,
  tenantBed: TenantBeds,
  add: Add,
): void {
  const { service, unit, group, map } = classes[side.protocol];
  for (const { svm, enabled, target } of services) {
    add("service", `${svm}/${service}`, tenantBed.get(svm), [enabled, target]);
  }
  for (const one of units) {
    const settings = [one.serial, one.osType, one.comment, one.sizeBytes, one.blockBytes];
    add(unit, `${one.svm}${one.path}`, bedOfUnit(one, volumes), settings);
  }
  for (const one of groups) {
    const settings = [one.osType, one.protocol, one.comment, [...one.members].sort()];
    add(group, `${one.svm}/${one.name}`, bedOfGroup(one), settings);
  }
  for (const one of maps) {
    add(map, `${one.svm}/${one.group}${one.path}`, bedOfName(one.group), one.number);
  }
}
