import type { ZoneBody } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { databaseBytes } from "./database";
import { zoneTypeWord } from "./edit";
import { invalidUri, noEntries } from "./errors";
import type { Leaf, Tree } from "./media";
import { lockTimeoutMs } from "./transactions";
import type { ZoningRoute } from "./zoning-route";

/** `defined-configuration`, one of its lists, or one entry. */
export function readDefined(route: ZoningRoute, path: readonly string[]): Tree {
  const [list, keyLeaf, name, ...rest] = path;
  const lists = definedLists(route);
  if (list === undefined) {
    const filled = Object.entries(lists).filter(([, entries]) => entries.length > 0);
    const shown = filled.map(([kind, entries]) => [kind, listLeaf(route, entries)]);
    return { Response: { "defined-configuration": Object.fromEntries(shown) as Tree } };
  }
  const entries = lists[list];
  if (entries === undefined || rest.length > 0) throw invalidUri();
  if (keyLeaf === undefined) {
    if (entries.length === 0) throw noEntries();
    return { Response: { [list]: listLeaf(route, entries) } };
  }
  if (keyLeaf !== `${list}-name` || name === undefined) throw invalidUri();
  const found = entries.find((entry) => entry[keyLeaf] === name);
  if (found === undefined) throw noEntries();
  return { Response: { [list]: found } };
}

/** `effective-configuration`, or one of its leaves under the same nesting. */
export function readEffective(route: ZoningRoute, path: readonly string[]): Tree {
  const [leaf, keyLeaf, name, ...rest] = path;
  const all = effectiveTree(route);
  if (leaf === undefined) return { Response: { "effective-configuration": all } };
  if (rest.length > 0 || leaf === "cfg-action") throw invalidUri();
  if (leaf === "enabled-zone" && keyLeaf !== undefined) {
    const zones = (all["enabled-zone"] ?? []) as readonly Tree[];
    const found = zones.find((zone) => keyLeaf === "zone-name" && zone["zone-name"] === name);
    if (found === undefined) throw noEntries();
    return { Response: { "enabled-zone": found } };
  }
  if (keyLeaf !== undefined) throw invalidUri();
  if (!effectiveLeaves.includes(leaf)) throw invalidUri();
  if (all[leaf] === undefined) throw noEntries();
  return { Response: { "effective-configuration": { [leaf]: all[leaf] } } };
}

const effectiveLeaves = [
  "cfg-name",
  "checksum",
  "default-zone-access",
  "db-max",
  "db-avail",
  "db-committed",
  "db-transaction",
  "transaction-token",
  "db-chassis-wide-committed",
  "enabled-zone",
];

/** Who holds the fabric lock (FOS 9.0 and later). */
export function readFabricLock(route: ZoningRoute): Tree {
  const { lock } = route.zoning;
  if (lock === undefined) return { Response: { "fabric-lock": { "lock-principal-domain-id": 0 } } };
  const { device, transaction: open } = lock;
  // On switches other than the lock's there are thirty seconds more (brocade-zone.yang).
  const timeoutMs = lockTimeoutMs + (device === route.device ? 0 : 30_000);
  const left = Math.ceil((open.openedAtMs + timeoutMs - route.now()) / 1000);
  return {
    Response: {
      "fabric-lock": {
        "lock-principal-domain-id": route.domainOf(device),
        "lock-principal-transaction-token": open.token,
        timeout: timeoutMs / 1000,
        "remaining-time": Math.max(1, left),
        "client-role": "admin",
        "client-user-name": open.owner.user,
        "client-ip-address": open.owner.address,
        "client-interface": open.owner.session === undefined ? "CLI" : "REST",
        "client-application-name": open.owner.application,
      },
    },
  };
}

function definedLists(route: ZoningRoute): Record<string, Tree[]> {
  const database = route.zoning.defined(route.owner?.session);
  return {
    cfg: Object.entries(database.configs).map(([name, zones]) => ({
      "cfg-name": name,
      "member-zone": { "zone-name": listLeaf(route, zones) },
    })),
    zone: Object.entries(database.zones).map(([name, zone]) => zoneTree(route, name, zone)),
    alias: Object.entries(database.aliases).map(([name, members]) => ({
      "alias-name": name,
      "member-entry": { "alias-entry-name": listLeaf(route, members) },
    })),
  };
}

function zoneTree(route: ZoningRoute, name: string, zone: DeepReadonly<ZoneBody>): Tree {
  return {
    "zone-name": name,
    "zone-type": zone.type,
    ...(route.release.nine ? { "zone-type-string": zoneTypeWord(zone.type) } : {}),
    "member-entry": {
      ...(zone.members.length === 0 ? {} : { "entry-name": listLeaf(route, zone.members) }),
      ...(zone.principals.length === 0
        ? {}
        : { "principal-entry-name": listLeaf(route, zone.principals) }),
    },
  };
}

function effectiveTree(route: ZoningRoute): Tree {
  const { zoning, release } = route;
  const { committed, transaction } = zoning;
  const used = zoning.committedBytes;
  const zones = Object.entries(committed.effective?.zones ?? {});
  const hidden =
    route.readings.hiddenConfig === "shown" && committed.defaultAccess === "none"
      ? "d__efault__Cfg"
      : undefined;
  const name = committed.effective?.name ?? hidden;
  return {
    ...(name === undefined ? {} : { "cfg-name": name }),
    checksum: zoning.checksum,
    "default-zone-access": committed.defaultAccess === "all" ? 1 : 0,
    "db-max": release.databaseMax,
    "db-avail": release.databaseMax - used,
    "db-committed": used,
    "db-transaction": transaction === undefined ? 0 : databaseBytes(transaction.staged),
    "transaction-token": transaction?.token ?? 0,
    "db-chassis-wide-committed": route.chassisBytes(),
    ...(zones.length === 0
      ? {}
      : {
          "enabled-zone": listLeaf(
            route,
            zones.map(([zoneName, zone]) => zoneTree(route, zoneName, zone)),
          ),
        }),
  };
}

/** A list; with the reading `object` a single entry is bare. XML shows no difference. */
function listLeaf(route: ZoningRoute, entries: readonly Leaf[]): Leaf {
  const [only] = entries;
  return route.readings.singleEntry === "object" && entries.length === 1 && only !== undefined
    ? only
    : entries;
}
