import { createHash } from "node:crypto";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { BedId } from "../../../bed/identities";
import type { DeviceCall, InventoryObject } from "../call";
import { bedOfIgroup, bedOfLun } from "./naming";
import type { OntapClient } from "./ontap-client";
import { RecoveryQueue } from "./recovery-queue";
import {
  aggregateShape,
  fcInterfaceShape,
  fcpServiceShape,
  igroupShape,
  lunMapShape,
  lunShape,
  svmShape,
  volumeShape,
} from "./wire";

/** Everything of a cluster that a bed could make or change, with whole collections read once each. */
export async function readCluster(client: OntapClient, call: DeviceCall) {
  const comment = (await client.has(call, "igroupComment")) ? ",comment" : "";
  const read = { operation: "take the inventory" };
  const [svms, services, interfaces, volumes, luns, igroups, maps, aggregates, deleted] =
    await Promise.all([
      client.list(call, svmShape, {
        path: "/svm/svms",
        query: { fields: "uuid,name,state,comment,aggregates" },
        ...read,
      }),
      client.list(call, fcpServiceShape, {
        path: "/protocols/san/fcp/services",
        query: { fields: "svm.name,svm.uuid,enabled,target.name" },
        ...read,
      }),
      client.list(call, fcInterfaceShape, {
        path: "/network/fc/interfaces",
        query: {
          fields: "uuid,name,svm.name,data_protocol,enabled,state,wwpn,wwnn,comment,location",
        },
        ...read,
      }),
      client.list(call, volumeShape, {
        path: "/storage/volumes",
        query: {
          fields:
            "uuid,name,svm.name,state,size,comment,aggregates.name,guarantee.type,is_svm_root",
        },
        ...read,
      }),
      client.list(call, lunShape, {
        path: "/storage/luns",
        query: {
          fields:
            "uuid,name,svm.name,serial_number,os_type,comment,location.volume.name,space.size,space.guarantee.requested",
        },
        ...read,
      }),
      client.list(call, igroupShape, {
        path: "/protocols/san/igroups",
        query: { fields: `uuid,name,svm.name,os_type,protocol,initiators${comment}` },
        ...read,
      }),
      client.list(call, lunMapShape, {
        path: "/protocols/san/lun-maps",
        query: { fields: "svm.name,logical_unit_number,lun.name,lun.uuid,igroup.name,igroup.uuid" },
        ...read,
      }),
      client.list(call, aggregateShape, {
        path: "/storage/aggregates",
        query: {
          fields:
            "uuid,name,state,node.name,block_storage.primary.disk_count,block_storage.primary.raid_type",
        },
        ...read,
      }),
      new RecoveryQueue(client).list(call),
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
    const pools = (svm.aggregates ?? []).map((aggregate) => aggregate.name).sort();
    add("tenant", svm.name, tenantBed.get(svm.name), [svm.state, svm.comment, pools]);
  }
  for (const service of content.services) {
    const { name } = service.svm;
    add("service", `${name}/fcp`, tenantBed.get(name), [service.enabled, service.target?.name]);
  }
  for (const port of content.interfaces) {
    const bed = bedOfComment(port.comment) ?? tenantBed.get(port.svm.name);
    const home = port.location?.home_port;
    const settings = [
      port.wwpn,
      port.enabled,
      port.data_protocol,
      port.comment,
      home?.node?.name,
      home?.name,
    ];
    add("targetPort", `${port.svm.name}/${port.name}`, bed, settings);
  }
  addVolumes(content, tenantBed, add);
  for (const name of content.deleted) {
    add("deletedVolume", name, bedOfDeleted(name, tenantBed), null);
  }
  for (const igroup of content.igroups) {
    const members = (igroup.initiators ?? []).map((initiator) => initiator.name).sort();
    const settings = [igroup.os_type, igroup.protocol, igroup.comment, members];
    add("hostGroup", `${igroup.svm.name}/${igroup.name}`, bedOfIgroup(igroup), settings);
  }
  for (const map of content.maps) {
    const name = `${map.svm.name}/${map.igroup.name}${map.lun.name}`;
    add("map", name, bedOfName(map.igroup.name), map.logical_unit_number);
  }
  return objects.sort((a, b) => `${a.class}/${a.name}`.localeCompare(`${b.class}/${b.name}`));
}

function bedOfDeleted(
  name: string,
  tenantBed: ReadonlyMap<string, BedId | undefined>,
): BedId | undefined {
  const [tenant = "", entry = ""] = name.split("/");
  return bedOfName(entry) ?? tenantBed.get(tenant);
}

function addVolumes(
  content: ClusterContent,
  tenantBed: ReadonlyMap<string, BedId | undefined>,
  add: (kind: string, name: string, bedId: BedId | undefined, settings: unknown) => void,
): void {
  for (const volume of content.volumes) {
    const root = volume.is_svm_root === true || volume.name === `${volume.svm.name}_root`;
    const bed = bedOfComment(volume.comment) ?? (root ? tenantBed.get(volume.svm.name) : undefined);
    const pools = (volume.aggregates ?? []).map((aggregate) => aggregate.name);
    const settings = [volume.state, volume.size, volume.comment, volume.guarantee?.type, pools];
    add("volume", `${volume.svm.name}/${volume.name}`, bed, settings);
  }
  for (const lun of content.luns) {
    const settings = [lun.serial_number, lun.os_type, lun.comment, lun.space.size];
    add("lun", `${lun.svm.name}${lun.name}`, bedOfLun(lun, content.volumes), settings);
  }
  for (const aggregate of content.aggregates) {
    const { disk_count: disks, raid_type: raid } = aggregate.block_storage?.primary ?? {};
    add("pool", aggregate.name, bedOfName(aggregate.name), [aggregate.node?.name, disks, raid]);
  }
}
