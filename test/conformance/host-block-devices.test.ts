import type { HostStorage } from "../../provider/devices/host-storage";
import type { Remembered } from "../support/bed-plugin";
import { BedPlugin } from "../support/bed-plugin";
import { call } from "../support/device-rig";
import type { Presented } from "../support/host-rig";
import { openHosts, present, sanBinary, withVcenter } from "../support/host-rig";
import type { TestLab } from "../support/lab";
import { withLab } from "../support/lab";
import type { Wire } from "../support/plugin-client";
import { CallFailed } from "../support/plugin-client";

jest.setTimeout(120_000);

const blockDevices = "sanbed:host:BlockDevices";
const guard = "sanbed:host:RescanGuard";
const first = "esx01.lab.invalid";
const second = "esx02.lab.invalid";

interface Rig {
  readonly lab: TestLab;
  readonly plugin: BedPlugin;
  readonly storage: HostStorage;
  readonly shown: Presented;
}

/** A lab with two volumes mapped to the first host, zoned for both. */
async function withRig(test: (rig: Rig) => Promise<void>): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      const storage = openHosts(lab);
      const plugin = await BedPlugin.start(lab);
      try {
        const shown = await present(lab, [first], 2);
        await test({ lab, plugin, storage, shown }).finally(() => shown.close());
      } finally {
        await plugin.close();
        await storage.close();
      }
    },
    { sanBinary: sanBinary ?? "" },
  );
}

function wanted(shown: Presented, more: Wire = {}): Wire {
  const devices = Object.fromEntries(shown.devices.map((naa, i) => [`v${i.toString()}`, naa]));
  const map = "map-1";
  return {
    device: "vcenter",
    host: first,
    devices,
    expectedPaths: 4,
    map,
    waitSeconds: 2,
    ...more,
  };
}

async function failure(work: Promise<unknown>): Promise<CallFailed> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CallFailed) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

