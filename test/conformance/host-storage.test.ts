import { isDeviceError } from "../../bed/errors";
import { parseNaa, type Naa } from "../../bed/identities";
import type { HostDevice, HostStorage } from "../../provider/devices/host-storage";
import { RequestLog } from "../../provider/devices/request-log";
import { openClient, vcenterConfig } from "../../provider/devices/vcenter/config";
import { readOne } from "../../provider/devices/vcenter/properties";
import { environment } from "../support/device-environment";
import { call } from "../support/device-rig";
import type { Presented } from "../support/host-rig";
import { openHosts, present, sanBinary, withVcenter } from "../support/host-rig";
import type { TestLab } from "../support/lab";
import { withLab } from "../support/lab";

jest.setTimeout(120_000);

const first = "esx01.lab.invalid";
const second = "esx02.lab.invalid";

interface Rig {
  readonly lab: TestLab;
  readonly storage: HostStorage;
  readonly log: RequestLog;
  readonly shown: Presented;
}

async function withRig(volumes: number, test: (rig: Rig) => Promise<void>): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      const log = new RequestLog();
      const storage = openHosts(lab, log);
      try {
        const shown = await present(lab, [first, second], volumes);
        await test({ lab, storage, log, shown }).finally(() => shown.close());
      } finally {
        await storage.close();
      }
    },
    { sanBinary: sanBinary ?? "" },
  );
}

async function failure(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error as Error,
  );
}

const usable = (device: HostDevice | undefined): number =>
  device?.paths.filter((p) => p.state === "active" || p.state === "standby").length ?? 0;

