import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { parseSite, type Site } from "../../../bed/site";
import { assembleSite } from "../../../cli/discover/assemble";
import { discoverCommand } from "../../../cli/discover/command";
import { draftYaml } from "../../../cli/discover/draft";
import { ask } from "../../../cli/discover/findings";
import { parseSeed } from "../../../cli/discover/seed";
import { openDevices } from "../../../provider/devices/registry";
import { RequestLog } from "../../../provider/devices/request-log";
import { deviceKinds } from "../../../provider/resources/provider-config";
import { environment } from "../../support/device-environment";
import { call } from "../../support/device-rig";
import { digest } from "../../support/digest";
import { sanBinary } from "../../support/host-rig";
import { type TestLab, withLab } from "../../support/lab";

/** What discovery needs the vCenter for runs where its program is named (`npm test` names it). */
const withVcenter = sanBinary === undefined ? describe.skip : describe;

const whole = <T>(test: (lab: TestLab) => Promise<T>): Promise<T> =>
  withLab("D", test, sanBinary === undefined ? {} : { sanBinary });

/** What only a person can say, as the lab's own site says it. */
function decide(found: Record<string, unknown>, site: Site): Record<string, unknown> {
  const value = structuredClone(found) as Record<string, Record<string, unknown>>;
  Object.assign(value["array"]!, { target: site.array.target });
  const { siteDatastore, network } = site.hypervisor;
  Object.assign(value["hypervisor"]!, { siteDatastore, network });
  const { hostKey } = site.templates["sysbench"]!;
  const { sysbench_template: template } = value["templates"] as Record<string, object>;
  return { ...value, guests: site.guests, templates: { sysbench: { ...template, hostKey } } };
}

/** What is free differs from lab to lab. */
const withoutSizes = (line: string): string =>
  line.replace(/"\d+"/g, "bytes").replace(/[\d.]+ [KMGT]iB/g, "size");

function seedOf(site: Site): Record<string, unknown> {
  return { name: site.name, devices: site.devices, fabrics: site.fabrics };
}

