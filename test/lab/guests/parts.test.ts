import { mkdirSync, mkdtempSync, rmSync, existsSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { removeListedCgroups } from "../../../lab/guests/cgroups";
import { deviceNumbers } from "../../../lab/guests/loop-device";
import { probeLevelA } from "../../../lab/guests/probe";
import { diskDevice, parsePowerOn } from "../../../lab/guests/request";
import { Slots } from "../../../lab/guests/slots";
import { createGuestSupervisor } from "../../../lab/guests/supervisor";

const VALID = {
  uuid: "4211c5ee",
  hostname: "web01",
  address: "127.0.21.11",
  memoryMiB: 512,
  cpus: 1,
  template: "sysbench",
  host: "esx01.lab",
  disks: [{ label: "disk1", unit: 1, sizeBytes: "1073741824", file: "/lab/blocks/web01-disk1" }],
};

describe("a power-on request", () => {
  it("passes when it is as the protocol says", () => {
    expect(parsePowerOn("web01", VALID)).toEqual(VALID);
  });

  it.each([
    ["vm", "../etc", VALID],
    ["address", "web01", { ...VALID, address: "192.0.2.1" }],
    ["hostname", "web01", { ...VALID, hostname: "a b" }],
    ["disks.0.file", "web01", { ...VALID, disks: [{ ...VALID.disks[0], file: "relative" }] }],
    ["disks.0.unit", "web01", { ...VALID, disks: [{ ...VALID.disks[0], unit: 7 }] }],
    ["disks.0.unit", "web01", { ...VALID, disks: [{ ...VALID.disks[0], unit: 0 }] }],
  ])("is refused for its %s", (place, vm, body) => {
    expect(() => parsePowerOn(vm, body)).toThrow(`${place}: `);
  });

  it("names disks as Linux does, leaving out the adapter's own unit", () => {
    expect([1, 2, 6, 8, 15].map(diskDevice)).toEqual(["sdb", "sdc", "sdg", "sdh", "sdo"]);
  });
});

describe("device numbers", () => {
  it.each([
    [0x703, "7:3"],
    [0x100700, "7:256"],
    [0x10300, "259:0"],
  ])("decodes %i", (rdev, text) => {
    expect(deviceNumbers(rdev)).toBe(text);
  });
});

describe("control groups of a killed lab", () => {
  it("removes the listed ones, with what is below, and nothing that is not a lab's", async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), "sanbed-cgroups-"));
    try {
      const ours = path.join(dir, "sanbed-lab-0123456789ab");
      const foreign = path.join(dir, "system.slice");
      mkdirSync(path.join(ours, "web01/system.slice"), { recursive: true });
      mkdirSync(foreign);
      const list = path.join(dir, "cgroups.txt");
      writeFileSync(list, `${foreign}\n${ours}\n`);
      expect(await removeListedCgroups(list)).toEqual({ removed: [ours], left: [] });
      expect([existsSync(ours), existsSync(foreign)]).toEqual([false, true]);
      expect(await removeListedCgroups(path.join(dir, "none"))).toEqual({ removed: [], left: [] });
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});

describe("slots", () => {
  it("never lets more run than it has, and goes on after a failure", async () => {
    const slots = new Slots(2);
    let running = 0;
    let most = 0;
    const work = (fails: boolean): Promise<void> =>
      slots.take(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        if (fails) throw new Error("planned");
      });
    const outcomes = await Promise.allSettled([true, false, true, false, false].map(work));
    expect(outcomes.map((o) => o.status)).toEqual([
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(most).toBe(2);
  });
});

describe("levels", () => {
  it("names every tool that is missing for level A", async () => {
    const before = process.env["PATH"];
    process.env["PATH"] = "/nonexistent";
    try {
      const probe = await probeLevelA();
      expect(probe.ok).toBe(false);
      expect(probe.missing.join("\n")).toMatch(/unshare: [\s\S]*losetup: /);
    } finally {
      process.env["PATH"] = before;
    }
  });

  it("says that level D has no guests", () => {
    const options = {
      dir: "/none",
      cgroupList: "/none",
      tree: "/none",
      sshPort: 22,
      databasePort: 3306,
      authorizedKey: "",
      hostKeyFile: "/none",
      log: jest.fn(),
    };
    expect(() => createGuestSupervisor(options, "D")).toThrow("level D has emulators only");
  });
});
