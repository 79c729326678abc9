import { type ArrayContext, attribute, type Call, type Endpoint, type Operation } from "./context";
import type { Body } from "./body";
import { nodeRef } from "./cluster";
import { OntapFault, required } from "./faults";
import { timestamp } from "./jobs";
import { aggregateNames } from "./known-names";
import { drop, type Rec, textAt, wireSize } from "./record";
import { date, flag, integer, oneOf, other, ref, size, text } from "./shape";

/** Bytes of a pool that are taken: thick volumes whole, thin ones by what was written, plus deleted ones. */
function poolUsedBytes(ctx: ArrayContext, poolId: string): bigint {
  const array = ctx.view;
  let used = 0n;
  for (const container of Object.values(array.containers)) {
    if (container.poolId !== poolId) continue;
    used += container.reserved ? container.sizeBytes : containerWrittenBytes(ctx, container.id);
  }
  for (const entry of Object.values(array.records["recoveryQueue"] ?? {})) {
    if (entry["poolId"] === poolId) used += BigInt(textAt({ ...entry }, "heldSize"));
  }
  return used + BigInt(attribute(array.pools[poolId]?.attributes ?? {}, "otherUse", "0"));
}

/** What hosts have written to the LUNs of a FlexVol. Unknown (no real I/O in the lab) counts as none. */
export function containerWrittenBytes(ctx: ArrayContext, containerId: string): bigint {
  return Object.values(ctx.view.volumes)
    .filter((volume) => volume.containerId === containerId)
    .reduce((sum, volume) => sum + (ctx.world.usedBytes(volume.id) ?? 0n), 0n);
}

export function poolFreeBytes(ctx: ArrayContext, poolId: string): bigint {
  const free = (ctx.view.pools[poolId]?.sizeBytes ?? 0n) - poolUsedBytes(ctx, poolId);
  return free > 0n ? free : 0n;
}

export function poolRef(ctx: ArrayContext, poolId: string): Rec {
  return { name: ctx.view.pools[poolId]?.name ?? "", uuid: poolId };
}

/** A pool by name or uuid in a body; both must mean the same. */
export function findPool(ctx: ArrayContext, name?: string, uuid?: string): string | undefined {
  const pools = Object.values(ctx.view.pools);
  return pools.find(
    (pool) =>
      (uuid === undefined || pool.id === uuid) && (name === undefined || pool.name === name),
  )?.id;
}

const raidTypes = ["raid_dp", "raid_tec", "raid4", "raid0"];
/** Usable bytes of one drive that a new aggregate takes from the spares of its node. */
const driveBytes = 960n * 1000n ** 3n;
/** Spare partitions that each node has, where the preset says nothing. */
const sparesPerNode = 12;

/** `/api/storage/aggregates`. Root aggregates are never listed (netapp.ontap#168). */
export const aggregates: Endpoint = {
  shape: {
    path: "/api/storage/aggregates",
    keys: ["uuid"],
    identity: ["uuid", "name"],
    fields: {
      uuid: text(),
      name: text("POST", "PATCH"),
      state: oneOf(["online", "onlining", "offline", "offlining", "relocating", "restricted"]),
      create_time: date(),
      "node.name": text("POST"),
      "node.uuid": text("POST"),
      ...ref("home_node"),
      ...ref("dr_home_node"),
      "space.block_storage.size": size(),
      "space.block_storage.available": size(),
      "space.block_storage.used": size(),
      "space.block_storage.full_threshold_percent": integer(),
      "space.block_storage.inactive_user_data": other(),
      "space.footprint": size(),
      "space.efficiency": other(),
      "space.cloud_storage": other(),
      "block_storage.primary.disk_count": integer("POST", "PATCH"),
      "block_storage.primary.disk_class": oneOf(["solid_state", "performance"], "POST"),
      "block_storage.primary.disk_type": text(),
      "block_storage.primary.raid_type": oneOf(raidTypes, "POST", "PATCH"),
      "block_storage.primary.raid_size": integer("POST", "PATCH"),
      "block_storage.primary.checksum_style": oneOf(["block", "advanced_zoned"], "POST"),
      "block_storage.mirror.enabled": flag("POST"),
      "block_storage.mirror.state": text(),
      "block_storage.hybrid_cache.enabled": flag(),
      "block_storage.plexes": other(),
      "data_encryption.software_encryption_enabled": flag("POST"),
      "data_encryption.drive_protection_enabled": flag(),
      "inactive_data_reporting.enabled": flag(),
      snaplock_type: oneOf(["non_snaplock"], "POST"),
      cloud_storage: other(),
      metric: other(),
      statistics: other(),
      ...aggregateNames.fields,
    },
    since: aggregateNames.since,
    expensive: [
      "metric",
      "statistics",
      "space.block_storage.inactive_user_data",
      "space.footprint",
    ],
    links: { node: "/api/cluster/nodes/{uuid}", home_node: "/api/cluster/nodes/{uuid}" },
  },
  list: (ctx) => Object.keys(ctx.view.pools).map((id) => poolRecord(ctx, id)),
  missing: () => new OntapFault("786771", "Aggregate does not exist.", "uuid"),
  flags: { POST: ["disk_size"] },
  byQuery: false,
  create: createPool,
  remove: removePool,
};

