import fc from "fast-check";
import { spread } from "../../bed/spread";

const seats = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `s${index.toString()}`);
const counts = (placed: readonly string[], used: readonly string[]): number[] =>
  used.map((seat) => placed.filter((one) => one === seat).length);

/** Declared seats, those of them that are in use, and some that are more. */
const layouts = fc
  .record({ declared: fc.integer({ min: 1, max: 9 }), more: fc.integer({ min: 0, max: 3 }) })
  .chain(({ declared, more }) =>
    fc.record({
      declared: fc.constant(seats(declared)),
      kept: fc.subarray(seats(declared)),
      more: fc.constant(Array.from({ length: more }, (_, index) => `m${index.toString()}`)),
    }),
  )
  .map(({ declared, kept, more }) => ({ declared, used: [...kept, ...more] }))
  .filter(({ used }) => used.length > 0);

describe("spreading over seats", () => {
  it("deals them out in turn when all declared ones are there", () => {
    expect(spread(5, { declared: ["a", "b"], used: ["a", "b"] })).toEqual([
      "a",
      "b",
      "a",
      "b",
      "a",
    ]);
  });

  it("is even after any number, whatever is missing or more, and uses no other seat", () => {
    fc.assert(
      fc.property(layouts, fc.integer({ min: 0, max: 40 }), (layout, count) => {
        const placed = spread(count, layout);
        expect(placed).toHaveLength(count);
        const each = counts(placed, layout.used);
        expect(each.reduce((a, b) => a + b, 0)).toBe(count);
        expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("leaves what is placed where it is when more follow", () => {
    fc.assert(
      fc.property(layouts, fc.nat(30), fc.nat(10), (layout, count, more) => {
        expect(spread(count + more, layout).slice(0, count)).toEqual(spread(count, layout));
      }),
    );
  });

  it("moves only what sat on the one seat that is taken away", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 12 }),
        fc.nat(11),
        fc.nat(60),
        (count, which, things) => {
          const declared = seats(count);
          const gone = declared[which % count] ?? "";
          const before = spread(things, { declared, used: declared });
          const after = spread(things, {
            declared,
            used: declared.filter((seat) => seat !== gone),
          });
          before.forEach((seat, index) => {
            if (seat !== gone) expect(after[index]).toBe(seat);
          });
        },
      ),
    );
  });

  it("moves at most twice what evenness asks for when a further seat comes", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 8, max: 48 }),
        (used, things) => {
          const declared = seats(8);
          const before = spread(things, { declared, used: declared.slice(0, used) });
          const after = spread(things, { declared, used: declared.slice(0, used + 1) });
          const moved = before.filter((seat, index) => seat !== after[index]).length;
          expect(moved).toBeLessThanOrEqual(2 * Math.ceil(things / (used + 1)));
        },
      ),
    );
  });

  it("meets every datastore on a host in turn when there are fewer of them than hosts", () => {
    const hosts = seats(8);
    const datastores = ["d1", "d2"];
    const onHost = spread(32, { declared: hosts, used: hosts });
    const onDatastore = spread(32, { declared: datastores, used: datastores, shiftEvery: 8 });
    for (const host of hosts) {
      const met = onDatastore.filter((_, index) => onHost[index] === host);
      expect(counts(met, datastores)).toEqual([2, 2]);
    }
  });
});

it("reads a number of rounds that does not grow with the square of the seats", () => {
  const seats = (count: number): string[] =>
    Array.from({ length: count }, (_, i) => `s${i.toString()}`);
  // Counted, not timed: each thing that is dealt in a round asks once for its seat.
  let asked = 0;
  const declared = new Proxy(seats(32), {
    get: (target, key, receiver): unknown => {
      if (typeof key === "string" && /^\d+$/.test(key)) asked += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  spread(1000, { declared, used: seats(999) });
  expect(asked).toBeLessThan(40 * 1000);
});
