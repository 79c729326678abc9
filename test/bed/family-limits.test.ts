import fc from "fast-check";
import { familyLimits } from "../../bed/families/table";
import type { BedId } from "../../bed/identities";
import { bedOfName, markShort } from "../../bed/mark";
import { planBed } from "../../bed/plan";
import type { ReviewBed } from "../../bed/review-bed";
import { parseSettings, type Scale } from "../../bed/settings";
import { flexVolBytes } from "../../provider/devices/ontap/volume-decisions";
import { eternusAf250S2 } from "../../stacks/beds/eternus-af250-s2";
import { ef570 } from "../../stacks/beds/ef570";
import { xCubeSanXs5226d } from "../../stacks/beds/xcubesan-xs5226d";
import { planSite } from "../support/plan-sites";

const bedId = "abcdefghij" as BedId;
const plan = (bed: ReviewBed, scale: Scale = {}, stack = "lab", hosts = 8) =>
  planBed(
    bed,
    planSite(bed, hosts),
    parseSettings({ bedId, stack, phase: "sysbench", runId: "1", scale }),
  );

test("ONTAP: the space that a LUN takes is what the driver makes of it", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 50n }), (bytes) => {
      expect(familyLimits.ontap.spaceInPool(bytes)).toBe(flexVolBytes(bytes));
    }),
  );
});

test("the short mark comes back from the name and fits 16 characters", () => {
  const { hostGroupName, volumeName } = familyLimits.eternus;
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (rest) => {
      const group = markShort(bedId, hostGroupName, rest);
      expect(group.length).toBeLessThanOrEqual(16);
      expect(bedOfName(group)).toBe(bedId);
      const volume = markShort(bedId, volumeName, rest);
      expect(volume).toMatch(/^[A-Za-z0-9_-]{1,32}$/);
      expect(bedOfName(volume)).toBe(bedId);
    }),
  );
});

test.each([eternusAf250S2(), ef570(), xCubeSanXs5226d()])(
  "$id: names fit the family, and are told apart however long the stack's name is",
  (bed) => {
    const limits = familyLimits[bed.array.family];
    for (const stack of ["lab", "a-stack-whose-name-is-much-too-long-for-any-array"]) {
      const { volumeGroups, hostGroups } = plan(bed, {}, stack);
      const names = volumeGroups.flatMap((group) => group.volumes.map(({ name }) => name));
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) {
        expect(name.length).toBeLessThanOrEqual(limits.volumeName.maxLength);
        if (limits.volumeMark === "name") expect(bedOfName(name)).toBe(bedId);
      }
      for (const { name } of hostGroups) {
        expect(name.length).toBeLessThanOrEqual(limits.hostGroupName.maxLength);
        expect(bedOfName(name)).toBe(bedId);
      }
    }
  },
);

describe("limits of families", () => {
  it("SANtricity: no thin volumes, LUN 7 left to the access volume", () => {
    expect(() => plan(ef570(), { volumeGroups: { sysbench: { thin: true } } })).toThrow(
      /pools of santricity as beds use them hold no thin volumes/,
    );
    const { volumeGroups } = plan(ef570(), { volumeGroups: { sysbench: { firstLun: 6 } } });
    expect(volumeGroups[0]?.volumes.map(({ lun }) => lun)).toEqual([6, 248]);
  });

  it("ETERNUS: 128 volumes in a RAID group, eight hosts in a group", () => {
    const small = { size: "40 GB", thin: false };
    expect(() =>
      plan(eternusAf250S2(), { volumeGroups: { more: { ...small, count: 258, firstLun: 20 } } }),
    ).toThrow(/130 volumes in pool rg_0, at most 128/);
    const large = { ...eternusAf250S2(), hosts: { ...eternusAf250S2().hosts, clusters: 3 } };
    expect(() => plan(large, {}, "lab", 12)).toThrow(
      /hosts in group sbabcdefghij_all: 12, at most 8/,
    );
  });

  it("XCubeSAN: LUN numbers up to 254", () => {
    expect(() =>
      plan(xCubeSanXs5226d(), { volumeGroups: { sysbench: { firstLun: 254 } } }),
    ).toThrow(/the last LUN of the group is 255, at most 254 can be used .*lower by 1/);
  });

  it("vSphere 6.5: 512 devices and 2,048 paths on a host", () => {
    const more = { count: 600, size: "1 GB", thin: false, firstLun: 20 };
    const beyond = { ...ef570(), array: { ...ef570().array, family: "ontap" as const } };
    expect(() => plan(beyond, { volumeGroups: { more } })).toThrow(
      /602 LUNs on host esx01.example, an ESXi host sees at most 512/,
    );
    expect(() => plan(beyond, { volumeGroups: { more: { ...more, count: 300 } } })).toThrow(
      /2416 paths on host esx01.example, at most 2048 .*at most 256 volumes with 8 paths each/,
    );
  });
});

test("volume groups of single clusters go to host groups of their own", () => {
  const bed = ef570();
  const phase = bed.phases["sysbench"]!;
  const group = (cluster: number, firstLun: number) => ({
    ...phase.volumeGroups["sysbench"]!,
    size: "2 TB",
    cluster,
    firstLun,
  });
  const guests = { sysbench: { ...phase.guests["sysbench"]!, clusters: [1], count: 8 } };
  const apart: ReviewBed = {
    ...bed,
    phases: {
      sysbench: {
        ...phase,
        cases: [8],
        guests,
        // Hosts of different clusters may use the same numbers.
        volumeGroups: { sysbench: group(1, 10), other: group(2, 10) },
      },
    },
  };
  expect(plan(apart).hostGroups.map(({ key, hosts }) => [key, hosts.length])).toEqual([
    ["c01", 4],
    ["c02", 4],
  ]);
  const elsewhere = { sysbench: { ...guests.sysbench, clusters: [2] } };
  expect(() =>
    plan({ ...apart, phases: { sysbench: { ...apart.phases["sysbench"]!, guests: elsewhere } } }),
  ).toThrow(/8 disks lie on volumes that the guest's host does not see/);
});
