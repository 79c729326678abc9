import fc from "fast-check";
import { refusedChanges, type VolumeSetInput } from "../../../provider/resources/array-volume-diff";

const volume = fc.record({
  name: fc.constantFrom("v1", "v2", "v3"),
  sizeBytes: fc.bigInt({ min: 1n, max: 1n << 60n }).map(String),
  pool: fc.constantFrom("a", "b"),
});
const set: fc.Arbitrary<VolumeSetInput> = fc.record({
  generation: fc.constantFrom(1, 2),
  volumes: fc.dictionary(fc.constantFrom("01", "02", "03"), volume),
});

test("lets volumes grow and join, whatever else stays", () => {
  fc.assert(
    fc.property(
      set,
      fc.dictionary(fc.constantFrom("04", "05"), volume),
      fc.bigInt({ min: 0n, max: 1n << 40n }),
      (olds, more, by) => {
        const grown = Object.fromEntries(
          Object.entries(olds.volumes).map(([key, one]) => [
            key,
            { ...one, sizeBytes: (BigInt(one.sizeBytes) + by).toString() },
          ]),
        );
        expect(refusedChanges(olds, { ...olds, volumes: { ...grown, ...more } })).toEqual([]);
      },
    ),
  );
});

test("refuses every change in which a volume would lose its data", () => {
  fc.assert(
    fc.property(set, set, (olds, news) => {
      const loses = Object.entries(olds.volumes).some(([key, old]) => {
        const now = news.volumes[key];
        return (
          now?.name !== old.name ||
          now.pool !== old.pool ||
          BigInt(now.sizeBytes) < BigInt(old.sizeBytes)
        );
      });
      const problems = refusedChanges(olds, { ...news, generation: olds.generation });
      expect(problems.length > 0).toBe(loses && Object.keys(olds.volumes).length > 0);
    }),
  );
});

test("allows anything under another generation", () => {
  fc.assert(
    fc.property(set, set, (olds, news) => {
      expect(refusedChanges({ ...olds, generation: 1 }, { ...news, generation: 2 })).toEqual([]);
    }),
  );
});

test("names sizes as people write them, and the way out", () => {
  const olds = {
    volumes: { "01": { name: "v1", sizeBytes: "1099511627776", pool: "a" } },
  };
  const news = {
    volumes: { "01": { name: "v1", sizeBytes: "1073741824", pool: "a" } },
  };
  expect(refusedChanges(olds, news)).toEqual([
    {
      path: "volumes.01.sizeBytes",
      message: "volume v1 has 1 TiB and cannot shrink to 1 GiB",
      remedy: expect.stringContaining("generation") as string,
    },
  ]);
});
