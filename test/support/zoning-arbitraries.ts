import fc from "fast-check";
import type { ZoningChange, ZoningState } from "../../provider/devices/fabric-switch";
import { expandMembers } from "../../provider/devices/zoning-members";

const wwpns = Array.from({ length: 8 }, (_, index) => `10:00:00:00:00:00:00:0${index.toString()}`);
const aliasNames = ["a1", "a2", "a3", "sanbed_abcdefghij_h1_vmhba2", "sanbed_abcdefghij_h2_vmhba2"];
const zoneNames = ["z1", "z2", "t_h1_vmhba2", "t_h2_vmhba2"];

const wwpn = fc.constantFrom(...wwpns);
const aliasMembers = fc.uniqueArray(wwpn, { minLength: 1, maxLength: 3 });
const zoneMembers = fc.uniqueArray(fc.constantFrom(...wwpns, ...aliasNames), {
  minLength: 1,
  maxLength: 5,
});

/** Databases in which the effective form is what the defined one says. */
export const stateArbitrary: fc.Arbitrary<ZoningState> = fc
  .record({
    aliases: fc.dictionary(fc.constantFrom(...aliasNames), aliasMembers),
    zones: fc.dictionary(fc.constantFrom(...zoneNames), zoneMembers),
    other: fc.subarray(zoneNames),
    effective: fc.subarray(zoneNames),
    enabled: fc.boolean(),
  })
  .map(({ aliases, zones, other, effective, enabled }) => {
    const aliasMap = new Map(Object.entries(aliases));
    const zoneMap = new Map(
      Object.entries(zones).map(([name, members]) => {
        const known = members.filter((m) => aliasMap.has(m) || wwpns.includes(m));
        return [name, { name, members: known, type: "standard" }];
      }),
    );
    const present = (list: readonly string[]): string[] => list.filter((name) => zoneMap.has(name));
    return {
      aliases: aliasMap,
      zones: zoneMap,
      configs: new Map([
        ["cfg", { name: "cfg", zones: present(effective) }],
        ["other", { name: "other", zones: present(other) }],
      ]),
      effective: enabled
        ? {
            name: "cfg",
            zones: new Map(
              present(effective).map((name) => [
                name,
                expandMembers(zoneMap.get(name)?.members ?? [], aliasMap),
              ]),
            ),
          }
        : undefined,
      defaultAccess: "none",
      version: "v",
    };
  });

/** Changes that name each object once. */
export const changeArbitrary: fc.Arbitrary<ZoningChange> = fc
  .record({
    aliases: fc.dictionary(fc.constantFrom(...aliasNames), aliasMembers),
    zones: fc.dictionary(fc.constantFrom(...zoneNames), fc.uniqueArray(wwpn, { minLength: 1 })),
    removeAliases: fc.subarray(aliasNames),
    removeZones: fc.subarray(zoneNames),
  })
  .map(({ aliases, zones, removeAliases, removeZones }) => ({
    upsertAliases: new Map(Object.entries(aliases)),
    upsertZones: new Map(Object.entries(zones)),
    removeAliases: removeAliases.filter((name) => !(name in aliases)),
    removeZones: removeZones.filter((name) => !(name in zones)),
  }));
