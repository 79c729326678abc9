import { aggregates as endpoint, poolFreeBytes, rootPools } from "../ontap/pools";
import { attribute } from "../ontap/context";
import { Body } from "../ontap/body";
import { type Api, type Apis, command, perform, type ZapiCall } from "./api";
import { directCall, made, recordOf } from "./model";
import { errno, ZapiFault } from "./faults";
import { integer, listOf, requiredText, text, unmodelled } from "./inputs";
import { leaves, type Shape } from "./shape";
import type { ZNode } from "./xml";

const shape: Shape = {
  ...leaves("aggregate-name aggregate-uuid striping-type"),
  "aggr-fs-attributes": leaves("block-type fsid type"),
  "aggr-ownership-attributes": leaves("home-id home-name owner-id owner-name"),
  "aggr-raid-attributes": leaves(
    "aggregate-type cache-raid-group-size checksum-status checksum-style disk-count " +
      "encrypt-with-aggr-key ha-policy has-local-root has-partner-root is-checksum-enabled " +
      "is-composite is-hybrid is-hybrid-enabled is-inconsistent is-root-aggregate mirror-status " +
      "mount-state plex-count raid-lost-write-state raid-size raid-status raid-type state " +
      "uses-shared-disks",
  ),
  "aggr-space-attributes": leaves(
    "aggregate-metadata hybrid-cache-size-total percent-used-capacity size-available size-total " +
      "size-used total-reserved-space used-including-snapshot-reserve volume-footprints",
  ),
  "aggr-volume-count-attributes": leaves("flexvol-count flexvol-count-collective"),
  nodes: leaves("node-name"),
};

/** Size of the aggregate that each node boots from. */
const rootAggregateBytes = 190n * 1024n ** 3n;

const getIter: Api = {
  scope: "cluster",
  record: "aggr-attributes",
  shape,
  keys: ["aggregate-name"],
  list: (call) => [
    ...Object.keys(call.ctx.view.pools).map((id) => aggregate(call, id)),
    ...rootPools(call.ctx).map(({ name, node }) => rootAggregate(name, node)),
  ],
};

/** Aggregates; unlike REST, ONTAPI lists those that nodes boot from. */
export const aggregateApis: Apis = {
  "aggr-get-iter": getIter,
  "aggr-create": command(
    "cluster",
    {
      aggregate: requiredText,
      "disk-count": integer,
      nodes: listOf("node-name"),
      "raid-type": text,
      "raid-size": unmodelled,
      "disk-type": unmodelled,
      "disk-size-with-unit": unmodelled,
      disks: { type: "tree", notModelled: true },
      "is-mirrored": unmodelled,
    },
    create,
  ),
  "aggr-offline": command("cluster", { aggregate: requiredText }, (call) => setState(call, false)),
  "aggr-online": command("cluster", { aggregate: requiredText }, (call) => setState(call, true)),
  "aggr-destroy": command("cluster", { aggregate: requiredText }, destroy),
};

function aggregate({ ctx }: ZapiCall, id: string): ZNode {
  const pool = ctx.view.pools[id];
  if (pool === undefined) return {};
  const free = poolFreeBytes(ctx, id);
  const used = pool.sizeBytes - free;
  const volumes = Object.values(ctx.view.containers).filter((one) => one.poolId === id);
  const owner = Object.values(ctx.view.controllers).find((one) => one.up)?.name;
  const up = ctx.view.controllers[pool.controller]?.up === true;
  return {
    "aggr-ownership-attributes": {
      "home-name": pool.controller,
      "owner-name": up ? pool.controller : owner,
    },
    "aggr-raid-attributes": raid(
      attribute(pool.attributes, "driveCount", "12"),
      attribute(pool.attributes, "raidType", "raid_dp"),
      { root: false, state: pool.attributes["offline"] === true ? "offline" : "online" },
    ),
    "aggr-space-attributes": {
      "percent-used-capacity": pool.sizeBytes === 0n ? 0 : Number((used * 100n) / pool.sizeBytes),
      "size-available": free,
      "size-total": pool.sizeBytes,
      "size-used": used,
    },
    "aggr-volume-count-attributes": {
      "flexvol-count": volumes.length,
      "flexvol-count-collective": volumes.length,
    },
    "aggregate-name": pool.name,
    "aggregate-uuid": id,
    nodes: { "node-name": [up ? pool.controller : (owner ?? pool.controller)] },
    "striping-type": "not_striped",
  };
}

function rootAggregate(name: string, node: string): ZNode {
  return {
    "aggr-ownership-attributes": { "home-name": node, "owner-name": node },
    "aggr-raid-attributes": raid("10", "raid_dp", { root: true, state: "online" }),
    "aggr-space-attributes": {
      "percent-used-capacity": 95,
      "size-available": rootAggregateBytes / 20n,
      "size-total": rootAggregateBytes,
      "size-used": rootAggregateBytes - rootAggregateBytes / 20n,
    },
    "aggr-volume-count-attributes": { "flexvol-count": 1, "flexvol-count-collective": 0 },
    "aggregate-name": name,
    nodes: { "node-name": [node] },
    "striping-type": "not_striped",
  };
}

function raid(drives: string, type: string, of: { root: boolean; state: string }): ZNode {
  return {
    "aggregate-type": "ssd",
    "checksum-style": "block",
    "disk-count": drives,
    "ha-policy": of.root ? "cfo" : "sfo",
    "has-local-root": of.root,
    "has-partner-root": false,
    "is-hybrid": false,
    "is-inconsistent": false,
    "is-root-aggregate": of.root,
    "mirror-status": "unmirrored",
    "plex-count": 1,
    "raid-size": 24,
    "raid-status": `${type}, normal`,
    "raid-type": type,
    state: of.state,
  };
}

async function create(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const node = args.list("nodes", "node-name")?.[0] ?? Object.keys(ctx.view.controllers)[0] ?? "";
  const body = new Body({
    name: args.need("aggregate"),
    node: { name: node },
    block_storage: {
      primary: {
        ...(args.integer("disk-count") === undefined
          ? {}
          : { disk_count: args.integer("disk-count") ?? 0 }),
        raid_type: args.text("raid-type") ?? "raid_dp",
      },
    },
  });
  await perform(ctx, made(endpoint.create?.(ctx, body, directCall())));
  return {};
}

/** @throws {ZapiFault} when there is no such aggregate. */
function poolIdOf({ args, ctx }: ZapiCall): string {
  const name = args.need("aggregate");
  const pool = Object.values(ctx.view.pools).find((one) => one.name === name);
  if (pool === undefined) {
    throw new ZapiFault(errno.noAggregate, `Aggregate "${name}" does not exist.`);
  }
  return pool.id;
}

function setState(call: ZapiCall, online: boolean): ZNode {
  const id = poolIdOf(call);
  const holds = Object.values(call.ctx.view.containers).some((one) => one.poolId === id);
  if (!online && holds) {
    throw new ZapiFault(errno.volumeInUse, "Aggregate contains volumes and cannot be offlined.");
  }
  call.ctx.change((array) => {
    const pool = array.pools[id];
    if (pool !== undefined) pool.attributes["offline"] = !online;
  });
  return {};
}

async function destroy(call: ZapiCall): Promise<ZNode> {
  const { ctx } = call;
  const id = poolIdOf(call);
  if (ctx.view.pools[id]?.attributes["offline"] !== true) {
    throw new ZapiFault(errno.volumeNotOffline, "The aggregate must be offline to be destroyed.");
  }
  await perform(ctx, made(endpoint.remove?.(ctx, recordOf(ctx, endpoint, id), directCall())));
  return {};
}
