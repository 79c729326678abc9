import type { Fabric } from "../world/state";
import type { DeepReadonly } from "../world/world";

/**
 * Traffic isolation zones: made at the console (`zone --create -t ti`), kept in the same database,
 * counted by it and part of its checksum, but no model of the REST interface shows them
 * (brocade-zone.yang knows three zone types). Commits over REST leave them alone.
 */
function tiZones(fabric: DeepReadonly<Fabric>): Readonly<Record<string, readonly string[]>> {
  const zones = fabric.attributes?.["tiZones"];
  return (zones ?? {}) as Record<string, string[]>;
}

export function tiZoneBytes(fabric: DeepReadonly<Fabric>): number {
  const zones = tiZones(fabric);
  return Object.keys(zones).length === 0 ? 0 : Buffer.byteLength(JSON.stringify(zones));
}
