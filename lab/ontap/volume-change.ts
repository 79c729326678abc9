import type { Container, JsonObject } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import type { ArrayContext } from "./context";
import { entryMissing, invalidValue, NotModelled, OntapFault } from "./faults";
import { logEvent } from "./events";
import { qosOfBody } from "./qos";
import { snapshotPolicy } from "./snapshot-policies";
import { checkSpace, checkVolumeName, efficiencyOf } from "./volume-rules";

const minimumBytes = 20n * 1024n ** 2n;

/** Refusals of a PATCH that come at once. */
export function checkChange(ctx: ArrayContext, uuid: string, body: Body): void {
  const container = ctx.view.containers[uuid];
  if (container === undefined) throw entryMissing("uuid");
  const name = body.text("name");
  if (name !== undefined && name !== container.name) {
    checkVolumeName(ctx, container.tenantId, name);
  }
  const state = body.text("state");
  if (state !== undefined && !["online", "offline", "restricted"].includes(state)) {
    throw invalidValue(state, "state");
  }
  if ((body.text("nas.path") ?? "") !== "") throw new NotModelled("junction paths");
  if (body.has("snapshot_policy")) snapshotPolicy(body, "default");
  qosOfBody(ctx, container.tenantId, body);
  const size = newSize(body);
  if (size !== undefined && size < smallestSize(ctx, uuid)) {
    throw new OntapFault(
      "917534",
      `Volume "${container.name}" cannot be smaller than the LUNs in it.`,
      "size",
      400,
    );
  }
}

/** The effect of a PATCH: only what the body names. */
export function changeVolume(ctx: ArrayContext, uuid: string, body: Body): void {
  const before = ctx.view.containers[uuid];
  if (before === undefined) throw entryMissing("uuid");
  const guarantee = body.text("guarantee.type");
  const reserved = guarantee === undefined ? before.reserved : guarantee === "volume";
  const size = newSize(body) ?? before.sizeBytes;
  const held = before.reserved ? before.sizeBytes : 0n;
  const grows = reserved ? size - held : 0n;
  if (grows > 0n) checkSpace(ctx, before.name, before.poolId, grows);
  tellState(ctx, before, body.text("state"));
  ctx.change((array) => {
    const container = array.containers[uuid];
    if (container === undefined) return;
    container.sizeBytes = size;
    container.reserved = reserved;
    const state = body.text("state");
    if (state !== undefined) {
      container.online = state === "online";
      container.attributes["state"] = state;
    }
    const name = body.text("name");
    if (name !== undefined && name !== container.name) {
      for (const lun of Object.values(array.volumes)) {
        if (lun.containerId !== uuid) continue;
        lun.name = `/vol/${name}/${lun.name.split("/").slice(3).join("/")}`;
      }
      container.name = name;
    }
    const qosPolicy = qosOfBody(ctx, container.tenantId, body);
    Object.assign(container.attributes, qosPolicy === undefined ? {} : { qosPolicy });
    Object.assign(container.attributes, changedSettings(body, efficiencyOf(container)));
  });
}

/** A volume that stops serving is an event. */
function tellState(
  ctx: ArrayContext,
  { name, online, poolId }: DeepReadonly<Container>,
  state: string | undefined,
): void {
  if (state === undefined || state === "online" || !online) return;
  logEvent(ctx, {
    node: ctx.view.pools[poolId]?.controller ?? "",
    name: "wafl.vvol.offline",
    severity: "notice",
    text: `Volume '${name}' has been set temporarily offline`,
  });
}

function changedSettings(body: Body, efficiency: JsonObject): JsonObject {
  const out: JsonObject = {};
  const set = (key: string, value: string | number | undefined): void => {
    if (value !== undefined) out[key] = value;
  };
  set("comment", body.text("comment"));
  set("tieringPolicy", body.text("tiering.policy"));
  set("fractionalReserve", body.integer("space.fractional_reserve"));
  set("snapshotReserve", body.integer("space.snapshot.reserve_percent"));
  set("autosizeMode", body.text("autosize.mode"));
  if (body.has("snapshot_policy")) out["snapshotPolicy"] = snapshotPolicy(body, "default");
  const asked = body.value["efficiency"] as JsonObject | undefined;
  if (asked !== undefined) out["efficiency"] = { ...efficiency, ...asked };
  return out;
}

function newSize(body: Body): bigint | undefined {
  return body.size("size") ?? body.size("space.size");
}

function smallestSize(ctx: ArrayContext, uuid: string): bigint {
  const thick = Object.values(ctx.view.volumes)
    .filter((lun) => lun.containerId === uuid && !lun.thin)
    .reduce((sum, lun) => sum + lun.sizeBytes, 0n);
  return thick > minimumBytes ? thick : minimumBytes;
}
