import { isDeviceError } from "../../../bed/errors";
import type { HostInfo, HostNvme, HostStorage } from "../../../provider/devices/host-storage";
import { blockDevices } from "../../../provider/resources/host-block-devices";
import { rescanGuard } from "../../../provider/resources/host-rescan-guard";
import { bedWithHosts, hostDevice, naa } from "../../support/fake-hosts";
import { Driven } from "../../support/handler-rig";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const namespace = naa("uuid.5084e29a6bb24fbca5ba076eda8ecd7e");
const nqn = "nqn.1992-08.com.netapp:sn.0f1e2d3c4b5a69788796a5b4c3d2e1f0:subsystem.x";
const host = (version: string): HostInfo => ({
  name: "esx01",
  id: "host-1",
  cluster: undefined,
  connected: true,
  version,
});
const inputs = {
  device: "vcenter",
  host: "esx01",
  devices: { a: namespace },
  expectedPaths: 4,
  map: "map",
  waitSeconds: 5,
  targets: { n1_a: { wwpn: "20:01:00:a0:98:aa:bb:cc", wwnn: "20:00:00:a0:98:aa:bb:cc" } },
};

function nvme(parts: Partial<HostNvme>): HostNvme {
  return {
    controllers: () => Promise.resolve([]),
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    ...parts,
  };
}

/** A bed in a folder of its own, on a host that finds its namespace only when it is told where. */
async function withBed(
  version: string,
  test: (bed: ReturnType<typeof bedWithHosts>, done: string[]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "sanbed-"));
  const done: string[] = [];
  const connected = (): boolean => done.some((one) => one.startsWith("connect"));
  const storage: Partial<HostStorage> = {
    hosts: () => Promise.resolve([host(version)]),
    rescan: () => Promise.resolve(),
    purge: () => Promise.resolve(),
    adapters: () => Promise.resolve([]),
    devices: () =>
      Promise.resolve(
        connected() && version !== "6.7.0"
          ? [{ ...hostDevice(namespace), policy: "LB-Latency" }]
          : [],
      ),
    staleSignatures: () => Promise.resolve([]),
    configure: (_call, _host, settings) => {
      done.push(...settings.map((one) => `policy ${one.policy ?? ""}`));
      return Promise.resolve();
    },
    nvme: nvme({
      connect: (_call, on, targets) => {
        done.push(`connect ${on} ${targets.map((one) => one.wwpn).join()}`);
        return Promise.resolve();
      },
      disconnect: (_call, on, subsystem) => {
        done.push(`disconnect ${on} ${subsystem}`);
        return Promise.resolve();
      },
    }),
  };
  try {
    await test({ ...bedWithHosts(storage), folder }, done);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("NVMe namespaces on a host", () => {
  test("are looked for at the targets when the host does not find them, and get NVMe's policy", async () => {
    await withBed("8.0.2", async (bed, done) => {
      const made = await new Driven(blockDevices).create(bed, inputs);
      expect(done).toEqual(["connect esx01 20:01:00:a0:98:aa:bb:cc", "policy LB-RR"]);
      expect(made.state["previous"]).toMatchObject({ a: { policy: "LB-Latency" } });
      expect(made.state["policy"]).toBeUndefined();
    });
  });

  test("are refused on a host that is too old, by its release", async () => {
    await withBed("6.7.0", async (bed) => {
      const late = { ...inputs, waitSeconds: 0 };
      const error: unknown = await new Driven(blockDevices)
        .create(bed, late)
        .catch((reason: unknown) => reason);
      expect(isDeviceError(error, "unsupported")).toBe(true);
      expect(String(error)).toContain("ESXi 6.7.0");
    });
  });

  test("leave no connection behind when the guard has seen them go", async () => {
    await withBed("8.0.2", async (bed, done) => {
      const guard = {
        device: "vcenter",
        hosts: ["esx01"],
        devices: { a: namespace },
        group: "data",
        subsystem: nqn,
      };
      await new Driven(rescanGuard).delete(bed, "vcenter/data", guard);
      expect(done).toEqual([`disconnect esx01 ${nqn}`]);
    });
  });
});
