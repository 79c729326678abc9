import fc from "fast-check";
import { compareInventories, type InventoryEntry } from "../../bed/certificate";

const bed = "abcdefghij";
const entry = (name: string, digest = "0", bedId?: string): InventoryEntry => ({
  device: "array",
  class: "volume",
  name,
  digest,
  bedId,
});

describe("the certificate's comparison", () => {
  it("is clean when nothing changed", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), (names) => {
        const all = names.map((name) => entry(name));
        expect(compareInventories(all, [...all].reverse(), bed, [])).toEqual({
          leftBehind: [],
          notRestored: [],
          byOthers: [],
        });
      }),
    );
  });

  it("finds what carries our mark, and what the ledger says we made", () => {
    const made = entry("made");
    const result = compareInventories([], [entry("marked", "0", bed), made, entry("theirs")], bed, [
      made,
    ]);
    expect(result.leftBehind.map((e) => e.name)).toEqual(["marked", "made"]);
    expect(result.byOthers).toEqual([{ change: "added", entry: entry("theirs") }]);
  });

  it("counts a touched object that differs or is gone as not restored, others' work apart", () => {
    const before = [entry("setting"), entry("gone"), entry("theirs"), entry("removed")];
    const after = [entry("setting", "1"), entry("theirs", "1")];
    const touched = [entry("setting"), entry("gone")];
    const result = compareInventories(before, after, bed, touched);
    expect(result.notRestored.map((e) => e.name)).toEqual(["setting", "gone"]);
    expect(result.byOthers.map((o) => [o.change, o.entry.name])).toEqual([
      ["changed", "theirs"],
      ["removed", "removed"],
    ]);
    expect(result.leftBehind).toEqual([]);
  });

  it("ignores the marks of other beds", () => {
    expect(compareInventories([], [entry("x", "0", "zzzzzzzzzz")], bed, []).leftBehind).toEqual([]);
  });
});
