import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { a250Preset } from "../../../lab/presets/a250";
import { worldInventory } from "../../../lab/world/inventory";
import { loadWorld, saveWorld, worldFromJson, worldToJson } from "../../../lab/world/snapshot";
import { World } from "../../../lab/world/world";

describe("the world", () => {
  it("comes back from its snapshot with sizes as they were", () => {
    const state = a250Preset();
    const again = worldFromJson(worldToJson(state));
    expect(Object.values(again.arrays["array"]!.pools)[0]!.sizeBytes).toBe(10n * 1024n ** 4n);
    expect(again).toEqual(worldFromJson(worldToJson(again)));
    expect(worldInventory(again)).toEqual(worldInventory(state));
  });

  it("is saved whole, and another version's snapshot is not taken", () => {
    const dir = mkdtempSync(join(tmpdir(), "sanbed-world-"));
    try {
      const path = join(dir, "world.json");
      expect(loadWorld(path)).toBeUndefined();
      saveWorld(path, a250Preset());
      expect(worldInventory(loadWorld(path)!)).toEqual(worldInventory(a250Preset()));
      writeFileSync(path, readFileSync(path, "utf8").replace('"version":1', '"version":0'));
      expect(() => loadWorld(path)).toThrow(/another version/);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it("tells of a change and of the time that passed without one", async () => {
    const world = new World(() => a250Preset());
    const since = world.revision;
    expect(await world.waitForRevision(since, 5)).toBe(since);
    const wait = world.waitForRevision(since, 5000);
    world.change((state) => {
      state.fabrics["A"]!.zoning.defaultAccess = "all";
    });
    expect(await wait).toBe(since + 1);
  });

  it("has an inventory that does not depend on the order of making, and that sees every change", () => {
    const inventory = (change: (world: World) => void): string => {
      const world = new World(() => a250Preset());
      change(world);
      return JSON.stringify(worldInventory(world.view));
    };
    const add =
      (...names: string[]) =>
      (world: World): void => {
        world.change((state) => {
          for (const name of names) state.fabrics["A"]!.zoning.defined.aliases[name] = ["1,1"];
        });
      };
    const none = inventory(() => undefined);
    expect(inventory(add("a", "b"))).toBe(inventory(add("b", "a")));
    expect(inventory(add("a"))).not.toBe(none);
    const counted = inventory((world) => {
      world.change((state) => (state.arrays["array"]!.attributes["lastDsid"] = 7));
    });
    expect(counted).toBe(none);
    expect(
      inventory((world) => {
        add("a")(world);
        world.reset();
      }),
    ).toBe(none);
  });
});
