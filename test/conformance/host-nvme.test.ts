import type { Nqn } from "../../bed/identities";
import type { HostStorage } from "../../provider/devices/host-storage";
import { BedPlugin } from "../support/bed-plugin";
import { call } from "../support/device-rig";
import { openHosts, present, sanBinary, withVcenter, type Presented } from "../support/host-rig";
import { withLab } from "../support/lab";

jest.setTimeout(120_000);

const first = "esx01.lab.invalid";
const second = "esx02.lab.invalid";

interface Rig {
  readonly plugin: BedPlugin;
  readonly storage: HostStorage;
  readonly shown: Presented;
}

/** A lab with two namespaces in a subsystem that the first host belongs to. */
async function withRig(test: (rig: Rig) => Promise<void>): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      const storage = openHosts(lab);
      const plugin = await BedPlugin.start(lab);
      try {
        const hosts = await storage.hosts(call());
        const nqns = new Map(
          hosts.flatMap(({ name, nqn }): [string, Nqn][] =>
            nqn === undefined ? [] : [[name, nqn]],
          ),
        );
        expect(nqns.get(first)).toMatch(/^nqn\./);
        const shown = await present(lab, [first], 2, nqns);
        await test({ plugin, storage, shown }).finally(() => shown.close());
      } finally {
        await plugin.close();
        await storage.close();
      }
    },
    { sanBinary: sanBinary ?? "" },
  );
}

withVcenter("NVMe namespaces on hosts", () => {
  it("are found on every path, set up, let go, and forgotten with their connections", async () => {
    await withRig(async ({ plugin, storage, shown }) => {
      const before = await storage.inventory(call());
      const devices = Object.fromEntries(
        shown.devices.map((name, i) => [`v${i.toString()}`, name]),
      );
      const standing = await plugin.create("sanbed:host:RescanGuard", {
        device: "vcenter",
        hosts: [first, second],
        devices,
        group: "g",
        subsystem: shown.subsystemNqn ?? "",
      });
      const made = await plugin.create("sanbed:host:BlockDevices", {
        device: "vcenter",
        host: first,
        devices,
        expectedPaths: 4,
        map: "map-1",
        waitSeconds: 2,
        queueDepth: 64,
        targets: Object.fromEntries(
          Object.entries(shown.ports).map(([key, { wwpn, wwnn }]) => [key, { wwpn, wwnn }]),
        ),
      });
      expect(made.state["paths"]).toEqual({ v0: 4, v1: 4 });
      for (const device of await storage.devices(call(), first, shown.devices)) {
        expect(device).toMatchObject({ policy: "LB-RR", queueDepth: 64, state: "ok" });
        expect(device.name).toMatch(/^uuid\./);
      }
      const controllers = await storage.nvme.controllers(call(), first);
      expect(new Set(controllers.map((one) => one.subsystem))).toEqual(
        new Set([shown.subsystemNqn]),
      );
      expect(controllers.every((one) => one.namespaces.length === 2)).toBe(true);
      // A host that is no member of the subsystem sees nothing.
      expect(await storage.devices(call(), second, shown.devices)).toEqual([]);
      const again = await plugin.refresh("sanbed:host:BlockDevices", made);
      expect(again.inputs).toEqual(made.inputs);
      await plugin.delete("sanbed:host:BlockDevices", made);
      await plugin.delete("sanbed:host:BlockDevices", made);
      await shown.unmap();
      await plugin.delete("sanbed:host:RescanGuard", standing);
      expect(await storage.devices(call(), first, shown.devices)).toEqual([]);
      expect(await storage.nvme.controllers(call(), first)).toEqual([]);
      expect(await storage.inventory(call())).toEqual(before);
    });
  });

  it("get another path policy of their plug-in, and refuse one of SCSI", async () => {
    await withRig(async ({ storage, shown }) => {
      await storage.rescan(call(), [first]);
      const [device] = shown.devices;
      await storage.configure(call(), first, [{ device: device!, policy: "LB-IOPS" }]);
      const [seen] = await storage.devices(call(), first, [device!]);
      expect(seen?.policy).toBe("LB-IOPS");
      await expect(
        storage.configure(call(), first, [{ device: device!, policy: "VMW_PSP_RR" }]),
      ).rejects.toThrow("VMW_PSP_RR");
    });
  });

  it("are connected again at the targets after the connections were ended", async () => {
    await withRig(async ({ storage, shown }) => {
      await storage.rescan(call(), [first]);
      await shown.unmap();
      await storage.rescan(call(), [first]);
      await storage.nvme.disconnect(call(), first, shown.subsystemNqn as Nqn);
      expect(await storage.nvme.controllers(call(), first)).toEqual([]);
      await storage.nvme.connect(call(), first, Object.values(shown.ports));
      expect(await storage.nvme.controllers(call(), first)).toHaveLength(4);
    });
  });
});
