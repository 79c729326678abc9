import fc from "fast-check";
import { type BedId, parseBedId, parseNaa, parseWwpn } from "../../../bed/identities";
import { markName } from "../../../bed/mark";
import { noDetails, type Findings, type FoundHost } from "../../../cli/why/findings";
import {
  buildGraph,
  isHeld,
  type Kind,
  rankOf,
  releaseOrder,
  type Thing,
  type WhyGraph,
} from "../../../cli/why/graph";
import { Holders } from "../../../cli/why/holders";
import { findThings, nearNames } from "../../../cli/why/lookup";
import { ownerText, remedyFor } from "../../../cli/why/remedy";
import { whyJson, whyText } from "../../../cli/why/why-text";

const must = <T>(value: T | undefined): T => value ?? fail("not an identity");
const own = must(parseBedId("abcdefghij"));
const other = must(parseBedId("zzzzzzzzzz"));
const naas = ["1", "2", "3"].map((n) => must(parseNaa(`naa.600a098055626f6542645b4d58782d6${n}`)));
const hostNames = ["esx01", "esx02", "esx03"];
const wwpnOf = (host: number) => must(parseWwpn(`10:00:00:00:00:00:00:0${host.toString()}`));
const target = must(parseWwpn("50:00:00:00:00:00:00:01"));

const bed: fc.Arbitrary<BedId | undefined> = fc.constantFrom(own, other, undefined);
const pick = <T>(list: readonly T[]): fc.Arbitrary<T[]> => fc.subarray([...list]);

const arraysArbitrary = fc
  .record({
    tenant: bed,
    volumes: fc.array(bed, { minLength: 3, maxLength: 3 }),
    group: bed,
    maps: pick(naas),
  })
  .map(({ tenant, volumes, group, maps }): Findings["arrays"] => [
    {
      device: "array",
      survey: {
        tenants: [{ name: "svm", bedId: tenant }],
        volumes: naas.map((device, i) => {
          const name = `v${i.toString()}`;
          return {
            tenant: "svm",
            name,
            bedId: volumes[i],
            units: [{ path: `/vol/${name}/${name}`, device }],
          };
        }),
        groups: [{ tenant: "svm", name: "g", bedId: group, initiators: [wwpnOf(0), wwpnOf(1)] }],
        maps: maps.map((device, lun) => {
          const i = naas.indexOf(device);
          const bedId = volumes[i] === group ? group : undefined;
          return { tenant: "svm", volume: `v${i.toString()}`, group: "g", device, lun, bedId };
        }),
        deleted: [{ tenant: "svm", name: "old", bedId: tenant }],
      },
    },
  ]);

const hostArbitrary = (index: number): fc.Arbitrary<FoundHost> =>
  fc
    .record({ connected: fc.boolean(), seen: pick(naas), off: fc.boolean(), dead: fc.boolean() })
    .map((h) => {
      const name = hostNames[index] ?? "";
      const state = h.dead ? ("dead" as const) : ("active" as const);
      const devices = h.seen.map((naa) => ({
        ...{ name: naa, state: h.off ? "off" : "ok", capacityBytes: 1n, vendor: "", model: "" },
        paths: [{ adapter: "vmhba2", targetWwpn: target, lun: 1, state }],
        ...{ policy: undefined, queueDepth: undefined, datastore: undefined },
      }));
      const adapter = { name: "vmhba2", wwpn: wwpnOf(index), wwnn: wwpnOf(index) as never };
      const adapters = [{ ...adapter, protocol: "scsi" as const, online: true, speedGbps: 32 }];
      const info = { name, id: name, cluster: undefined, connected: h.connected, version: "8.0.3" };
      return { device: "vcenter", info, storage: h.connected ? { adapters, devices } : undefined };
    });

const useArbitrary = fc
  .record({ extents: pick(naas), mounts: pick(hostNames), beds: fc.array(bed, { maxLength: 4 }) })
  .map(({ extents, mounts, beds }): Findings["uses"] => {
    const machines = beds.map((bedId, i) => {
      const name = `vm${i.toString()}`;
      const where = { path: `dc/vm/${name}`, host: hostNames[i % 3] };
      return {
        id: name,
        name,
        ...where,
        template: i === 1,
        running: i === 0,
        bedId,
        agent: undefined,
        snapshots: 0,
      };
    });
    const datastore = {
      ...{ id: "ds-1", name: "ds", path: "dc/datastore/ds", devices: extents },
      mounts: mounts.map((host) => ({ host, mounted: true, accessible: true })),
      machines: machines.map(({ id }) => id),
    };
    return [{ device: "vcenter", use: { datastores: [datastore], machines, inMaintenance: [] } }];
  });

