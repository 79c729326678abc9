import { isDeviceError } from "../../../bed/errors";
import { refuseOversize } from "../../../provider/devices/brocade-fos/fos-size";
import type { ZoningState } from "../../../provider/devices/fabric-switch";
import { planEdit } from "../../../provider/devices/zoning-edit";

const state: ZoningState = {
  aliases: new Map(),
  zones: new Map(),
  configs: new Map([["prod", { name: "prod", zones: ["theirs"] }]]),
  effective: { name: "prod", zones: new Map() },
  defaultAccess: "none",
  version: "v",
};

/** `count` zones of two members, none of which is there yet. */
function room(count: number, availableBytes: number | undefined): () => void {
  const zones = Array.from({ length: count }, (_, index): [string, string[]] => [
    `zone_${index.toString().padStart(4, "0")}`,
    ["10:00:00:00:00:00:00:01", "20:00:00:00:00:00:00:02"],
  ]);
  const edit = planEdit(state, {
    upsertAliases: new Map(),
    upsertZones: new Map(zones),
    removeAliases: [],
    removeZones: [],
  });
  if (edit === undefined || "refusal" in edit) throw new Error("there is no edit");
  const base = { state, transactionToken: 0, availableBytes };
  return () => {
    refuseOversize("fabricA", base, edit);
  };
}

test("a change that the zoning database has no room for is refused with both figures", () => {
  let error: unknown;
  try {
    room(100, 2000)();
  } catch (thrown) {
    error = thrown;
  }
  expect(isDeviceError(error, "refused")).toBe(true);
  expect((error as Error).message).toMatch(
    /has 2000 bytes left.* Expected about 7400 bytes\..*cfgsize/,
  );
});

test("members of the configuration count too", () => {
  // Name, two WWNs and separators are 64 bytes a zone; its name in the configuration is 10 more.
  expect(room(10, 700)).toThrow(/740 bytes/);
  expect(room(10, 740)).not.toThrow();
});

test("a switch that does not tell its room is no reason to refuse", () => {
  expect(room(100, undefined)).not.toThrow();
});
