import { parse, parseDocument } from "yaml";
import { type ConfigError } from "../../../bed/errors";
import { parseBedId, parseWwnn, parseWwpn } from "../../../bed/identities";
import { parseSite } from "../../../bed/site";
import { assembleSite } from "../../../cli/discover/assemble";
import { Decide, draftYaml, Remarked, undecided } from "../../../cli/discover/draft";
import type { Findings } from "../../../cli/discover/findings";
import { parseSeed, type Seed } from "../../../cli/discover/seed";
import { naa } from "../../support/fake-hosts";
import { exampleHostKey, exampleSite } from "../../support/example-site";

const takenAt = "2026-11-30T12:00:00.000Z";
const wwpn = (text: string) => parseWwpn(text)!;
const bedId = parseBedId("abcdefghij")!;

const hostPort = (host: number, port: number) => wwpn(`10:00:00:00:00:00:0${host}:0${port}`);
const arrayPort = (node: number, port: number) => wwpn(`50:00:00:00:00:00:0${node}:0${port}`);

function seed(given: object = {}): Seed {
  const { devices, fabrics } = exampleSite();
  return parseSeed({ name: "found", devices, fabrics, ...given });
}

function fabric(name: string, ports: readonly string[]): NonNullable<Findings["fabrics"]["A"]> {
  return {
    facts: {
      model: "G620",
      firmware: "v9.1",
      switchName: name,
      switchWwn: "10:00:00:00:00:00:ff:01",
      fabricName: undefined,
      uptimeSeconds: undefined,
    },
    effective: "prod",
    logins: ports.map((port) => ({
      wwpn: wwpn(port),
      wwnn: parseWwnn(port)!,
      portId: "010000",
      role: undefined,
      physicalWwpn: undefined,
      symbolicName: "",
    })),
  };
}

function host(number: number, luns: readonly [device: string, lun: number][] = []) {
  const name = `esx${number}.example`;
  const adapter = (port: number, protocol: "scsi" | "nvme", device: string) => ({
    name: device,
    wwpn: hostPort(number, port),
    wwnn: parseWwnn(hostPort(number, port))!,
    protocol,
    online: true,
    speedGbps: 32,
  });
  return {
    info: { name, id: `host-${number}`, cluster: "cluster1", connected: true, version: "8.0" },
    adapters: [
      adapter(1, "scsi", "vmhba2"),
      adapter(2, "scsi", "vmhba3"),
      adapter(1, "nvme", "vmhba66"),
    ],
    devices: luns.map(([device, lun]) => ({
      name: naa(device),
      state: "ok",
      capacityBytes: 1n,
      vendor: "V",
      model: "M",
      paths: [{ adapter: "vmhba2", targetWwpn: undefined, lun, state: "active" as const }],
      policy: undefined,
      queueDepth: undefined,
      datastore: undefined,
    })),
  };
}

const ownVolume = `naa.${"1".repeat(32)}`;
const foreignVolume = `naa.${"2".repeat(32)}`;

