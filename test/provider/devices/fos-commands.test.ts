import { fosCommands } from "../../../provider/devices/brocade-fos/fos-commands";
import type { ZoningChange, ZoningState } from "../../../provider/devices/fabric-switch";
import { editOrRefusal } from "../../../provider/devices/zoning-refusal";
import { isDeviceError } from "../../../bed/errors";

const w1 = "10:00:00:00:00:00:00:01";
const w2 = "20:00:00:00:00:00:00:02";
const w3 = "20:00:00:00:00:00:00:03";

const state: ZoningState = {
  aliases: new Map([["ours", [w1]]]),
  zones: new Map([
    ["z1", { name: "z1", members: ["ours", w2], type: "standard" }],
    ["theirs", { name: "theirs", members: [w2, w3], type: "standard" }],
  ]),
  configs: new Map([["prod", { name: "prod", zones: ["z1", "theirs"] }]]),
  effective: {
    name: "prod",
    zones: new Map([
      ["z1", [w1, w2]],
      ["theirs", [w2, w3]],
    ]),
  },
  defaultAccess: "none",
  version: "v1",
};

const none: ZoningChange = {
  upsertAliases: new Map(),
  upsertZones: new Map(),
  removeAliases: [],
  removeZones: [],
};

const commands = (change: Partial<ZoningChange>, base = state): readonly string[] => {
  const edit = editOrRefusal("fabricA", base, { ...none, ...change });
  return edit === undefined ? [] : fosCommands(base, edit);
};

test("new aliases and zones join the effective configuration, which is then enabled", () => {
  expect(
    commands({
      upsertAliases: new Map([["new", [w3]]]),
      upsertZones: new Map([["z2", ["new", w2]]]),
    }),
  ).toEqual([
    `alicreate "new","${w3}"`,
    `zonecreate "z2","new;${w2}"`,
    'cfgadd "prod","z2"',
    'cfgenable "prod"',
  ]);
});

test("members are added before others go, so that no object is ever empty", () => {
  expect(commands({ upsertZones: new Map([["z1", ["ours", w3]]]) })).toEqual([
    `zoneadd "z1","${w3}"`,
    `zoneremove "z1","${w2}"`,
    'cfgenable "prod"',
  ]);
});

test("a removal leaves the configuration first", () => {
  expect(commands({ removeZones: ["z1"], removeAliases: ["ours"] })).toEqual([
    'cfgremove "prod","z1"',
    'zonedelete "z1"',
    'alidelete "ours"',
    'cfgenable "prod"',
  ]);
});

test("nothing is said where nothing would be done, and a refusal is one", () => {
  expect(commands({ upsertZones: new Map([["z1", [w2, "ours"]]]) })).toEqual([]);
  expect(() => commands({ removeZones: ["z1", "theirs"] })).toThrow(/last zone/);
  const drifted = { ...state, configs: new Map([["prod", { name: "prod", zones: ["z1"] }]]) };
  let refused: unknown;
  try {
    commands({ removeZones: ["z1"], upsertZones: new Map([["z3", [w1, w2]]]) }, drifted);
  } catch (error) {
    refused = error;
  }
  expect(isDeviceError(refused, "refused")).toBe(true);
});
