import fc from "fast-check";
import { familyLimits } from "../../bed/families/table";
import { planLuns, unusableLun } from "../../bed/lun-plan";
import { planSingleGroup } from "../../bed/single-group";
import type { BedId } from "../../bed/identities";
import type { VolumeGroup } from "../../bed/review-bed";
import { exampleSite } from "../support/example-site";

const group = (count: number, firstLun: number): VolumeGroup => ({
  count,
  firstLun,
  size: "1 GB",
  thin: true,
  generation: 1,
});
const families = ["ontap", "santricity", "eternus", "xcubesan"] as const;
const taken = fc.uniqueArray(fc.nat(255), { maxLength: 60 }).map((luns) => new Set(luns));
const none = new Set<number>();

describe("LUN numbers", () => {
  it("are the ones asked for when nothing is in the way", () => {
    const luns = planLuns({ a: group(3, 10), b: group(2, 20) }, none, familyLimits.ontap);
    expect([...luns]).toEqual([
      ["a", [10, 11, 12]],
      ["b", [20, 21]],
    ]);
  });

  it.each(families)("of %s avoid what is taken and reserved, and none is given twice", (family) => {
    const limits = familyLimits[family];
    fc.assert(
      fc.property(taken, fc.integer({ min: 1, max: 40 }), fc.nat(60), (used, count, first) => {
        const luns = planLuns({ a: group(count, first), b: group(20, 110) }, used, limits);
        const all = [...luns.values()].flat();
        expect(new Set(all).size).toBe(all.length);
        for (const lun of all) {
          expect(used.has(lun)).toBe(false);
          expect(limits.lun.reserved).not.toContain(lun);
          expect(lun).toBeGreaterThanOrEqual(limits.lun.min);
          expect(lun).toBeLessThanOrEqual(limits.lun.max);
        }
      }),
    );
  });

  it.each(families)(
    "of %s are as many as are free, also when few are; the rest is told",
    (family) => {
      const limits = familyLimits[family];
      const { min, max, reserved } = limits.lun;
      const usable = Array.from({ length: max - min + 1 }, (_, index) => min + index).filter(
        (lun) => !reserved.includes(lun),
      );
      fc.assert(
        fc.property(
          fc.subarray(usable, { maxLength: 12 }),
          fc.integer({ min: 1, max: 20 }),
          (free, count) => {
            const used = new Set(usable.filter((lun) => !free.includes(lun)));
            const luns = planLuns({ a: group(count, 10) }, used, limits).get("a") ?? [];
            const good = luns.filter((lun) => !unusableLun(used, limits)(lun));
            expect(new Set(good).size).toBe(Math.min(count, free.length));
            expect(good.every((lun) => free.includes(lun))).toBe(true);
            expect(luns).toHaveLength(count);
          },
        ),
      );
    },
  );

  it("move for the one volume whose number gets taken, and for no other", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 41 }), (lun) => {
        const groups = { a: group(32, 10) };
        const before = planLuns(groups, none, familyLimits.santricity).get("a") ?? [];
        const after = planLuns(groups, new Set([lun]), familyLimits.santricity).get("a") ?? [];
        before.forEach((number, index) => {
          if (number === lun) expect(after[index]).toBe(255 - lun);
          else expect(after[index]).toBe(number);
        });
      }),
    );
  });

  it("stay when volumes and groups are added or removed, also those that were put off", () => {
    fc.assert(
      fc.property(taken, fc.integer({ min: 1, max: 20 }), fc.nat(20), (used, count, more) => {
        const small = planLuns({ a: group(count, 10) }, used, familyLimits.ontap);
        const large = planLuns(
          { a: group(count + more, 10), b: group(5, 300) },
          used,
          familyLimits.ontap,
        );
        expect(large.get("a")?.slice(0, count)).toEqual(small.get("a"));
      }),
    );
  });
});

test("a volume group outside a bed is refused where its hosts have no LUN number left", () => {
  const site = exampleSite();
  const host = { ...site.hosts[0]!, lunsTaken: Array.from({ length: 1023 }, (_, lun) => lun) };
  const context = { site: { ...site, hosts: [host] }, bedId: "abcdefghij" as BedId, prefix: "p" };
  const plan = (count: number) =>
    planSingleGroup("a", group(count, 10), { ...context, hosts: [host] });
  expect(plan(1).volumes.map(({ lun }) => lun)).toEqual([1023]);
  expect(() => plan(2)).toThrow(/1 volumes get no LUN number/);
});
