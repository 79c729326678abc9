import fc from "fast-check";
import { planBed } from "../../bed/plan";
import { planJson } from "../../bed/plan-json";
import { parseSettings, type Scale } from "../../bed/settings";
import { affA250 } from "../../stacks/beds/aff-a250";
import { reviewBeds } from "../../stacks/beds/catalogue";
import { exampleSite } from "../support/example-site";
import { planSite } from "../support/plan-sites";

const bed = affA250({ protocol: "fcp" });
const settings = (scale: Scale, phase = "sysbench") =>
  parseSettings({ bedId: "abcdefghij", stack: "lab", phase, runId: "1", scale });
const plan = (scale: Scale) => planBed(bed, exampleSite(8, 64), settings(scale));

/** Everything that becomes a resource, each under its stable key. */
function objects(scale: Scale): Map<string, unknown> {
  const { zoning, volumeGroups, datastores, guests, hostGroups } = planJson(plan(scale)) as Record<
    string,
    Record<string, unknown>[]
  >;
  const named = (kind: string, all: Record<string, unknown>[] | undefined, key: string) =>
    (all ?? []).map((one) => [`${kind} ${String(one[key])}`, one] as const);
  return new Map<string, unknown>([
    ...named("zoning", zoning, "host"),
    ...named("datastore", datastores, "name"),
    ...named("guest", guests, "key"),
    ...named("host group", hostGroups, "key"),
    ...(volumeGroups ?? []).flatMap((group) =>
      named(
        `volume ${String(group["name"])}`,
        group["volumes"] as Record<string, unknown>[],
        "key",
      ),
    ),
  ]);
}

/** What a change of the scale does to the objects of the plan. */
function difference(before: Scale, after: Scale) {
  const [was, is] = [objects(before), objects(after)];
  return {
    added: [...is.keys()].filter((key) => !was.has(key)),
    removed: [...was.keys()].filter((key) => !is.has(key)),
    changed: [...was.keys()].filter(
      (key) => is.has(key) && JSON.stringify(is.get(key)) !== JSON.stringify(was.get(key)),
    ),
  };
}

const hosts = Array.from({ length: 8 }, (_, i) => `esx0${(i + 1).toString()}.example`);
const without = (host: string): string[] => hosts.filter((one) => one !== host);

describe("a plan after a change", () => {
  it("has one volume group more and nothing else different", () => {
    const extra = { count: 2, size: "1 GB", thin: true, firstLun: 80 };
    expect(difference({}, { volumeGroups: { extra } })).toEqual({
      added: [
        "datastore a250_fcp_lab-extra-01",
        "datastore a250_fcp_lab-extra-02",
        "volume extra 01",
        "volume extra 02",
      ],
      removed: [],
      changed: [],
    });
  });

  it("has one volume more and nothing else different, up to the guests that use it", () => {
    const scale = (count: number): Scale => ({ volumeGroups: { sysbench: { count } } });
    expect(difference(scale(32), scale(33))).toEqual({
      added: ["datastore a250_fcp_lab-sysbench-33", "volume sysbench 33"],
      removed: [],
      changed: [],
    });
  });

  it("has one guest more, the datastore under it holds a disk more, nothing else is different", () => {
    expect(difference({ cases: [8] }, { cases: [9] })).toEqual({
      added: ["guest g09"],
      removed: [],
      changed: ["datastore a250_fcp_lab-sysbench-09"],
    });
  });

  it.each(hosts)(
    "moves the guests of host %s alone when it leaves, and changes no more",
    (host) => {
      const moved = plan({})
        .guests.filter((guest) => guest.host === host)
        .map((guest) => `guest ${guest.key}`);
      expect(moved).toHaveLength(2);
      expect(difference({}, { hosts: without(host) })).toEqual({
        added: [],
        removed: [`zoning ${host}`],
        changed: [...moved, "host group all"],
      });
      // And the other way round when it comes back.
      expect(difference({ hosts: without(host) }, {})).toEqual({
        added: [`zoning ${host}`],
        removed: [],
        changed: [...moved, "host group all"],
      });
    },
  );

  it("changes nothing of a guest but the host when hosts come and go", () => {
    fc.assert(
      fc.property(fc.subarray(hosts, { minLength: 1 }), (some) => {
        // Fewer hosts have less memory together: the guests get less.
        const guests = { sysbench: { memory: "8 GiB" } };
        const scale = { cases: [16], guests, sysbench: { bufferPool: "1 GB", threads: 4 } };
        const all = plan(scale).guests;
        const few = plan({ ...scale, hosts: some }).guests;
        expect(few.map((guest) => ({ ...guest, host: "" }))).toEqual(
          all.map((guest) => ({ ...guest, host: "" })),
        );
        for (const guest of few) expect(some).toContain(guest.host);
      }),
    );
  });

  it("is the same for the same input", () => {
    for (const one of Object.values(reviewBeds).filter(({ id }) => !id.endsWith("printed"))) {
      for (const phase of Object.keys(one.phases)) {
        const made = (): string =>
          JSON.stringify(planJson(planBed(one, planSite(one), settings({}, phase))));
        expect(made()).toBe(made());
      }
    }
  });
});

describe("a plan as JSON", () => {
  it("has sizes as decimal strings, and neither endpoints nor credentials of the site", () => {
    const json = planJson(plan({}));
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(json["volumeGroups"]).toMatchObject([
      {
        volumes: expect.arrayContaining([
          expect.objectContaining({ sizeBytes: "300000000000" }),
        ]) as unknown,
      },
    ]);
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining([
        ...["bed", "site", "settings", "hosts", "zoning", "target", "pools", "volumeGroups"],
        ...["datastores", "guests", "cases", "schedule", "estimates", "assumptions", "remarks"],
      ]),
    );
    expect(JSON.stringify(json)).not.toMatch(/https:|env:|file:/);
  });
});