withVcenter("host:BlockDevices", () => {
  it("finds, sets up, and on delete puts back and detaches; the guard then proves them gone", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      const before = await storage.inventory(call());
      const devices = Object.fromEntries(shown.devices.map((naa, i) => [`v${i.toString()}`, naa]));
      const standing = await plugin.create(guard, {
        device: "vcenter",
        hosts: [first, second],
        devices,
        group: "g",
      });
      const made = await plugin.create(blockDevices, wanted(shown, { queueDepth: 64 }));
      expect(made.state["paths"]).toEqual({ v0: 4, v1: 4 });
      expect(made.state["devices"]).toEqual(devices);
      const seen = await storage.devices(call(), first, shown.devices);
      for (const device of seen) {
        expect(device).toMatchObject({ policy: "VMW_PSP_RR", queueDepth: 64, state: "ok" });
      }
      const again = await plugin.refresh(blockDevices, made);
      expect(again.inputs).toEqual(made.inputs);
      expect((await plugin.client.diff(blockDevices, made.id, made, made.inputs)).changes).toBe(
        false,
      );
      await plugin.delete(blockDevices, made);
      await plugin.delete(blockDevices, made);
      const off = await storage.devices(call(), first, shown.devices);
      expect(off.map((device) => device.state)).toEqual(["off", "off"]);
      await shown.unmap();
      await plugin.delete(guard, standing);
      expect(await storage.devices(call(), first, shown.devices)).toEqual([]);
      expect(await storage.inventory(call())).toEqual(before);
    });
  });

  it("puts the queue depth and policy back that were there before", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      await storage.rescan(call(), [first]);
      const old = { policy: "VMW_PSP_MRU", queueDepth: 17 };
      await storage.configure(
        call(),
        first,
        shown.devices.map((device) => ({ device, ...old })),
      );
      const made = await plugin.create(blockDevices, wanted(shown, { queueDepth: 64 }));
      expect(made.state["previous"]).toEqual({ v0: old, v1: old });
      await plugin.delete(blockDevices, made);
      const seen = await storage.devices(call(), first, shown.devices);
      for (const device of seen) expect(device).toMatchObject(old);
    });
  });

  it("says that a zone is missing on fabric B, with adapter, device and what to do", async () => {
    await withRig(async ({ plugin, shown, lab }) => {
      await shown.zone("B", [first], false);
      const error = await failure(plugin.create(blockDevices, wanted(shown)));
      const hba = lab.site.hosts[0]?.hbas.find((h) => h.fabric === "B")?.wwpn ?? "?";
      expect(error.initFailed?.id).toContain(first);
      const reason = error.initFailed?.reasons.join(" ") ?? "";
      expect(reason).toContain(first);
      expect(reason).toContain(`${shown.devices[0] ?? ""}: 2 of 4 paths`);
      expect(reason).toContain(`no path through vmhba3 (${hba})`);
      expect(reason).toContain(`fabricB: vmhba3 (${hba}) is in no zone`);
      expect(reason).not.toContain("fabricA:");
    });
  });

  it("says that a volume is not mapped when the zones are right", async () => {
    await withRig(async ({ plugin, shown }) => {
      await Promise.all([shown.zone("A", [second], true), shown.zone("B", [second], true)]);
      const error = await failure(plugin.create(blockDevices, wanted(shown, { host: second })));
      const reason = error.initFailed?.reasons.join(" ") ?? "";
      expect(reason).toContain("not seen on any path");
      expect(reason).toMatch(/the volume is not mapped to this port/);
      expect(reason).toContain(second);
    });
  });

  it("says that a host that is in no zone at all sees nothing", async () => {
    await withRig(async ({ plugin, shown }) => {
      const error = await failure(plugin.create(blockDevices, wanted(shown, { host: second })));
      const reason = error.initFailed?.reasons.join(" ") ?? "";
      expect(reason).toMatch(/fabricA: vmhba2 .* is in no zone/);
      expect(reason).toMatch(/fabricB: vmhba3 .* is in no zone/);
    });
  });

  it("names what is missing when the deadline passes before the wait is over", async () => {
    await withRig(async ({ plugin, shown }) => {
      await shown.zone("B", [first], false);
      const started = Date.now();
      const work = plugin.create(blockDevices, wanted(shown, { waitSeconds: 600 }), { timeout: 3 });
      const reason = (await failure(work)).initFailed?.reasons.join(" ") ?? "";
      expect(Date.now() - started).toBeLessThan(20_000);
      expect(reason).toContain("2 of 4 paths");
    });
  });

  it("finishes after the missing zone is there", async () => {
    await withRig(async ({ plugin, shown }) => {
      await shown.zone("B", [first], false);
      const work = plugin.create(blockDevices, wanted(shown, { waitSeconds: 30 }));
      await new Promise((resolve) => setTimeout(resolve, 500));
      await shown.zone("B", [first], true);
      expect((await work).state["paths"]).toEqual({ v0: 4, v1: 4 });
    });
  });

  it("shows drift on refresh and repairs it", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      const made = await plugin.create(blockDevices, wanted(shown, { queueDepth: 64 }));
      const [device] = shown.devices;
      if (device === undefined) throw new Error("no device");
      await storage.configure(call(), first, [{ device, policy: "VMW_PSP_FIXED", queueDepth: 8 }]);
      const drifted = await plugin.refresh(blockDevices, made);
      expect(drifted.inputs).toMatchObject({ policy: "VMW_PSP_FIXED", queueDepth: 8 });
      const repaired = await plugin.update(blockDevices, drifted, made.inputs);
      const seen = await storage.devices(call(), first, [device]);
      expect(seen[0]).toMatchObject({ policy: "VMW_PSP_RR", queueDepth: 64 });
      expect(repaired.state["previous"]).toEqual(made.state["previous"]);
    });
  });

  it("shows devices that were detached behind its back, and takes them back in service", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      const made = await plugin.create(blockDevices, wanted(shown));
      await storage.detach(call(), first, shown.devices.slice(0, 1));
      const drifted = await plugin.refresh(blockDevices, made);
      expect(Object.keys(drifted.inputs["devices"] as Wire)).toEqual(["v1"]);
      const difference = await plugin.client.diff(blockDevices, made.id, drifted, made.inputs);
      expect(difference.changes).toBe(true);
      expect(difference.replaces).toEqual([]);
      await plugin.update(blockDevices, drifted, made.inputs);
      const seen = await storage.devices(call(), first, shown.devices);
      expect(seen.map((device) => device.state)).toEqual(["ok", "ok"]);
    });
  });

  it("is replaced with its map and when a device changes or leaves, not when one joins", async () => {
    await withRig(async ({ plugin, shown }) => {
      const one = { v0: shown.devices[0] ?? "" };
      const made: Remembered = await plugin.create(blockDevices, wanted(shown, { devices: one }));
      const diff = (news: Wire) => plugin.client.diff(blockDevices, made.id, made, news);
      const both = wanted(shown)["devices"];
      const joined = await diff({ ...made.inputs, devices: both });
      expect(joined).toMatchObject({ changes: true, replaces: [] });
      const left = await diff({ ...made.inputs, devices: {} });
      expect(left.replaces.length).toBeGreaterThan(0);
      expect(left.deleteBeforeReplace).toBe(true);
      const other = await diff({ ...made.inputs, devices: { v0: shown.devices[1] } });
      expect(other.replaces.length).toBeGreaterThan(0);
      expect((await diff({ ...made.inputs, map: "map-2" })).replaces).toEqual(["map"]);
    });
  });

  it("is imported by host and device names", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      await storage.rescan(call(), [first]);
      const id = `vcenter/${first}/${shown.devices.join(",")}`;
      const imported = await plugin.client.read(blockDevices, id);
      expect(imported.inputs).toMatchObject({ device: "vcenter", host: first, expectedPaths: 4 });
      expect(Object.values(imported.inputs["devices"] as Wire).sort()).toEqual(
        [...shown.devices].sort(),
      );
      await expect(plugin.client.read(blockDevices, "vcenter/x")).rejects.toThrow(/import/);
    });
  });
});

