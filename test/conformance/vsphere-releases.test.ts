import type { Naa, Nqn } from "../../bed/identities";
import { call } from "../support/device-rig";
import { openHosts, present, withVcenter } from "../support/host-rig";
import type { Wire } from "../support/plugin-client";
import { clone, first, place, second, withVsphere, type VsphereRig } from "../support/vsphere-rig";

jest.setTimeout(180_000);

/** What a release says of its hosts' newest hardware, and whether it has NVMe over Fabrics. */
const releases = [
  { release: "6.5", hardware: 13, nvme: false },
  { release: "7.0", hardware: 19, nvme: true },
  { release: "8.0", hardware: 21, nvme: true },
];

withVcenter("vSphere releases", () => {
  describe.each(releases)("$release", ({ release, hardware, nvme }) => {
    const withRelease = (test: (rig: VsphereRig) => Promise<void>): Promise<void> =>
      withVsphere(test, release);

    it("shows hosts, adapters and devices, and takes them through their whole life", async () => {
      await withRelease(async (rig) => {
        const storage = openHosts(rig.lab);
        const shown = await present(rig.lab, [first, second], 2);
        const adapters = await storage.adapters(call(), first);
        const wanted = rig.lab.site.hosts[0]?.hbas ?? [];
        const scsi = adapters.filter(({ protocol }) => protocol === "scsi");
        expect(scsi.map(({ name, wwpn }) => ({ name, wwpn }))).toEqual(
          wanted.map(({ adapter, wwpn }) => ({ name: adapter, wwpn })),
        );
        expect(adapters.length - scsi.length).toBe(nvme ? 2 : 0);
        await storage.rescan(call(), [first, second]);
        const [device] = shown.devices as [Naa];
        await storage.configure(call(), first, [{ device, policy: "VMW_PSP_RR", queueDepth: 48 }]);
        const [seen] = await storage.devices(call(), first, [device]);
        expect(seen).toMatchObject({ policy: "VMW_PSP_RR", queueDepth: 48, state: "ok" });
        expect(seen?.paths.filter((path) => path.state === "active").length).toBe(4);
        for (const host of [first, second]) await storage.detach(call(), host, shown.devices);
        await shown.unmap();
        await storage.rescan(call(), [first, second]);
        for (const host of [first, second]) await storage.purge(call(), host, shown.devices);
        expect(await storage.devices(call(), first, shown.devices)).toEqual([]);
        await storage.close();
        await shown.close();
      });
    });

    it("makes datastores, clones and customizes machines, and stands still", async () => {
      await withRelease(async (rig) => {
        const at = await place(rig);
        const storage = openHosts(rig.lab);
        const shown = await present(rig.lab, [first, second], 1);
        await storage.rescan(call(), [first, second]);
        const store = { name: "t-data", hostSystemId: at.hostSystemId, disks: shown.devices };
        const data = await rig.create("VmfsDatastore", store);
        await rig.expectStable("VmfsDatastore", data);
        const base = await clone(rig, at, "t-release");
        const disks = (base["disks"] as Wire[]).map((disk) =>
          disk["label"] === "test" ? { ...disk, datastoreId: data.id } : disk,
        );
        const made = await rig.create("VirtualMachine", { ...base, disks });
        expect(made.state["hardwareVersion"]).toBe(hardware);
        await rig.expectStable("VirtualMachine", made);
        await rig.remove("VirtualMachine", made);
        await rig.remove("VmfsDatastore", data);
        await storage.close();
        await shown.close();
      });
    });

    it(nvme ? "connects namespaces" : "has no host with an NVMe name", async () => {
      await withRelease(async (rig) => {
        const storage = openHosts(rig.lab);
        const hosts = await storage.hosts(call());
        const nqns = new Map(
          hosts.flatMap(({ name, nqn }): [string, Nqn][] =>
            nqn === undefined ? [] : [[name, nqn]],
          ),
        );
        expect(nqns.size).toBe(nvme ? hosts.length : 0);
        if (nvme) {
          const shown = await present(rig.lab, [first], 1, nqns);
          await storage.rescan(call(), [first]);
          const [seen] = await storage.devices(call(), first, shown.devices);
          expect(seen?.policy).toBe("LB-RR");
          expect(seen?.paths.length).toBe(4);
          await shown.close();
        }
        await storage.close();
      });
    });
  });
});
