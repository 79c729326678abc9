import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Site } from "../../bed/site";
import { deletedTypes, expectDone, withBed, type E2eBed } from "../support/e2e-bed";

jest.setTimeout(240_000);

/** Runs up with a wrong site; answers what it printed, after proving that destroy leaves nothing. */
async function upThatFails(bed: E2eBed, change?: (site: Site) => void): Promise<string> {
  if (change !== undefined) {
    const site = structuredClone(bed.lab.site());
    change(site);
    const file = path.join(bed.folder, "wrong-site.json");
    writeFileSync(file, JSON.stringify(site));
    bed.configure({}, { site: file });
  }
  const result = await bed.cli.up();
  expect(result.code).not.toBe(0);
  const undone = expectDone(await bed.cli.destroy());
  expect(await bed.isAsBefore()).toBe(true);
  expect(deletedTypes(undone).at(-1)).not.toBe("sanbed:array:Targets");
  return result.output;
}

describe("what is wrong on purpose is named, and leaves nothing after destroy", () => {
  it("a WWPN typed wrong: host, fabric and WWPN are named", async () => {
    await withBed("wwpn", "D", async (bed) => {
      const output = await upThatFails(bed, (site) => {
        site.hosts[1]!.hbas[1]!.wwpn = "10:00:00:10:9b:ff:ff:ff";
      });
      expect(output).toMatch(/10:00:00:10:9b:ff:ff:ff/);
      expect(output).toMatch(new RegExp(bed.lab.site().hosts[1]!.name.replace(/\./g, "\\.")));
      expect(output).toMatch(/fabric ?B/i);
    });
  });

  it("a zone missing on fabric B: the devices' paths say which fabric", async () => {
    await withBed("zone", "D", async (bed) => {
      expectDone(await bed.cli.up());
      const zones = (await bed.cli.resources()).find((r) => r.type === "sanbed:fabric:HostZones")!;
      const fabrics = zones.outputs!["fabrics"] as Record<
        string,
        { zonePrefix: string; initiators: Record<string, string> }
      >;
      const host = zones.outputs!["host"] as string;
      const name = `${fabrics["B"]!.zonePrefix}_${host}_${Object.keys(fabrics["B"]!.initiators)[0]!}`;
      await bed.lab.tamper("fabricB", "remove", { name: name.replace(/[^A-Za-z0-9_]/g, "_") });
      bed.configure({
        volumeGroups: {
          sysbench: { count: 2, size: "4 GiB" },
          extra: { count: 1, size: "2 GiB", thin: true, firstLun: 50 },
        },
      });
      const result = await bed.cli.up();
      expect(result.code).not.toBe(0);
      expect(result.output).toMatch(new RegExp(host.replace(/\./g, "\\.")));
      expect(result.output).toMatch(/fabric B|vmhba3/);
      expect(result.output).toMatch(/zone/i);
      expectDone(await bed.cli.destroy());
      expect(await bed.isAsBefore()).toBe(true);
    });
  });

  it("a pool too small: pool, needed and free space are named", async () => {
    await withBed("pool", "D", async (bed) => {
      const pool = bed.lab.site().array.pools[0]!.name;
      await bed.lab.tamper("array", "fillPool", { pool, freeBytes: "1073741824" });
      bed.configure({ volumeGroups: { sysbench: { count: 2, size: "4 GiB", thin: false } } });
      const result = await bed.cli.up();
      expect(result.code).not.toBe(0);
      expect(result.output).toMatch(new RegExp(pool));
      expect(result.output).toMatch(/space|free/i);
      expectDone(await bed.cli.destroy());
    });
  });

  it("a wrong password of the array: device and reference are named, the password is not", async () => {
    await withBed("password", "D", async (bed) => {
      const secret = path.join(bed.folder, "wrong-password");
      writeFileSync(secret, JSON.stringify({ user: "admin", password: "planted-secret-7" }));
      const output = await upThatFails(bed, (site) => {
        site.devices["array"]!.credentials = `file:${secret}`;
      });
      expect(output).toMatch(/array: cannot .*(unauthor|password|credentials|log in)/is);
      expect(output).not.toMatch(/planted-secret-7/);
    });
  });

  it("a foreign object with our name: refused, and still there afterwards", async () => {
    await withBed("foreign", "D", async (bed) => {
      const site = bed.lab.site();
      const target = `a250_fcp_${bed.cli.stack.replace(/-/g, "_")}`;
      await bed.lab.tamper("array", "createSvm", { name: target });
      const before = await bed.inventoryDigest();
      const result = await bed.cli.up();
      expect(result.code).not.toBe(0);
      expect(result.output).toMatch(new RegExp(target));
      expect(result.output).toMatch(/mark|foreign|not ours/i);
      expectDone(await bed.cli.destroy());
      expect(await bed.inventoryDigest()).toBe(before);
      expect(site.array.target.mode).toBe("create");
    });
  });
});
