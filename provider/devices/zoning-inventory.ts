import { createHash } from "node:crypto";
import { parseBedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import type { InventoryObject } from "./call";
import type { ZoningState } from "./fabric-switch";
import { bedOfZone } from "./zoning-members";

/** The zoning database as objects with digests. Sorted, so that order on the switch means nothing. Pure. */
export function zoningInventory(state: ZoningState): readonly InventoryObject[] {
  const objects: InventoryObject[] = [];
  const add = (kind: string, name: string, bed: string | undefined, content: unknown): void => {
    const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
    objects.push({ class: kind, name, bedId: parseBedId(bed ?? ""), digest });
  };
  const bedOf = (zone: string): string | undefined => {
    const defined = state.zones.get(zone);
    return defined === undefined ? undefined : bedOfZone(defined);
  };
  for (const [name, members] of state.aliases) {
    add("alias", name, bedOfName(name), [...members].sort());
  }
  for (const [name, zone] of state.zones) {
    add("zone", name, bedOfZone(zone), [zone.type, [...zone.members].sort()]);
  }
  for (const [name, config] of state.configs) {
    // One object per member: what others add to or take from it is told apart from what we do.
    add("zoneConfig", name, undefined, name);
    for (const zone of config.zones) {
      const bed = bedOf(zone);
      add("zoneConfigMember", `${name}/${zone}`, bed, null);
    }
  }
  for (const [name, members] of state.effective?.zones ?? []) {
    // Aliases are resolved in the effective form: the defined zone of this name tells whose it is.
    const bed = bedOf(name);
    add("effectiveZone", name, bed, [...members].sort());
  }
  add("fabricSetting", "effective configuration", undefined, state.effective?.name ?? null);
  add("fabricSetting", "default access", undefined, state.defaultAccess);
  return objects.sort((a, b) => `${a.class}/${a.name}`.localeCompare(`${b.class}/${b.name}`));
}
