import { nodeRef } from "./cluster";
import { type ArrayContext, attribute, type Endpoint } from "./context";
import { entryMissing } from "./faults";
import { diskNames } from "./known-names";
import { poolRef } from "./pools";
import { defined, type Rec, wireSize } from "./record";
import { flag, integer, oneOf, other, ref, size, text } from "./shape";

/** A drive of the internal shelf; its data partitions carry an aggregate. */
export interface Disk {
  readonly name: string;
  readonly bay: number;
  readonly node: string;
  /** Id of the aggregate; undefined for a spare. */
  readonly pool: string | undefined;
  readonly serial: string;
  readonly uid: string;
}

/** Drive of both models: NVMe, 960 GB. */
export const diskModel = {
  model: "X4013S173A960NTD",
  vendor: "SAMSUNG",
  firmware: "NA00",
  usableBytes: 959_656_755_200n,
  shelf: "0",
} as const;

const bays = 24;

/** The drives in their bays: each aggregate has its own number of them, what is left is spare. */
export function disksOf(ctx: ArrayContext): Disk[] {
  const nodes = Object.keys(ctx.view.controllers);
  const used = Object.values(ctx.view.pools).flatMap((pool) =>
    Array.from({ length: Number(attribute(pool.attributes, "driveCount", "12")) }, () => pool),
  );
  return Array.from({ length: Math.max(bays, used.length) }, (_, bay) => {
    const number = bay.toString().padStart(2, "0");
    return {
      name: `1.0.${bay.toString()}`,
      bay,
      node: used[bay]?.controller ?? nodes[bay % nodes.length] ?? "",
      pool: used[bay]?.id,
      serial: `S4YHNE0N5000${number}`,
      uid: `36344D30:4E5000${number}:500A0981:00000003:00000000:00000000:00000000:00000000:00000000:00000000`,
    };
  });
}

/** `/api/storage/disks`. */
export const disks: Endpoint = {
  shape: {
    path: "/api/storage/disks",
    keys: ["name"],
    identity: ["name"],
    fields: {
      name: text(),
      uid: text(),
      serial_number: text(),
      model: text(),
      vendor: text(),
      firmware_version: text(),
      usable_size: size(),
      rpm: integer(),
      type: text(),
      class: text(),
      container_type: oneOf(["aggregate", "spare", "shared", "unassigned", "broken"]),
      pool: text(),
      state: oneOf(["broken", "copy", "maintenance", "partner", "pending", "present", "spare"]),
      bay: integer(),
      "shelf.uid": text(),
      ...ref("node"),
      ...ref("home_node"),
      ...ref("dr_node"),
      ...ref("aggregates"),
      self_encrypting: flag(),
      fips_certified: flag(),
      protection_mode: text(),
      rated_life_used_percent: integer(),
      drawer: other(),
      key_id: other(),
      ...diskNames.fields,
    },
    since: diskNames.since,
    links: {
      node: "/api/cluster/nodes/{uuid}",
      home_node: "/api/cluster/nodes/{uuid}",
      aggregates: "/api/storage/aggregates/{uuid}",
    },
  },
  list: (ctx) => disksOf(ctx).map((disk) => record(ctx, disk)),
  missing: () => entryMissing("name"),
};

function record(ctx: ArrayContext, disk: Disk): Rec {
  return defined({
    name: disk.name,
    uid: disk.uid,
    serial_number: disk.serial,
    model: diskModel.model,
    vendor: diskModel.vendor,
    firmware_version: diskModel.firmware,
    usable_size: wireSize(diskModel.usableBytes),
    type: "ssd_nvm",
    class: "solid_state",
    container_type: disk.pool === undefined ? "spare" : "aggregate",
    pool: "pool0",
    state: disk.pool === undefined ? "spare" : "present",
    bay: disk.bay,
    shelf: { uid: diskModel.shelf },
    node: nodeRef(ctx, disk.node),
    home_node: nodeRef(ctx, disk.node),
    aggregates: disk.pool === undefined ? undefined : [poolRef(ctx, disk.pool)],
    self_encrypting: false,
    fips_certified: false,
    protection_mode: "open",
    rated_life_used_percent: 1,
  });
}
