import fc from "fast-check";
import { parseExactJson } from "../../../../provider/devices/cisco-mds/json";
import { rowsOf, textOf, wholeOf } from "../../../../provider/devices/cisco-mds/tables";

const row = fc.record({ name: fc.string(), vsan: fc.nat() });

describe("the tables of a structured answer", () => {
  test("come out the same whether one row is bare, listed, or in a table of its own", () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const listed = { TABLE_zone: { ROW_zone: rows } };
        const apart = { TABLE_zone: rows.map((one) => ({ ROW_zone: one })) };
        expect(rowsOf(listed, "zone")).toEqual(rows);
        expect(rowsOf(apart, "zone")).toEqual(rows);
        const [only] = rows;
        if (only !== undefined) {
          expect(rowsOf({ TABLE_zone: { ROW_zone: only } }, "zone")).toEqual([only]);
        }
      }),
    );
  });

  test.each([
    [undefined],
    [null],
    [""],
    [{}],
    [{ TABLE_zone: "" }],
    [{ TABLE_zone: { ROW_zone: "" } }],
  ])("are empty in %j", (body) => {
    expect(rowsOf(body, "zone")).toEqual([]);
  });

  test("give numbers as they were written, with blanks dropped and nothing made of nothing", () => {
    expect(textOf({ a: 7 }, "a")).toBe("7");
    expect(textOf({ a: " x " }, "b", "a")).toBe("x");
    expect(textOf({ a: "" }, "a")).toBeUndefined();
    expect(wholeOf({ a: "n/a" }, "a")).toBeUndefined();
    expect(wholeOf({}, "a")).toBeUndefined();
  });

  test("keep every digit of a 64-bit counter", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const body = parseExactJson(`{"bytes": ${value.toString()}}`);
        expect(wholeOf(body, "bytes")).toBe(value);
      }),
    );
  });
});