function findings(change: Partial<Findings> = {}): Findings {
  const ports = [1, 2].flatMap((node) => [1, 2].map((port) => ({ node, port })));
  return {
    fabrics: {
      A: fabric("sw-a", [hostPort(1, 1), hostPort(2, 1), arrayPort(1, 1), arrayPort(2, 1)]),
      B: fabric("sw-b", [hostPort(1, 2), hostPort(2, 2), arrayPort(1, 2), arrayPort(2, 2)]),
    },
    array: {
      facts: { vendor: "V", model: "M", name: "a1", software: "1", controllers: [], licences: [] },
      pools: [
        { name: "p1", controller: "node1", sizeBytes: 2n, freeBytes: 1n, bedId: undefined },
        { name: "p2", controller: "node2", sizeBytes: 2n, freeBytes: 2n, bedId: undefined },
      ],
      ports: ports.map(({ node, port }) => ({
        controller: `node${node}`,
        name: `2${"ab"[port - 1]!}`,
        wwpn: arrayPort(node, port),
        online: true,
        switchPort: undefined,
      })),
      tenants: ["svm_erp"],
      hostEntries: ["svm_erp/ig"],
    },
    hosts: [
      host(1, [
        [ownVolume, 10],
        [foreignVolume, 3],
      ]),
      host(2, [[foreignVolume, 3]]),
    ],
    survey: {
      datacenters: ["dc"],
      clusters: [{ name: "cluster1", datacenter: "dc" }],
      datastores: [
        {
          name: "ds1",
          datacenter: "dc",
          type: "VMFS",
          capacityBytes: 9n,
          freeBytes: 8n,
          hosts: ["esx1.example", "esx2.example"],
          bedId: undefined,
        },
        {
          name: "one",
          datacenter: "dc",
          type: "VMFS",
          capacityBytes: 9n,
          freeBytes: 8n,
          hosts: ["esx1.example"],
          bedId: undefined,
        },
        {
          name: "bed",
          datacenter: "dc",
          type: "VMFS",
          capacityBytes: 9n,
          freeBytes: 8n,
          hosts: ["esx1.example", "esx2.example"],
          bedId,
        },
      ],
      templates: [{ name: "Debian 12 (db)", datacenter: "dc", guestOs: "debian12_64Guest" }],
      networks: [{ name: "VM Network", datacenter: "dc", hosts: ["esx1.example"] }],
      nqns: new Map([["esx1.example", "nqn.2014-08.com.vmware:nvme:esx1"]]),
      addresses: [
        { address: "192.0.2.9", bedId: undefined },
        { address: "192.0.2.11", bedId },
      ],
    },
    own: undefined,
    ownDevices: new Set(),
    unanswered: [],
    ...change,
  };
}

interface Found {
  readonly text: string;
  readonly faults: readonly string[];
  readonly notes: readonly string[];
  readonly value: Record<string, unknown>;
}

function assemble(found: Findings, from: Seed = seed()): Found {
  const { draft, faults, notes } = assembleSite(found, from, takenAt);
  const text = draftYaml(draft, ["head"]);
  expect(parseDocument(text).errors).toEqual([]);
  return { text, faults, notes, value: parse(text) as Record<string, unknown> };
}

/** The answers that a person gives to what is asked in the findings above. */
function decide(value: Record<string, unknown>): Record<string, unknown> {
  const site = structuredClone(value) as Record<string, Record<string, unknown>>;
  Object.assign(site["array"]!, { target: { mode: "create" } });
  Object.assign(site["hypervisor"]!, { siteDatastore: "ds1", network: "VM Network" });
  Object.assign(site["templates"]!["debian_12_db_"]!, { hostKey: exampleHostKey });
  Object.assign(site["guests"]!, {
    addresses: ["192.0.2.20-192.0.2.29"],
    netmaskBits: 24,
    gateway: "192.0.2.1",
    privateKey: "file:/key",
  });
  return site;
}

