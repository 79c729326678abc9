import { withVcenter } from "../support/host-rig";
import type { Wire } from "../support/plugin-client";
import { clone, machine, place, withVsphere } from "../support/vsphere-rig";

jest.setTimeout(180_000);

/** Four volumes, each through its own controller, behind the boot disk on the first. */
const spread: Wire[] = [
  { label: "boot", size: 4, unitNumber: 0 },
  ...[1, 15, 30, 45].map((unitNumber) => ({
    label: `data-${unitNumber.toString()}`,
    size: 1,
    unitNumber,
    thinProvisioned: false,
    eagerlyScrub: true,
  })),
];

withVcenter("stand-in vSphere plugin: hardware of guests", () => {
  it.each(["pvscsi", "lsilogic-sas"])(
    "spreads disks over four %s controllers",
    async (scsiType) => {
      await withVsphere(async (rig) => {
        const at = await place(rig);
        const wanted = { scsiType, scsiControllerCount: 4, disks: spread, enableDiskUuid: true };
        const made = await rig.create("VirtualMachine", machine(at, "t-wide", wanted));
        await rig.expectStable("VirtualMachine", made);
        const units = (made.state["disks"] as Wire[]).map((disk) => disk["unitNumber"]);
        expect(units).toEqual([0, 1, 15, 30, 45]);
        const fewer = await rig.update("VirtualMachine", made, {
          ...made.inputs,
          disks: (made.inputs["disks"] as Wire[]).slice(0, 3),
        });
        await rig.expectStable("VirtualMachine", fewer);
        await rig.remove("VirtualMachine", fewer);
      });
    },
  );

  it("adds controllers and disks to a clone", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const base = await clone(rig, at, "t-wide-clone");
      const [boot] = base["disks"] as Wire[];
      const disks = [boot, ...spread.slice(1)];
      const made = await rig.create("VirtualMachine", { ...base, scsiControllerCount: 4, disks });
      await rig.expectStable("VirtualMachine", made);
      expect((made.state["disks"] as Wire[]).map((disk) => disk["unitNumber"])).toEqual([
        0, 1, 15, 30, 45,
      ]);
      await rig.remove("VirtualMachine", made);
    });
  });

  it("customizes a Windows guest and waits until its set-up has ended", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const base = await clone(rig, at, "t-windows");
      const spec = base["clone"] as Record<string, Wire>;
      const { networkInterfaces, ipv4Gateway } = spec["customize"] ?? {};
      const customize = {
        networkInterfaces,
        ipv4Gateway,
        windowsOptions: {
          computerName: "T-WINDOWS",
          adminPassword: "planted",
          workgroup: "BED",
          autoLogon: true,
          runOnceCommandLists: ["cmd /c echo ready"],
        },
      };
      const made = await rig.create("VirtualMachine", {
        ...base,
        clone: { ...spec, customize },
      });
      expect(made.state["defaultIpAddress"]).toBe(rig.lab.site.guests.addresses[0]);
      await rig.expectStable("VirtualMachine", made);
      await rig.remove("VirtualMachine", made);
    });
  });
});
