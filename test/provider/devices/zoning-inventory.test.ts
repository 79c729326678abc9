import type { ZoningState } from "../../../provider/devices/fabric-switch";
import { zoningInventory } from "../../../provider/devices/zoning-inventory";

const bed = "abcdefghij";
const alias = `sanbed_${bed}_esx01_vmhba2`;
const target = "20:01:00:a0:98:bb:00:01";

/** The bed that the inventory says a zone of this name is of, in all of the classes that tell. */
function bedsOf(name: string, members: readonly string[], type = "standard") {
  const state: ZoningState = {
    aliases: new Map([
      [alias, ["10:00:00:10:9b:aa:01:01"]],
      ["erp_db01", ["21:00:00:24:ff:7b:10:01"]],
    ]),
    zones: new Map([[name, { name, members, type }]]),
    configs: new Map([["prod", { name: "prod", zones: [name] }]]),
    effective: { name: "prod", zones: new Map([[name, [target]]]) },
    defaultAccess: "none",
    version: "1",
  };
  const classes = ["zone", "zoneConfigMember", "effectiveZone"];
  const found = zoningInventory(state).filter((one) => classes.includes(one.class));
  expect(found).toHaveLength(3);
  return [...new Set(found.map(({ bedId }) => bedId))];
}

it("tells a bed's zone by its marked alias, its target ports and its name", () => {
  expect(bedsOf("t_esx01_vmhba2", [alias, target])).toEqual([bed]);
});

it("takes a zone of somebody else that has our alias as a member for his", () => {
  expect(bedsOf("z_backup", [alias, target])).toEqual([undefined]);
  expect(bedsOf("t_esx01_vmhba2", [alias, "erp_db01"])).toEqual([undefined]);
  expect(bedsOf("t_esx01_vmhba2", [alias, "1,44"])).toEqual([undefined]);
  expect(bedsOf("t_esx01_vmhba2", [alias, `sanbed_bcdefghija_esx01_vmhba2`])).toEqual([undefined]);
  expect(bedsOf("t_esx01_vmhba2", [alias, target], "user-created-peer-zone")).toEqual([undefined]);
});

it("takes a zone without a marked alias for nobody's bed", () => {
  expect(bedsOf("t_esx01_vmhba2", ["erp_db01", target])).toEqual([undefined]);
  expect(bedsOf("t_esx01_vmhba2", [target])).toEqual([undefined]);
});

it("knows a zone whose name was cut to the switch's length", () => {
  expect(bedsOf("t_".padEnd(64, "x"), [alias, target])).toEqual([bed]);
});
