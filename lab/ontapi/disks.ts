import { attribute } from "../ontap/context";
import { type Disk, diskModel, disksOf } from "../ontap/disks";
import type { Api, Apis, ZapiCall } from "./api";
import { leaves } from "./shape";
import type { ZNode } from "./xml";

const sectorBytes = 4096n;

const getIter: Api = {
  scope: "cluster",
  record: "storage-disk-info",
  shape: {
    ...leaves("disk-name disk-uid node-name"),
    "disk-inventory-info": leaves(
      "bytes-per-sector capacity-sectors carrier-id carrier-serialno checksum-compatibility " +
        "disk-type disk-uid firmware-revision grown-defect-list-count health-monitor-time-interval " +
        "import-in-progress is-dynamically-qualified is-foreign is-multidisk-carrier " +
        "media-scrub-count media-scrub-last-done-time-interval model right-size-sectors rpm " +
        "serial-number shelf shelf-bay vendor",
    ),
    "disk-ownership-info": leaves(
      "disk-uid dr-home-node-id dr-home-node-name home-node-id home-node-name is-failed " +
        "owner-node-id owner-node-name pool reserved-by-node-id",
    ),
    "disk-raid-info": {
      ...leaves(
        "active-node-name container-type disk-uid effective-disk-type effective-rpm physical-blocks " +
          "position spare-pool used-blocks",
      ),
      "disk-aggregate-info": leaves(
        "aggregate-name checksum-type is-offline is-prefailed is-reconstructing is-replacing " +
          "is-zeroed is-zeroing plex-name raid-group-name",
      ),
      "disk-spare-info": leaves("is-offline is-sparecore is-zeroed is-zeroing"),
    },
  },
  keys: ["disk-name"],
  list: (call) => disksOf(call.ctx).map((disk) => record(call, disk)),
};

/** Drives. */
export const diskApis: Apis = { "storage-disk-get-iter": getIter };

function record({ ctx }: ZapiCall, disk: Disk): ZNode {
  const sectors = diskModel.usableBytes / sectorBytes;
  const pool = ctx.view.pools[disk.pool ?? ""];
  const raid = attribute(pool?.attributes ?? {}, "raidType", "raid_dp");
  return {
    "disk-inventory-info": {
      "bytes-per-sector": sectorBytes,
      "capacity-sectors": sectors,
      "disk-type": "SSD-NVM",
      "disk-uid": disk.uid,
      "firmware-revision": diskModel.firmware,
      model: diskModel.model,
      "right-size-sectors": sectors,
      "serial-number": disk.serial,
      shelf: diskModel.shelf,
      "shelf-bay": disk.bay,
      vendor: diskModel.vendor,
    },
    "disk-name": disk.name,
    "disk-ownership-info": {
      "home-node-name": disk.node,
      "is-failed": false,
      "owner-node-name": disk.node,
      pool: "0",
    },
    "disk-raid-info": {
      "active-node-name": disk.node,
      "container-type": pool === undefined ? "spare" : "aggregate",
      "effective-disk-type": "SSD-NVM",
      ...(pool === undefined
        ? { "disk-spare-info": { "is-offline": false, "is-zeroed": true } }
        : {
            "disk-aggregate-info": {
              "aggregate-name": pool.name,
              "is-offline": false,
              "is-prefailed": false,
              "plex-name": "plex0",
              "raid-group-name": "rg0",
            },
            position: position(ctx, disk, raid),
          }),
    },
    "disk-uid": disk.uid,
  };
}

/** The first drives of a group hold parity: two with raid_dp, three with raid_tec. */
function position(ctx: ZapiCall["ctx"], disk: Disk, raid: string): string {
  const mates = disksOf(ctx).filter((one) => one.pool === disk.pool);
  const place = mates.findIndex((one) => one.name === disk.name);
  if (place === 0) return raid === "raid4" ? "parity" : "dparity";
  if (place === 1 && raid !== "raid4") return "parity";
  return place === 2 && raid === "raid_tec" ? "tparity" : "data";
}
