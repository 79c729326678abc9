import { reviewBedSchema, type ReviewBed } from "../../bed/review-bed";
import { reviewBeds } from "../../stacks/beds/catalogue";

/** Paths of all values of a bed's settings. Words about the bed itself and defaults of the schema are not settings. */
function leaves(value: unknown, path: string): string[] {
  if (Array.isArray(value) && value.some((one) => typeof one === "object")) {
    return value.flatMap((one, index) => leaves(one, `${path}.${index.toString()}`));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, `${path}.${key}`));
}

function settingsOf({ array, hosts, hypervisor, host, phases }: ReviewBed): string[] {
  return Object.entries({ array, hosts, hypervisor, host, phases })
    .flatMap(([key, value]) => leaves(value, key))
    .filter((path) => !path.endsWith(".workload.kind"));
}

/** `*` is one step; a path covers all below it. */
function covers(pattern: string, path: string): boolean {
  const steps = path.split(".");
  return pattern.split(".").every((step, index) => step === "*" || step === steps[index]);
}

const beds = Object.values(reviewBeds).map((bed) => [bed.id, bed] as const);

describe.each(beds)("bed %s", (_, bed) => {
  it("fits the schema, which changes nothing in it", () => {
    expect(reviewBedSchema.parse(bed)).toEqual(bed);
  });

  it("has a fact with its source or a named assumption for every setting", () => {
    const patterns = [...bed.facts, ...bed.assumptions].flatMap(({ paths }) => paths);
    const bare = settingsOf(bed).filter((path) => !patterns.some((one) => covers(one, path)));
    expect(bare).toEqual([]);
  });

  it("says nothing about settings that it does not have", () => {
    const settings = settingsOf(bed);
    const patterns = [...bed.facts, ...bed.assumptions].flatMap(({ paths }) => paths);
    expect(patterns.filter((one) => !settings.some((path) => covers(one, path)))).toEqual([]);
  });

  it("names no fact and no assumption twice", () => {
    for (const entries of [bed.facts, bed.assumptions]) {
      const names = entries.map(({ what }) => what);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });
});

test("beds have ids and short names of their own; the printed variant only another id", () => {
  const all = Object.values(reviewBeds);
  expect(Object.keys(reviewBeds)).toHaveLength(16);
  const built = all.filter(({ id }) => !id.endsWith("-printed"));
  expect(new Set(built.map(({ short }) => short)).size).toBe(built.length);
});

/** Figures of each array that can be read as they stand, and those that had to be put back. */
test.each([
  ["aff-a250-nvme-fc", 0, 18],
  ["aff-a250-fcp", 0, 18],
  ["aff-a200-fcp", 0, 2],
  ["ef570", 9, 10],
  ["aff-a800", 7, 12],
  ["aff-a300", 14, 3],
  ["eternus-af250-s2", 20, 0],
  ["eternus-af250", 15, 0],
  ["xcubesan-xs5226d", 2, 18],
  ["xcubesan-xs1226d", 0, 12],
])("published rates of %s: %i stated, %i reconstructed", (id, stated, reconstructed) => {
  const facts = reviewBeds[id]!.facts.filter(({ what }) => what.startsWith("published rate"));
  const count = (basis: string): number =>
    facts.filter((one) => one.basis === basis).flatMap(({ paths }) => paths).length;
  expect([count("stated"), count("reconstructed")]).toEqual([stated, reconstructed]);
});

test("a published rate that its review contradicts carries the conflict", () => {
  const found = reviewBeds["aff-a300"]!.facts.filter(({ note }) => note?.includes("contradicts"));
  expect(found).toMatchObject([
    {
      value: "84766 requests per second",
      note: expect.stringContaining("91,360") as string,
      paths: ["phases.vdbench.workload.profiles.seq-read-64k.expectedIops"],
    },
  ]);
});

test("a bed's stated array is its own, and facts of another array stand in no comparison bed", () => {
  const array = (id: string): unknown =>
    reviewBeds[id]!.facts.find(({ what }) => what === "array")?.value.split(",")[0];
  for (const bed of Object.values(reviewBeds)) {
    expect(array(bed.id)).toBe(`${bed.array.vendor} ${bed.array.model}`);
  }
});

/** What the reviews say of the arrays that they compare with, and nothing else, may be a fact. */
test.each([
  ["aff-a200-fcp", ["array.vendor", "array.model"]],
  ["aff-a300", ["array.vendor", "array.model", "array.dataReduction.on", "array.drives.type"]],
  ["eternus-af250", ["array.vendor", "array.model"]],
  ["xcubesan-xs1226d", ["array.vendor", "array.model"]],
])("of the array of %s only %j are facts", (id, expected) => {
  const bed = reviewBeds[id]!;
  const said = bed.facts
    .flatMap(({ paths }) => paths)
    .filter(
      (path) => path.startsWith("array") || path.includes("pools") || path.includes("olumeG"),
    );
  expect(said).toEqual(expected);
  expect(bed.array).not.toHaveProperty("software");
  expect(bed.array).not.toHaveProperty("targetPorts");
  expect(bed.array.drives.type).not.toContain("NVMe");
});

test("64 requests for each device are an assumption that names the adapter's own default", () => {
  for (const bed of Object.values(reviewBeds)) {
    const assumed = bed.assumptions.find(({ paths }) => paths.includes("host.queueDepth"));
    expect(assumed).toMatchObject({
      value: "64",
      reason: expect.stringMatching(/^a choice: .*lpfc: 30, since commit 763a18cb/) as string,
    });
  }
});