describe("a site from what devices told", () => {
  it("is no site before a person has decided, and says what is open, place by place", () => {
    const { text, value } = assemble(findings());
    let refused: unknown;
    try {
      parseSite(value);
    } catch (error) {
      refused = error;
    }
    expect((refused as ConfigError).problems.map(({ path }) => path).sort()).toEqual([
      "array.target.mode",
      "guests.addresses",
      "guests.gateway",
      "guests.netmaskBits",
      "guests.privateKey",
      "hypervisor.network",
      "hypervisor.siteDatastore",
      "templates.debian_12_db_.hostKey",
    ]);
    // The marked values, and four lists from which a person may take something out.
    expect(text.match(/# decide: /g)).toHaveLength(8 + 4);
  });

  it("asks for the order of clusters where there are several, and only there", () => {
    const found = findings();
    const hosts = found.hosts.map((one, index) => ({
      ...one,
      info: { ...one.info, cluster: `cluster${(index + 1).toString()}` },
    }));
    const question = /# decide: the order, the cluster for MySQL first/;
    expect(assemble({ ...found, hosts }).text).toMatch(question);
    expect(assemble(found).text).not.toMatch(question);
  });

  it("is a site once it is decided, with every port on the fabric where it is logged in", () => {
    const site = parseSite(decide(assemble(findings()).value));
    expect(site.array.ports.map(({ key, fabric: on }) => [key, on])).toEqual([
      ["n1a", "A"],
      ["n1b", "B"],
      ["n2a", "A"],
      ["n2b", "B"],
    ]);
    expect(site.hosts[0]).toMatchObject({
      nqn: "nqn.2014-08.com.vmware:nvme:esx1",
      hbas: [
        { adapter: "vmhba2", fabric: "A", nvmeAdapter: "vmhba66" },
        { adapter: "vmhba3", fabric: "B" },
      ],
      lunsTaken: [3, 10],
    });
    expect(site.hypervisor.datastores).toEqual([{ name: "ds1", freeBytes: "8" }]);
    expect(site.occupancy).toMatchObject({
      takenAt,
      hostEntries: ["svm_erp/ig"],
      addresses: ["192.0.2.11", "192.0.2.9"],
    });
  });

  it("counts nothing of the bed that is asked for as taken", () => {
    const mine = { own: bedId, ownDevices: new Set([ownVolume]) };
    const { value } = assemble(findings(mine));
    expect(value["occupancy"]).toMatchObject({
      luns: { "esx1.example": [3], "esx2.example": [3] },
      addresses: ["192.0.2.9"],
    });
  });

  it("keeps what was decided when it is asked again, and leaves out what was left out", () => {
    const decided = decide(assemble(findings()).value) as Record<string, Record<string, unknown>>;
    const hosts = decided["hosts"] as unknown as Record<string, unknown>[];
    hosts.pop();
    Object.assign(hosts[0]!, { entry: { mode: "use", name: "esx1_entry" }, lunsTaken: [77] });
    decided["array"]!["pools"] = [{ name: "p2", controller: "node2" }];
    const ports = decided["array"]!["ports"] as Record<string, unknown>[];
    ports.splice(0, 1, { ...ports[0], key: "mine" });
    decided["hypervisor"]!["datastores"] = [{ name: "ds1" }];
    decided["templates"] = { sysbench: decided["templates"]!["debian_12_db_"] };
    const { value, notes, text } = assemble(findings(), seed(decided));
    const site = parseSite(value);
    expect(text).not.toContain("decide:");
    expect(site.array.target).toEqual({ mode: "create" });
    expect(site.array.ports.map(({ key }) => key)).toEqual(["mine", "n1b", "n2a", "n2b"]);
    expect(site.array.pools).toEqual([{ name: "p2", controller: "node2", freeBytes: "2" }]);
    expect(site.hypervisor.datastores).toEqual([{ name: "ds1", freeBytes: "8" }]);
    expect(site.hosts).toHaveLength(1);
    expect(site.hosts[0]).toMatchObject({ entry: { name: "esx1_entry" }, lunsTaken: [3, 10, 77] });
    expect(Object.keys(site.templates)).toEqual(["sysbench"]);
    expect(notes).toEqual([
      "host esx2.example is not in the file and stays out",
      "pool p1 is not in the file and stays out",
    ]);
  });

  it("leaves out ports that are on no or on both fabrics, and says why", () => {
    const both = findings();
    const logins = [...both.fabrics.B!.logins, ...fabric("", [hostPort(1, 1)]).logins];
    const { notes, value } = assemble({
      ...both,
      fabrics: {
        A: {
          ...both.fabrics.A!,
          logins: both.fabrics.A!.logins.filter((l) => l.wwpn !== arrayPort(1, 1)),
        },
        B: { ...both.fabrics.B!, logins },
      },
    });
    expect(notes).toEqual([
      "array port 2a of node1 (50:00:00:00:00:00:01:01) is logged in to neither fabric: left out",
      "adapter vmhba2 of host esx1.example (10:00:00:00:00:00:01:01) is logged in to both fabrics: left out",
    ]);
    expect((value["hosts"] as Record<string, unknown>[])[0]!["hbas"]).toHaveLength(1);
  });

  it("says that A and B are one fabric, by the ports that are logged in on both", () => {
    expect(assemble(findings()).faults).toEqual([]);
    const found = findings();
    const { A, B } = found.fabrics;
    const both = [...A!.logins, ...B!.logins];
    const one = { A: { ...A!, logins: both }, B: { ...B!, logins: both } };
    const { faults, value } = assemble({ ...found, fabrics: one });
    expect(faults).toEqual([
      "fabric A and fabric B are one fabric (sw-a and sw-b): 8 of 8 ports are logged in on both; a bed needs two that share no switch",
    ]);
    expect(value["hosts"]).toBeNull();
  });

  it("takes what an adapter takes for one device from those that are seen through it, else from the file", () => {
    const seen = host(1, [[foreignVolume, 3]]);
    const devices = seen.devices.map((device) => ({ ...device, maxQueueDepth: 30 }));
    const { value } = assemble({ ...findings(), hosts: [{ ...seen, devices }, host(2)] });
    const hosts = value["hosts"] as { hbas: Record<string, unknown>[] }[];
    expect(hosts.map(({ hbas }) => hbas.map((hba) => hba["deviceQueueDepth"]))).toEqual([
      [30, undefined],
      [undefined, undefined],
    ]);
    hosts[1]!.hbas.forEach((hba) =>
      Object.assign(hba, { deviceQueueDepth: 128, portQueueDepth: 2048 }),
    );
    // The file was not decided: what was left empty stays a question.
    const { text, value: second } = assemble(findings(), seed(value));
    expect(text).toMatch(/hostKey: # decide: /);
    const again = second["hosts"] as typeof hosts;
    expect(again[1]!.hbas[0]).toMatchObject({ deviceQueueDepth: 128, portQueueDepth: 2048 });
  });

  it("goes on without devices that did not answer, guesses nothing for them, and names them", () => {
    const silent = {
      fabrics: { A: findings().fabrics.A, B: undefined },
      array: undefined,
      survey: undefined,
      unanswered: [
        "fabric B: fabricB: cannot log in",
        "array: array: no answer",
        "vCenter: no answer",
      ],
    };
    const { notes, value, text } = assemble(findings(silent));
    expect(notes.slice(0, 3)).toEqual(silent.unanswered);
    expect(notes).toContain(
      "adapter vmhba3 of host esx1.example (10:00:00:00:00:00:01:02) is not logged in to the fabric that answered: left out",
    );
    expect(value["array"]).toMatchObject({ target: { mode: null }, ports: null, pools: null });
    expect(value["hypervisor"]).toMatchObject({
      datacenter: null,
      siteDatastore: null,
      network: null,
    });
    expect(text).toMatch(/ports: # decide: target ports: the array does not tell/);
  });

  it("says that a fabric has no configuration in force, and that hosts lie in no cluster", () => {
    const found = findings();
    const { notes } = assemble({
      ...found,
      fabrics: { ...found.fabrics, A: { ...found.fabrics.A!, effective: undefined } },
      hosts: [{ ...host(1), info: { ...host(1).info, cluster: undefined } }],
    });
    expect(notes).toEqual([
      "host esx1.example is in no cluster: left out",
      "fabric A has no zone configuration in force: beds join one and never make one",
    ]);
  });
});

test("text of devices cannot break out of a comment, and every decision is counted", () => {
  const draft = {
    a: new Remarked("x", "one\ntwo: three\r\n- four"),
    b: new Decide("which\u2028one", ["first\nkey: value", "second"]),
    c: new Remarked([{ d: new Decide("e") }], "decide: leave some out"),
  };
  const text = draftYaml(draft, ["head\nkey: value"]);
  expect(parse(text)).toEqual({ a: "x", b: null, c: [{ d: null }] });
  expect(undecided(draft)).toBe(3);
});