withVcenter("host:RescanGuard", () => {
  it("refuses to be deleted while a host still has the device, naming host and device", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      await storage.rescan(call(), [first]);
      const devices = { v0: shown.devices[0] ?? "" };
      const inputs = { device: "vcenter", hosts: [first], devices, group: "g" };
      const standing = await plugin.create(guard, inputs);
      const error = await failure(plugin.delete(guard, standing));
      expect(error.message).toContain(first);
      expect(error.message).toContain(devices.v0);
      expect(error.message).toContain("still mapped");
    });
  });

  it("takes over other devices without being replaced, and lets go of those that are gone", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      const made = await plugin.create(blockDevices, wanted(shown));
      const devices = made.state["devices"] as Wire;
      const inputs = { device: "vcenter", hosts: [first], devices, group: "g" };
      const standing = await plugin.create(guard, inputs);
      await plugin.delete(blockDevices, made);
      await shown.unmap();
      const news = { ...inputs, devices: {} };
      const difference = await plugin.client.diff(guard, standing.id, standing, news);
      expect(difference).toMatchObject({ changes: true, replaces: [] });
      await plugin.update(guard, standing, news);
      expect(await storage.devices(call(), first, shown.devices)).toEqual([]);
    });
  });
});

withVcenter("host lookups", () => {
  it("answer adapters by name and devices with their paths", async () => {
    await withRig(async ({ plugin, storage, lab, shown }) => {
      const args = { device: "vcenter", host: first };
      const { result } = await plugin.client.invoke("sanbed:host:getHostAdapters", args);
      const adapters = result["adapters"] as Record<string, Wire>;
      // The adapters of NVMe sit on the same ports.
      expect(Object.keys(adapters)).toEqual(["vmhba2", "vmhba3", "vmhba65", "vmhba66"]);
      expect(adapters["vmhba65"]?.["wwpn"]).toBe(lab.site.hosts[0]?.hbas[0]?.wwpn);
      expect(adapters["vmhba2"]?.["wwpn"]).toBe(lab.site.hosts[0]?.hbas[0]?.wwpn);
      await storage.rescan(call(), [first]);
      const devices = shown.devices.slice(0, 1);
      const found = await plugin.client.invoke("sanbed:host:getDevicePaths", { ...args, devices });
      const device = (found.result["devices"] as Record<string, Wire>)[devices[0] ?? ""];
      expect(device).toMatchObject({ capacityBytes: (20n * 1024n ** 3n).toString(), state: "ok" });
      expect(device?.["paths"]).toHaveLength(4);
    });
  });
});
