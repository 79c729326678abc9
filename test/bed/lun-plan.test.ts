import fc from "fast-check";
import { familyLimits } from "../../bed/families/table";
import { planLuns } from "../../bed/lun-plan";
import type { VolumeGroup } from "../../bed/review-bed";

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
