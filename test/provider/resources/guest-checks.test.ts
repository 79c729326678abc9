import { checkDisks, diskScript, guestDiskProblems } from "../../../provider/resources/guest-disks";
import { healthProblems, healthScript, readHealth } from "../../../provider/resources/guest-health";
import { placeProblems } from "../../../provider/resources/machine-places";
import type { MachineDisk, MachineFacts } from "../../../provider/devices/machine-view";
import { execFileSync } from "node:child_process";

const disk = (changes: Partial<MachineDisk> = {}): MachineDisk => ({
  controller: 0,
  unit: 1,
  uuid: "6000c291-0000-0000-0000-00000000000a",
  file: "[bed-01] g01/g01.vmdk",
  capacityBytes: 2n ** 31n,
  datastore: "bed-01",
  blockDevices: ["naa.600a09800000000000000000000001"],
  ...changes,
});
const machine = (changes: Partial<MachineFacts> = {}): MachineFacts => ({
  uuid: "u1",
  name: "bed-g01",
  host: "esx01",
  poweredOn: true,
  showsDiskUuids: true,
  disks: [disk()],
  ...changes,
});
const expected = {
  device: "vcenter",
  host: "esx01",
  inGuest: true,
  disks: {
    test: {
      controller: 0,
      unit: 1,
      datastore: "bed-01",
      blockDevice: "naa.600a09800000000000000000000001",
    },
  },
};

describe("where machines are", () => {
  const place = { guest: "g01", vmUuid: "u1", host: "esx01" };

  it("finds nothing wrong with one on its host", () => {
    expect(placeProblems([place], [machine()])).toEqual([]);
  });

  it("names machine, host and expected host of one that has moved, with all others that are wrong", () => {
    expect(
      placeProblems(
        [place, { ...place, guest: "g02", vmUuid: "u2" }, { ...place, guest: "g03", vmUuid: "u3" }],
        [machine({ host: "esx05" }), machine({ uuid: "u3", name: "bed-g03", poweredOn: false })],
      ),
    ).toEqual([
      "g01: machine bed-g01 runs on esx05, expected esx01",
      "g02: the vCenter has no machine of uuid u2",
      "g03: machine bed-g03 is not powered on",
    ]);
  });
});

describe("a guest's disks, from the plan to the block device", () => {
  it("hands on what the guest must show when all is as planned", () => {
    expect(checkDisks(expected, machine())).toEqual({
      problems: [],
      disks: [{ label: "test", uuid: disk().uuid, capacityBytes: 2n ** 31n }],
    });
  });

  it.each([
    [{ datastore: "other", file: "[other] x.vmdk" }, /x\.vmdk is not on datastore bed-01/],
    [{ blockDevices: ["naa.6"] }, /bed-01 lies on naa\.6, expected naa\.600a/],
    [{ blockDevices: [] }, /lies on no VMFS volume/],
    [
      { blockDevices: [...disk().blockDevices, "naa.7"] },
      /lies on naa\.600a\d+, naa\.7, expected naa/,
    ],
    [{ unit: 2 }, /has none at SCSI\(0:1\)/],
    [{ controller: 1 }, /has a disk at SCSI\(1:1\) that is not planned/],
  ])("refuses %o", (changes, message) => {
    const { problems } = checkDisks(expected, machine({ disks: [disk(changes)] }));
    expect(problems.join("\n")).toMatch(message);
  });

  it("refuses a machine that hides the UUIDs", () => {
    const { problems } = checkDisks(expected, machine({ showsDiskUuids: false }));
    expect(problems).toEqual([expect.stringContaining("disk.EnableUUID")]);
  });

  it("compares what the guest shows, each disk by its id", () => {
    const { disks } = checkDisks(expected, machine());
    const id = "6000c29100000000000000000000000a";
    expect(guestDiskProblems(disks, `${id} 2147483648\n`)).toEqual([]);
    expect(guestDiskProblems(disks, `${id} -\n`)).toEqual([
      `disk test: the guest has no /dev/disk/by-id/wwn-0x${id}`,
    ]);
    expect(guestDiskProblems(disks, `${id} 4096\n`)).toEqual([
      "disk test: the guest sees 4096 bytes, its VMDK has 2147483648",
    ]);
    expect(guestDiskProblems(disks, "")).toHaveLength(1);
  });

  it("asks the guest for every id, and takes one that is not there for none", () => {
    const said = execFileSync("sh", ["-s", "abc", "def"], { input: diskScript, encoding: "utf8" });
    expect(said).toBe("abc -\ndef -\n");
  });
});

describe("a guest's health", () => {
  const needs = { timeSync: true, freeKib: 65_536, folder: "/var/lib/sanbed" };

  it("reads what this machine says", () => {
    const said = execFileSync("sh", ["-s", "/nowhere/at/all"], {
      input: healthScript,
      encoding: "utf8",
    });
    const health = readHealth(said);
    expect(health.entropy).toBeGreaterThan(0);
    expect(health.freeKib).toBeGreaterThan(0);
  });

  it("takes what is not said for unknown, never for 0", () => {
    expect(readHealth("entropy \nfree \n")).toEqual({
      entropy: undefined,
      freeKib: undefined,
      timeService: undefined,
      synchronised: false,
    });
  });

  it("tells every problem at once, with what is needed", () => {
    const health = readHealth("entropy 60\nfree 1000\n");
    expect(healthProblems(health, needs)).toEqual([
      expect.stringMatching(/60 bits of entropy, expected 128/),
      "1000 KiB is free at /var/lib/sanbed, expected 65536 KiB",
      expect.stringMatching(/no time service/),
    ]);
  });

  it("believes a time service only when it says that the clock is in step", () => {
    const well = "entropy 256\nfree 99999\nservice chronyd\n";
    expect(healthProblems(readHealth(well), needs)).toEqual([expect.stringMatching(/not in step/)]);
    expect(healthProblems(readHealth(`${well}synchronised yes\n`), needs)).toEqual([]);
  });
});