withVcenter("discovery of the lab", () => {
  beforeEach(() => {
    jest.spyOn(process.stderr, "write").mockReturnValue(true);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it(
    "finds the facts of the lab's own site, once what is for a person is decided",
    () =>
      whole(async ({ dir, site, client }) => {
        const before = digest(await client.inventory());
        const [file, out] = [join(dir, "seed.yaml"), join(dir, "found.yaml")];
        writeFileSync(file, stringify(seedOf(site)));
        expect(await discoverCommand([file, "--out", out])).toBe(0);
        const found = parse(readFileSync(out, "utf8")) as Record<string, unknown>;
        expect(() => parseSite(found)).toThrow(/guests\.addresses: has no value/);
        const read = parseSite(decide(found, site));
        const { ports, ...array } = read.array;
        const { ports: ownPorts, ...ownArray } = site.array;
        expect(array).toEqual(ownArray);
        // The lab uses one port per controller and fabric; all that are cabled are found.
        const places = ports.map(({ controller, port, fabric }) => ({ controller, port, fabric }));
        expect(places).toEqual(
          expect.arrayContaining(
            ownPorts.map(({ controller, port, fabric }) => ({ controller, port, fabric })),
          ),
        );
        expect(places).toHaveLength(8);
        const plain = (hosts: Site["hosts"]) =>
          hosts.map(({ name, cluster, hbas }) => ({ name, cluster, hbas }));
        expect(plain(read.hosts)).toEqual(plain(site.hosts));
        expect(read.hypervisor).toMatchObject(site.hypervisor);
        expect(read.templates).toEqual(site.templates);
        expect(read.devices).toEqual(site.devices);
        expect(digest(await client.inventory())).toBe(before);
      }),
    60_000,
  );

  it(
    "writes what the page on sites shows, with as many values to decide",
    () =>
      whole(async ({ dir, site }) => {
        const [file, out] = [join(dir, "seed.yaml"), join(dir, "found.yaml")];
        writeFileSync(file, stringify(seedOf(site)));
        expect(await discoverCommand([file, "--out", out])).toBe(0);
        const page = readFileSync(join(__dirname, "../../../docs/site.md"), "utf8");
        const [, count = ""] = /^(\d+) values to decide in site\.yaml/m.exec(page) ?? [];
        const [, shown = ""] = /From that file:\n\n```yaml\n([^`]*)```/.exec(page) ?? [];
        const lines = readFileSync(out, "utf8").split("\n").map(withoutSizes);
        expect(lines).toContain(
          `# ${count} values are for a person to decide: look for "decide:".`,
        );
        expect(shown.split("\n").length).toBeGreaterThan(20);
        let from = 0;
        for (const line of shown.trimEnd().split("\n").map(withoutSizes)) {
          expect(lines.slice(from)).toContain(line);
          from = lines.indexOf(line, from) + 1;
        }
      }),
    60_000,
  );

  it(
    "sends nothing that could change a device",
    () =>
      whole(async ({ site }) => {
        const log = new RequestLog();
        const devices = openDevices(deviceKinds, site.devices, environment(log));
        const seed = parseSeed(seedOf(site));
        const findings = await ask(devices, seed, call(30_000), undefined);
        await devices.close();
        expect(findings.unanswered).toEqual([]);
        expect(log.records().length).toBeGreaterThan(30);
        expect(log.records().filter((record) => record.write)).toEqual([]);
        const { draft } = assembleSite(findings, seed, "2026-11-30T12:00:00Z");
        expect(draftYaml(draft, [])).toMatch(/site-local: VMFS, 4 TiB free, 8 of 8 hosts/);
      }),
    60_000,
  );

  it(
    "fails when A and B are two switches of one fabric, and says so first",
    () =>
      withLab(
        "D",
        async ({ dir, site }) => {
          const fabrics = { A: site.fabrics.A, B: { device: "fabricA2" } };
          const seed = { ...seedOf(site), fabrics };
          const [file, out] = [join(dir, "seed.json"), join(dir, "found.yaml")];
          writeFileSync(file, JSON.stringify(seed));
          expect(await discoverCommand([file, "--out", out])).toBe(1);
          const text = readFileSync(out, "utf8");
          expect(text).toMatch(
            /^# To be put right first: fabric A and fabric B are one fabric \(/m,
          );
          expect(text).not.toMatch(/fabric: [AB]$/m);
        },
        {
          shape: { switchesPerFabric: 2 },
          ...(sanBinary === undefined ? {} : { sanBinary }),
        },
      ),
    60_000,
  );

  it(
    "writes what it found when one device is away, names that one, and fails",
    () =>
      whole(async ({ dir, site }) => {
        const seed = structuredClone(seedOf(site)) as { devices: Site["devices"] };
        seed.devices["fabricB"]!.endpoint = "https://127.0.0.1:9";
        const [file, out] = [join(dir, "seed.json"), join(dir, "found.yaml")];
        writeFileSync(file, JSON.stringify(seed));
        expect(await discoverCommand([file, "--out", out])).toBe(1);
        const text = readFileSync(out, "utf8");
        expect(text).toMatch(/# +fabric B: fabricB: cannot .*127\.0\.0\.1:9/);
        expect(text).toMatch(/esx08\.lab\.invalid/);
        expect(text).not.toMatch(/fabric: B/);
        await expect(discoverCommand([file, "--out", out])).rejects.toThrow(/--force replaces it/);
      }),
    60_000,
  );
});

test("discovery says how it is used when it is not told whom to ask", async () => {
  const errors = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    expect(await discoverCommand([])).toBe(2);
    expect(await discoverCommand(["a", "b"])).toBe(2);
    expect(errors.mock.calls[0]![0]).toMatch(/sanbed discover FILE/);
  } finally {
    errors.mockRestore();
  }
  await expect(discoverCommand(["none.yaml"])).rejects.toThrow(/none\.yaml: cannot be read/);
  await expect(discoverCommand(["x", "--bed", "1"])).rejects.toThrow(/is no bed id/);
  expect(existsSync("none.yaml")).toBe(false);
});
