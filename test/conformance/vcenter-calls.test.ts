import type { HostStorage } from "../../provider/devices/host-storage";
import { call } from "../support/device-rig";
import { openHosts, present, sanBinary, withVcenter } from "../support/host-rig";
import { withLab, type TestLab } from "../support/lab";

jest.setTimeout(180_000);

interface Rig {
  readonly lab: TestLab;
  readonly storage: HostStorage;
  readonly hosts: readonly string[];
  readonly devices: Awaited<ReturnType<typeof present>>["devices"];
  /** How many calls of each operation the vCenter is asked for by some work. */
  readonly count: (work: () => Promise<unknown>) => Promise<Readonly<Record<string, number>>>;
}

/** Eight hosts that all see so many volumes, and have looked. */
async function withDevices<T>(volumes: number, test: (rig: Rig) => Promise<T>): Promise<T> {
  return withLab(
    "D",
    async (lab) => {
      const storage = openHosts(lab);
      const hosts = lab.site.hosts.map((host) => host.name);
      const shown = await present(lab, hosts, volumes);
      await storage.rescan(call(60_000), hosts);
      const asked = (): ReturnType<typeof lab.client.requests> => lab.client.requests("vcenter");
      const count: Rig["count"] = async (work) => {
        const before = (await asked()).at(-1)?.seq ?? 0;
        await work();
        const counts: Record<string, number> = {};
        for (const { seq, method } of await asked()) {
          if (seq > before) counts[method] = (counts[method] ?? 0) + 1;
        }
        return counts;
      };
      try {
        return await test({ lab, storage, hosts, devices: shown.devices, count });
      } finally {
        await storage.close();
        await shown.close();
      }
    },
    { sanBinary: sanBinary ?? "" },
  );
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, n) => sum + n, 0);

withVcenter("calls to the vCenter", () => {
  it("do not grow with the devices that are read, and are a few for each host", async () => {
    const figures = new Map<string, number>();
    for (const volumes of [4, 32]) {
      await withDevices(volumes, async ({ storage, hosts, devices, count }) => {
        for (const some of [hosts.slice(0, 2), hosts]) {
          const counts = await count(() =>
            Promise.all(
              some.map(async (host) => {
                expect((await storage.devices(call(60_000), host, devices)).length).toBe(volumes);
              }),
            ),
          );
          figures.set(`${some.length.toString()} hosts, ${volumes.toString()}`, total(counts));
        }
        figures.set(
          `inventory, ${volumes.toString()}`,
          total(await count(() => storage.inventory(call(60_000)))),
        );
      });
    }
    const of = (key: string): number => figures.get(key) ?? NaN;
    expect(of("2 hosts, 32")).toBe(of("2 hosts, 4"));
    expect(of("8 hosts, 32")).toBe(of("8 hosts, 4"));
    expect(of("inventory, 32")).toBe(of("inventory, 4"));
    // The storage, and the queue depths over esxcli; what both need is looked up once.
    expect(of("8 hosts, 4")).toBeLessThanOrEqual(4 * of("2 hosts, 4"));
    expect(of("8 hosts, 4") / 8).toBeLessThanOrEqual(3);
  });

  it("rescan all hosts at once, and each once for everybody who asks together", async () => {
    await withDevices(4, async ({ lab, storage, hosts, devices, count }) => {
      // Long enough that a busy machine has sent them all before the first is answered.
      const rule = {
        device: "vcenter",
        match: { method: "RescanAllHba" },
        effect: { latencyMs: 2000 },
      };
      await lab.client.addFault(rule);
      const counts = await count(() =>
        Promise.all(devices.map(() => storage.rescan(call(60_000), hosts))),
      );
      expect(counts["RescanAllHba"]).toBe(hosts.length);
      expect(counts["RescanVmfs"]).toBe(hosts.length);
      const requests = (await lab.client.requests("vcenter")).filter(
        ({ method, durationMs }) => method === "RescanAllHba" && durationMs >= 2000,
      );
      expect(requests.length).toBe(hosts.length);
      const lastBegun = Math.max(...requests.map(({ startedAtMs }) => startedAtMs));
      const firstEnded = Math.min(...requests.map((r) => r.startedAtMs + r.durationMs));
      expect(lastBegun).toBeLessThan(firstEnded);
    });
  });
});
