import { setTimeout as sleep } from "node:timers/promises";
import { digest } from "../support/digest";
import { connectedControllers } from "../../lab/world/nvme";
import { withLab } from "../support/lab";
import { RawVcenter } from "../support/raw-vcenter";

const sanBinary = process.env["SANBED_SAN_BINARY"];
const withSan = sanBinary === undefined ? describe.skip : describe;
const title = sanBinary === undefined ? " (skipped: SANBED_SAN_BINARY is not set)" : "";

withSan(`the SAN process under the daemon${title}`, () => {
  const options = { sanBinary: sanBinary ?? "" };

  it("serves the vCenter of the world's hosts, in status and inventory", () =>
    withLab(
      "D",
      async ({ client, site }) => {
        const status = await client.status();
        expect(status.endpoints["vcenter"]).toBe(site.devices["vcenter"]?.endpoint);
        const text = JSON.stringify(await client.inventory());
        for (const host of site.hosts) expect(text).toContain(host.name);
        expect(digest(await client.inventory())).toBe(digest(JSON.parse(text)));
      },
      options,
    ));

  it("keeps rules for the vCenter and for all devices, and removes them by their id", () =>
    withLab(
      "D",
      async ({ client }) => {
        const all = await client.addFault({ device: "*", effect: { latencyMs: 1 } });
        const one = await client.addFault({ device: "vcenter", effect: { status: 503 } });
        expect(await client.faults()).toHaveLength(3);
        await client.removeFault(all);
        await client.removeFault(one);
        expect(await client.faults()).toEqual([]);
      },
      options,
    ));

  it("connects a host to the NVMe controllers that the array lets it reach, and tells the array", () =>
    withLab(
      "D",
      async (context) => {
        const { client, lab } = context;
        const [host] = Object.values(lab!.world.view.hosts);
        lab!.world.change((state) => {
          const array = state.arrays["array"]!;
          const nqn = "nqn.1992-08.com.netapp:sn.0f:subsystem.bed";
          const [tenant] = Object.values(array.tenants);
          for (const port of Object.values(array.targetPorts)) port.protocol = "nvme";
          array.subsystems = {
            ss: {
              ...{ id: "ss", name: "bed", tenantId: tenant!.id, nqn, serial: "s", attributes: {} },
              ...{ model: "NetApp ONTAP Controller", firmware: "FFFFFFFF", hosts: [host!.nqn!] },
            },
          };
          const members = [
            ...Object.values(host!.hbas).map((hba) => hba.wwpn),
            ...Object.values(array.targetPorts).map((port) => port.wwpn),
          ];
          for (const fabric of Object.values(state.fabrics)) {
            fabric.zoning.effective!.zones["bed"] = { type: 0, members, principals: [] };
          }
        });
        const vcenter = new RawVcenter(context);
        try {
          await vcenter.rescan(host!.name);
        } finally {
          await vcenter.close();
        }
        expect(connectedControllers(lab!.world.view, "array")).toMatchObject([
          { host: host!.name, adapter: "vmhba65", subsystemId: "ss" },
          { host: host!.name, adapter: "vmhba66", subsystemId: "ss" },
        ]);
        expect(JSON.stringify(await client.inventory())).toContain("HostNvmeController");
      },
      options,
    ));

  it("starts anew on a reset, on the same port, and ends with the lab", async () => {
    let pid = 0;
    await withLab(
      "D",
      async ({ client }) => {
        const first = await client.status();
        await client.reset();
        const second = await client.status();
        expect(second.endpoints).toEqual(first.endpoints);
        expect(second.processes.san).not.toBe(first.processes.san);
        pid = second.processes.san ?? 0;
        expect(() => process.kill(pid, 0)).not.toThrow();
      },
      options,
    );
    await sleep(50);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