function poolRecord(ctx: ArrayContext, id: string): Rec {
  const pool = ctx.view.pools[id];
  if (pool === undefined) return {};
  const used = poolUsedBytes(ctx, id);
  const up = ctx.view.controllers[pool.controller]?.up === true;
  const partner = Object.values(ctx.view.controllers).find((c) => c.up)?.name ?? pool.controller;
  return {
    uuid: id,
    name: pool.name,
    state: "online",
    create_time: attribute(pool.attributes, "createTime", "2021-03-01T08:00:00+00:00"),
    node: nodeRef(ctx, up ? pool.controller : partner),
    home_node: nodeRef(ctx, pool.controller),
    space: {
      block_storage: {
        size: wireSize(pool.sizeBytes),
        available: wireSize(poolFreeBytes(ctx, id)),
        used: wireSize(used),
        full_threshold_percent: 98,
      },
      footprint: wireSize(used),
    },
    block_storage: {
      primary: {
        disk_count: Number(attribute(pool.attributes, "driveCount", "12")),
        disk_class: "solid_state",
        disk_type: "ssd_nvm",
        raid_type: attribute(pool.attributes, "raidType", "raid_dp"),
        raid_size: 24,
        checksum_style: "block",
      },
      mirror: { enabled: false, state: "unmirrored" },
      hybrid_cache: { enabled: false },
    },
    data_encryption: { software_encryption_enabled: false, drive_protection_enabled: false },
    inactive_data_reporting: { enabled: false },
    snaplock_type: "non_snaplock",
  };
}

function sparesOf(ctx: ArrayContext, node: string): number {
  const taken = Object.values(ctx.view.pools)
    .filter((pool) => pool.controller === node && pool.attributes["madeByClient"] === true)
    .reduce((sum, pool) => sum + Number(attribute(pool.attributes, "driveCount", "0")), 0);
  return sparesPerNode - taken;
}

function createPool(ctx: ArrayContext, body: Body): Operation {
  const name = body.text("name");
  const node = body.text("node.name") ?? nodeByUuid(ctx, body.text("node.uuid"));
  // Without name and node the array would build its recommended aggregates: not modelled on purpose.
  if (name === undefined) throw required("name");
  if (node === undefined) throw required("node.name");
  if (ctx.view.controllers[node] === undefined) {
    throw new OntapFault("786446", `Node "${node}" is not in the cluster.`, "node.name");
  }
  if (ctx.jobs.active("aggregate") > 0) throw busy();
  const count = body.integer("block_storage.primary.disk_count");
  if (count === undefined) throw required("block_storage.primary.disk_count");
  const raid = body.text("block_storage.primary.raid_type") ?? "raid_dp";
  checkDrives(ctx, node, count, raid);
  checkPoolName(ctx, name);
  const uuid = ctx.newUuid();
  return {
    keys: [[uuid]],
    job: {
      description: `POST /api/storage/aggregates/${uuid}`,
      class: "aggregate",
      durationMs: ctx.timing.aggregateMs,
    },
    commit: () => {
      checkPoolName(ctx, name);
      ctx.change((array) => {
        array.pools[uuid] = {
          id: uuid,
          name,
          controller: node,
          sizeBytes: BigInt(count - parity(raid)) * driveBytes,
          attributes: {
            driveCount: count.toString(),
            raidType: raid,
            madeByClient: true,
            createTime: timestamp(ctx.now()),
          },
        };
      });
    },
  };
}

function nodeByUuid(ctx: ArrayContext, uuid: string | undefined): string | undefined {
  return Object.keys(ctx.view.controllers).find(
    (name) => uuid !== undefined && nodeRef(ctx, name)["uuid"] === uuid,
  );
}

function parity(raid: string): number {
  return raid === "raid_tec" ? 3 : raid === "raid_dp" ? 2 : raid === "raid4" ? 1 : 0;
}

function busy(): OntapFault {
  return new OntapFault(
    "19726382",
    "Another storage provisioning operation is in progress. Retry later.",
  );
}

function checkDrives(ctx: ArrayContext, node: string, count: number, raid: string): void {
  const least = raid === "raid_tec" ? 6 : raid === "raid_dp" ? 3 : 2;
  if (count < least) {
    throw new OntapFault("787267", `${raid} needs at least ${least} disks.`, "disk_count");
  }
  if (count > sparesOf(ctx, node)) {
    throw new OntapFault("19726341", `Not enough spare disks on node "${node}".`, "disk_count");
  }
}

/** Aggregates that the nodes boot from: their names are taken although REST never lists them. */
export function rootPools(ctx: ArrayContext): { name: string; node: string }[] {
  return Object.keys(ctx.view.controllers).map((node) => ({
    name: `aggr0_${node.replace(/-/g, "_")}`,
    node,
  }));
}

function checkPoolName(ctx: ArrayContext, name: string): void {
  const roots = rootPools(ctx).map((root) => root.name);
  if (roots.includes(name) || findPool(ctx, name) !== undefined) {
    throw new OntapFault("786439", `An aggregate already uses the name "${name}".`, "name");
  }
}

function removePool(ctx: ArrayContext, record: Rec, _call: Call): Operation {
  const uuid = textAt(record, "uuid");
  if (ctx.jobs.active("aggregate") > 0) throw busy();
  const check = (): void => {
    const array = ctx.view;
    const holds =
      Object.values(array.containers).some((container) => container.poolId === uuid) ||
      Object.values(array.records["recoveryQueue"] ?? {}).some((e) => e["poolId"] === uuid);
    if (holds) {
      throw new OntapFault("786497", "Aggregate contains volumes and cannot be deleted.");
    }
  };
  check();
  return {
    keys: [[uuid]],
    job: {
      description: `DELETE /api/storage/aggregates/${uuid}`,
      class: "aggregate",
      durationMs: ctx.timing.aggregateMs,
    },
    commit: () => {
      check();
      ctx.change((array) => {
        drop(array.pools, uuid);
      });
    },
  };
}