withVcenter("host storage: vCenter", () => {
  it("lists hosts with clusters and adapters with the names they log in with", async () => {
    await withLab(
      "D",
      async (lab) => {
        const storage = openHosts(lab);
        const hosts = await storage.hosts(call());
        expect(hosts.map((host) => host.name)).toEqual(lab.site.hosts.map((host) => host.name));
        expect(hosts.map((host) => host.cluster)).toEqual(
          lab.site.hosts.map((host) => host.cluster),
        );
        const adapters = await storage.adapters(call(), first);
        const wanted = lab.site.hosts[0]?.hbas ?? [];
        const scsi = adapters.filter(({ protocol }) => protocol === "scsi");
        expect(scsi.map(({ name, wwpn }) => ({ name, wwpn }))).toEqual(
          wanted.map(({ adapter, wwpn }) => ({ name: adapter, wwpn })),
        );
        expect(adapters.every((adapter) => adapter.online)).toBe(true);
        await storage.close();
      },
      { sanBinary: sanBinary ?? "" },
    );
  });

  it("sees a mapped volume only after a rescan, on every path, with its size", async () => {
    await withRig(2, async ({ storage, shown }) => {
      expect(await storage.devices(call(), first, shown.devices)).toEqual([]);
      await storage.rescan(call(), [first]);
      const seen = await storage.devices(call(), first, shown.devices);
      expect(seen.map((device) => device.name).sort()).toEqual([...shown.devices].sort());
      for (const device of seen) {
        expect(usable(device)).toBe(4);
        expect(device.state).toBe("ok");
        const volume = shown.volumes.find((v) => v.deviceName === device.name);
        expect(device.capacityBytes).toBe(volume?.sizeBytes);
        expect(device.datastore).toBeUndefined();
      }
      // The other host has not looked yet.
      expect(await storage.devices(call(), second, shown.devices)).toEqual([]);
    });
  });

  it("sets policy and queue depth, and only what differs", async () => {
    await withRig(1, async ({ storage, shown, log }) => {
      await storage.rescan(call(), [first]);
      const [device] = shown.devices as [Naa];
      const before = (await storage.devices(call(), first, [device]))[0];
      const policy = before?.policy === "VMW_PSP_FIXED" ? "VMW_PSP_RR" : "VMW_PSP_FIXED";
      await storage.configure(call(), first, [{ device, policy, queueDepth: 48 }]);
      const after = (await storage.devices(call(), first, [device]))[0];
      expect(after).toMatchObject({ policy, queueDepth: 48 });
      const writes = (): number => log.records().filter((record) => record.write).length;
      const count = writes();
      await storage.configure(call(), first, [{ device, policy, queueDepth: 48 }]);
      expect(writes()).toBe(count);
      expect((await storage.devices(call(), second, [device])).length).toBe(0);
    });
  });

  it("detaches, attaches, and forgets a device that was taken away", async () => {
    await withRig(2, async ({ storage, shown }) => {
      await storage.rescan(call(), [first, second]);
      await storage.detach(call(), first, shown.devices);
      const states = (await storage.devices(call(), first, shown.devices)).map((d) => d.state);
      expect(states).toEqual(["off", "off"]);
      await storage.detach(call(), first, shown.devices);
      await storage.attach(call(), first, shown.devices);
      const back = await storage.devices(call(), first, shown.devices);
      expect(back.map((d) => d.state)).toEqual(["ok", "ok"]);
      await storage.detach(call(), first, shown.devices);
      await storage.detach(call(), second, shown.devices);
      await shown.unmap();
      await storage.rescan(call(), [first, second]);
      for (const host of [first, second]) {
        await storage.purge(call(), host, shown.devices);
        expect(await storage.devices(call(), host, shown.devices)).toEqual([]);
        await storage.purge(call(), host, shown.devices);
      }
    });
  });

  it("keeps the record of a volume that is taken away while in service, and purges it later", async () => {
    await withRig(1, async ({ storage, shown }) => {
      await storage.rescan(call(), [first]);
      await shown.unmap();
      await storage.rescan(call(), [first]);
      await storage.purge(call(), first, shown.devices);
      expect(await storage.devices(call(), first, shown.devices)).toEqual([]);
    });
  });

  it("does not purge a device in service", async () => {
    await withRig(1, async ({ storage, shown }) => {
      await storage.rescan(call(), [first]);
      await storage.purge(call(), first, shown.devices);
      expect(usable((await storage.devices(call(), first, shown.devices))[0])).toBe(4);
    });
  });

  it("loses the paths of a fabric whose zone is gone", async () => {
    await withRig(1, async ({ storage, shown }) => {
      await shown.zone("B", [first], false);
      await storage.rescan(call(), [first]);
      const [device] = await storage.devices(call(), first, shown.devices);
      expect(usable(device)).toBe(2);
      expect(new Set(device?.paths.map((path) => path.adapter))).toEqual(new Set(["vmhba2"]));
      expect(new Set(device?.paths.map((path) => path.targetWwpn))).toEqual(
        new Set(shown.targets.A),
      );
    });
  });

  it("shares one rescan between calls that come together", async () => {
    await withRig(1, async ({ storage, log }) => {
      await Promise.all(Array.from({ length: 6 }, () => storage.rescan(call(), [first, second])));
      const rescans = log.records().filter((record) => record.operation === "rescan host");
      // Two hosts, adapters and VMFS each.
      expect(rescans.length).toBe(4);
    });
  });

  it("gives the same inventory twice, and another one with a device more", async () => {
    await withRig(1, async ({ storage, shown }) => {
      const one = await storage.inventory(call(60_000));
      expect(await storage.inventory(call(60_000))).toEqual(one);
      await storage.rescan(call(), [first]);
      const more = await storage.inventory(call(60_000));
      const known = new Set(one.map((object) => `${object.class} ${object.name}`));
      const added = more.filter((object) => !known.has(`${object.class} ${object.name}`));
      expect(added.map((object) => object.name)).toEqual([`${first}/${shown.devices[0] ?? ""}`]);
    });
  });

  it("names hosts and devices that are not there", async () => {
    await withRig(1, async ({ storage, shown }) => {
      const noHost = await failure(storage.adapters(call(), "esx99"));
      expect(isDeviceError(noHost, "notFound")).toBe(true);
      expect(noHost.message).toContain("esx99");
      expect(noHost.message).toContain(first);
      const [device] = shown.devices as [Naa];
      const settings = [{ device, policy: "VMW_PSP_RR" }];
      const noDevice = await failure(storage.configure(call(), first, settings));
      expect(isDeviceError(noDevice, "notFound")).toBe(true);
      expect(noDevice.message).toContain(device);
      const unknown = parseNaa("naa.600a098000000000000000000000ffff");
      if (unknown === undefined) throw new Error("no device name");
      await storage.detach(call(), first, [unknown]);
      await storage.purge(call(), first, [unknown]);
    });
  });

  it("logs in again when the server has ended the session", async () => {
    await withRig(1, async ({ lab, storage }) => {
      await storage.hosts(call());
      await endOtherSessions(lab);
      expect((await storage.hosts(call())).length).toBe(8);
    });
  });

  it("refuses a wrong password and a wrong certificate, each with its remedy", async () => {
    await withLab(
      "D",
      async (lab) => {
        process.env["SANBED_TEST_WRONG"] = JSON.stringify({ user: "nobody", password: "wrong" });
        const vcenter = lab.site.devices["vcenter"];
        const wrong = { ...vcenter, credentials: "env:SANBED_TEST_WRONG" };
        const refused = openHosts({ ...lab, site: withDevice(lab, wrong) });
        const error = await failure(refused.hosts(call()));
        expect(isDeviceError(error, "unauthorized")).toBe(true);
        expect(error.message).not.toContain("wrong");
        await refused.close();
        const pin = { ...vcenter, tls: { sha256: "00".repeat(32) } };
        const other = openHosts({ ...lab, site: withDevice(lab, pin) });
        expect(isDeviceError(await failure(other.hosts(call())), "refused")).toBe(true);
        await other.close();
        delete process.env["SANBED_TEST_WRONG"];
      },
      { sanBinary: sanBinary ?? "" },
    );
  });

  it("stops at once when the call is aborted", async () => {
    await withRig(1, async ({ storage }) => {
      await storage.hosts(call());
      const error = await failure(storage.rescan({ signal: AbortSignal.abort() }, [first]));
      expect(isDeviceError(error, "aborted")).toBe(true);
    });
  });
});

function withDevice(lab: TestLab, vcenter: unknown): TestLab["site"] {
  return { ...lab.site, devices: { ...lab.site.devices, vcenter: vcenter as never } };
}

/** What an administrator does, or the server after thirty idle minutes. */
async function endOtherSessions(lab: TestLab): Promise<void> {
  const { devices } = lab.site;
  const other = openClient("vcenter", vcenterConfig.parse(devices["vcenter"]), environment());
  const attempt = { operation: "end sessions" };
  const { sessionManager } = await other.content(call());
  const paths = ["sessionList", "currentSession"];
  const values = await readOne(other, call(), attempt, sessionManager, paths);
  const own = values.get("currentSession")?.string("key");
  const sessionId = (values.get("sessionList")?.elements ?? [])
    .map((session) => session.string("key") ?? "")
    .filter((key) => key !== own);
  expect(sessionId.length).toBeGreaterThan(0);
  await other.invoke(call(), attempt, "TerminateSession", sessionManager, { sessionId });
  await other.close();
}