const fabricsArbitrary = fc
  .record({
    members: pick([markName(own, "h0"), "b", target]),
    inForce: fc.boolean(),
    noted: fc.boolean(),
  })
  .map(({ members, inForce, noted }) => {
    const aliases = new Map([
      [markName(own, "h0"), [wwpnOf(0)]],
      ["b", [wwpnOf(1)]],
    ]);
    const zone = { name: "z", members, type: "standard" };
    const ports = members.flatMap((member) => aliases.get(member) ?? [member]);
    const zoning = {
      ...{ aliases, zones: new Map([["z", zone]]) },
      configs: new Map([["cfg", { name: "cfg", zones: ["z"] }]]),
      effective: { name: "cfg", zones: new Map<string, string[]>(inForce ? [["z", ports]] : []) },
      ...{ defaultAccess: "none" as const, version: "1" },
    };
    const notedZones = new Map([[own, new Set(noted ? ["fabricA/z"] : [])]]);
    return { fabrics: [{ device: "fabricA", zoning }], notedZones };
  });

const findingsArbitrary: fc.Arbitrary<Findings> = fc
  .record({
    arrays: arraysArbitrary,
    hosts: fc.tuple(hostArbitrary(0), hostArbitrary(1), hostArbitrary(2)),
    uses: useArbitrary,
    zoned: fabricsArbitrary,
  })
  .map(({ arrays, hosts, uses, zoned }) => ({
    ...{ arrays, hosts, uses, ...zoned, unanswered: [] },
    ports: new Map(hostNames.map((name, i) => [name, [wwpnOf(i)]])),
  }));

const asked = ["v0", "svm", "g", "ds", "vm0", "z", "b", markName(own, "h0"), naas[1] ?? ""];
const graphArbitrary = fc
  .record({
    findings: findingsArbitrary,
    name: fc.constantFrom(...asked),
    files: pick(["[ds] a.iso"]),
  })
  .map(({ findings, name, files }) => {
    const holders = new Holders(findings, {
      ...noDetails,
      files: new Map([["vcenter/ds-1", files]]),
    });
    const roots = findThings(holders.candidates(), name);
    return { findings, graph: buildGraph(roots, (thing) => holders.of(thing)) };
  });

const property = (check: (graph: WhyGraph, findings: Findings) => void): void => {
  fc.assert(
    fc.property(graphArbitrary, ({ graph, findings }) => {
      check(graph, findings);
    }),
  );
};

