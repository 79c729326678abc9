import type { JsonObject, StorageArray } from "./state";
import type { DeepReadonly, WorldView } from "./world";

/**
 * Everything the world holds, in one form that is equal for equal worlds: keys sorted, sets sorted,
 * sizes as decimal strings. What only counts or remembers is left out: counters of switch ports, an
 * array's event log (record class `events`), record classes that begin with `_`, and number
 * generators and last results (attributes that begin with `last`). Used to prove that nothing is left.
 */
export function worldInventory(world: WorldView): unknown {
  return canonical({
    fabrics: mapValues(world.fabrics, (fabric) => ({
      switches: mapValues(fabric.switches, (device) => ({
        ...device,
        ports: mapValues(device.ports, (port) => ({ ...port, counters: undefined })),
      })),
      attributes: settings(fabric.attributes ?? {}),
      zoning: {
        ...fabric.zoning,
        effective: fabric.zoning.effective ?? null,
        defined: {
          aliases: mapValues(fabric.zoning.defined.aliases, (members) => [...members].sort()),
          zones: fabric.zoning.defined.zones,
          configs: mapValues(fabric.zoning.defined.configs, (zones) => [...zones].sort()),
        },
      },
    })),
    arrays: mapValues(world.arrays, arrayInventory),
    hosts: mapValues(world.hosts, ({ nvmeConnections: _, ...host }) => host),
    others: world.others,
  });
}

function arrayInventory(array: DeepReadonly<StorageArray>): unknown {
  const { maps, groups, records, attributes, subsystems, namespaceMaps, ...rest } = array;
  const kept = Object.entries(records).filter(
    ([name, objects]) =>
      name !== "events" && !name.startsWith("_") && Object.keys(objects).length > 0,
  );
  return {
    ...rest,
    attributes: settings(attributes),
    groups: mapValues(groups, (group) => ({
      ...group,
      initiators: [...group.initiators].sort(),
    })),
    maps: maps
      .map((map) => ({ ...map }))
      .sort((a, b) => (`${a.groupId} ${a.volumeId}` < `${b.groupId} ${b.volumeId}` ? -1 : 1)),
    subsystems: mapValues(subsystems ?? {}, (one) => ({ ...one, hosts: [...one.hosts].sort() })),
    namespaceMaps: (namespaceMaps ?? [])
      .map((map) => ({ ...map }))
      .sort((a, b) =>
        `${a.subsystemId} ${a.volumeId}` < `${b.subsystemId} ${b.volumeId}` ? -1 : 1,
      ),
    records: Object.fromEntries(kept),
  };
}

function settings(attributes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !name.startsWith("last")),
  );
}

/** Sorts the keys of every object; undefined properties vanish, bigints become decimal strings. */
export function canonical(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, canonical(item)]),
  );
}

function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  map: (value: T) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