describe("graph of what holds an object", () => {
  it("never comes back to where it began, and holds no end that is not in it", () => {
    property((graph) => {
      const done = new Set<string>();
      // What is released in this order is never still held by something that comes later.
      for (const node of releaseOrder(graph)) {
        for (const holder of node.holders) expect(done.has(holder)).toBe(true);
        done.add(node.id);
      }
      expect(done.size).toBe(graph.nodes.size);
    });
  });

  it("names each holder once, in the graph, in the steps, and in whole only once in the text", () => {
    property((graph) => {
      for (const { holders } of graph.nodes.values()) {
        expect(new Set(holders).size).toBe(holders.length);
      }
      const order = releaseOrder(graph).map(({ id }) => id);
      expect(new Set(order).size).toBe(order.length);
      const tree = whyText({ graph, own, unanswered: [] }).split("\nwhat lets go")[0] ?? "";
      const whole = tree
        .split("\n")
        .filter((line) => / - (?:this|another|foreign|a host)/.test(line));
      expect(whole).toHaveLength(graph.nodes.size);
    });
  });

  it("stays without circles and repetitions whatever is said to hold what", () => {
    const kinds = Object.keys(rankOf) as Kind[];
    const things = kinds.map((kind): Thing => {
      return { id: kind, kind, device: "d", name: kind, bedId: undefined, facts: [] };
    });
    const lists = fc.array(fc.array(fc.constantFrom(...things)), {
      minLength: things.length,
      maxLength: things.length,
    });
    fc.assert(
      fc.property(lists, fc.constantFrom(...things), (held, root) => {
        const graph = buildGraph([root, root], (thing) => held[things.indexOf(thing)] ?? []);
        const done = new Set<string>();
        for (const { id, holders } of releaseOrder(graph)) {
          expect(new Set(holders).size).toBe(holders.length);
          for (const holder of holders) expect(done.has(holder)).toBe(true);
          done.add(id);
        }
        expect(graph.roots).toEqual([root.id]);
      }),
    );
  });

  it("says whose every object is, and advises nothing for an object of others without that", () => {
    property((graph) => {
      for (const node of graph.nodes.values()) {
        const remedy = remedyFor(node, own);
        if (node.kind === "host") continue;
        if (node.bedId === undefined) {
          expect(ownerText(node, own)).toMatch(/^foreign/);
          expect(remedy).toMatch(/^foreign: ask whose it is/);
        } else if (node.bedId !== own) {
          expect(ownerText(node, own)).toContain(`another bed's: ${node.bedId}`);
          expect(remedy).toMatch(new RegExp(`^belongs to bed ${node.bedId}`));
        } else {
          expect(ownerText(node, own)).toBe("this bed's");
          expect(remedy).toContain(`pulumi destroy\` of bed ${own}`);
        }
        if (node.bedId !== own) expect(remedy).not.toContain("sweep");
      }
    });
  });

  it("gives an object to a bed only where all that makes it is that bed's", () => {
    property((graph, { arrays, notedZones }) => {
      const volumes = arrays[0]?.survey.volumes ?? [];
      const bedOf = (naa: string) => volumes.find(({ units }) => units[0]?.device === naa)?.bedId;
      for (const { kind, bedId, name, facts } of graph.nodes.values()) {
        if (bedId === undefined) continue;
        if (kind === "zone") expect(notedZones.get(bedId)?.has(`fabricA/${name}`)).toBe(true);
        if (kind === "map") expect(bedOf(facts[1] ?? "")).toBe(bedId);
        if (kind === "hostDevice") expect(bedOf(name.split("/")[1] ?? "")).toBe(bedId);
        if (kind === "file" || kind === "device") fail("these carry no mark");
      }
    });
  });

  it("is held exactly when a map, a host that has not let go, or something on it is there", () => {
    fc.assert(
      fc.property(findingsArbitrary, (findings) => {
        const holders = new Holders(findings);
        const graph = buildGraph(findThings(holders.candidates(), "v0"), (thing) =>
          holders.of(thing),
        );
        const mapped = findings.arrays[0]?.survey.maps.some(({ volume }) => volume === "v0");
        const seen = findings.hosts.some(({ storage }) =>
          storage?.devices.some(({ name, state }) => name === naas[0] && state !== "off"),
        );
        expect(isHeld(graph)).toBe(mapped === true || seen);
        expect(whyJson({ graph, own, unanswered: [] })["held"]).toBe(isHeld(graph));
      }),
    );
  });

  it("takes no path for held that another zone allows too", () => {
    const holdersOf = (zones: readonly string[]): readonly string[] => {
      const member = { type: "standard", members: [wwpnOf(0), target] };
      const [findings] = fc.sample(findingsArbitrary, { numRuns: 1, seed: 1 });
      const hosts = fc
        .sample(hostArbitrary(0), { numRuns: 200, seed: 1 })
        .filter(({ storage }) =>
          storage?.devices.some((d) => d.state === "ok" && d.paths[0]?.state === "active"),
        )
        .slice(0, 1);
      const zoning = {
        ...must(findings?.fabrics[0]).zoning,
        zones: new Map(zones.map((name) => [name, { ...member, name }])),
        effective: { name: "cfg", zones: new Map(zones.map((name) => [name, member.members])) },
      };
      const fabrics = [{ device: "fabricA", zoning }];
      const holders = new Holders({ ...must(findings), hosts, fabrics });
      return findThings(holders.candidates(), "z").flatMap((t) =>
        holders.of(t).map(({ id }) => id),
      );
    };
    expect(holdersOf(["z"])).not.toEqual([]);
    expect(holdersOf(["z", "also"])).toEqual([]);
  });
});

describe("looking up an object", () => {
  const [findings] = fc.sample(findingsArbitrary, { numRuns: 1, seed: 7 });
  const candidates = new Holders(must(findings)).candidates();

  it("finds a volume by its name, place, LUN and device, and one kind by its prefix", () => {
    for (const name of ["v0", "svm/v0", "/vol/v0/v0", naas[0]?.toUpperCase() ?? "", "volume:v0"]) {
      expect(findThings(candidates, name).map(({ id }) => id)).toEqual(["volume array/svm/v0"]);
    }
    expect(findThings(candidates, "zone:v0")).toEqual([]);
    expect(findThings(candidates, "nothing:v0")).toEqual([]);
  });

  it("offers what is spelled nearly so, and nothing that is not", () => {
    expect(nearNames(candidates, "vm9")).toEqual(
      expect.arrayContaining(
        candidates.some(({ names }) => names.includes("vm0")) ? ["machine vm0"] : [],
      ),
    );
    expect(nearNames(candidates, "quite-something-else")).toEqual([]);
  });
});
