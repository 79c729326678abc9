import { asArrayAdmin } from "../support/array-admin";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Site } from "../../bed/site";
import { E2eBed, oneMoreGroup, smallScale } from "../support/e2e-bed";

jest.setTimeout(120_000);

interface Zones {
  readonly host: string;
  readonly owned: Readonly<
    Record<string, { readonly ports: Record<string, { alias: string; zone: string }[]> }>
  >;
}

let bed: E2eBed;

beforeAll(async () => {
  // This release has comments on igroups: one with our name may be another's.
  bed = await E2eBed.start("wrong", "D", { release: "9.9.1" });
});

afterAll(() => bed.dispose());

/** The alias and zone of a host's first port on a fabric. */
async function zoningOf(host: string, fabric: string): Promise<{ alias: string; zone: string }> {
  const { owned } = await bed.outputsOf<Zones>("sanbed:fabric:HostZones", `-${host}`);
  const [names] = Object.values(owned[fabric]?.ports ?? {})[0] ?? [];
  if (names === undefined) throw new Error(`${host} has no zone on fabric ${fabric}`);
  return names;
}

/** What an error says of one host: the part of the output that begins with its resource. */
function partAbout(output: string, host: string): string {
  const diagnostics = output.slice(output.indexOf("Diagnostics:"));
  return diagnostics.split(/\n\n/).find((part) => part.includes(`-${host})`)) ?? "";
}

describe("paths that are missing", () => {
  let output = "";
  let hosts: Site["hosts"];
  let physical = "";

  /** Three hosts are spoilt behind the bed's back; then a volume group joins, on all four. */
  beforeAll(async () => {
    hosts = bed.lab.site().hosts.slice(0, 4);
    await bed.stands();
    const [first, second, third] = hosts.map((host) => host.name);
    const { zone } = await zoningOf(first ?? "", "B");
    await bed.tamper("fabricB", "remove-object", { name: zone });
    const entry = await bed.outputsOf<{ group: string; initiators: string[] }>(
      "sanbed:array:HostEntry",
      `-${second ?? ""}`,
    );
    for (const initiator of entry.initiators) {
      await bed.tamper("array", "removeInitiator", { igroup: entry.group, initiator });
    }
    const names = await zoningOf(third ?? "", "A");
    // The port of node 1 that the LIFs of fabric A sit on (lab/presets/netapp-array.ts).
    physical = "50:0a:09:81:80:5a:00:01";
    await bed.tamper("fabricA", "set-zone", {
      name: names.zone,
      members: [names.alias, physical],
    });
    output = await bed.upFails({ scale: oneMoreGroup });
  });

  it("a zone missing on fabric B is named with fabric, host, port and device", () => {
    const said = partAbout(output, hosts[0]?.name ?? "");
    expect(said).toMatch(
      /vcenter: cannot find every path on host esx01\.lab\.invalid to naa\.600a/,
    );
    expect(said).toMatch(/2 of 4 paths, seen through vmhba2 -> .*no path through vmhba3/);
    expect(said).toMatch(
      new RegExp(
        `fabricB: vmhba3 \\(${hosts[0]?.hbas[1]?.wwpn ?? ""}\\) is in no zone of the effective`,
      ),
    );
    expect(said).toMatch(/a zone for host esx01\.lab\.invalid is missing there/);
  });

  it("a LUN that is not mapped to one host is told from a zone that is missing", () => {
    const said = partAbout(output, hosts[1]?.name ?? "");
    expect(said).toMatch(
      /host esx02\.lab\.invalid to naa\.600a.*not seen on any path \(expected 4\)/,
    );
    expect(said).toMatch(/fabricA: vmhba2 .* is zoned with .*fabricB: vmhba3 .* is zoned with/);
    expect(said).toMatch(/host esx02\.lab\.invalid is missing in the array's host group/);
  });

  it("a physical port in the zone is told, with the virtual port that belongs there", () => {
    const said = partAbout(output, hosts[2]?.name ?? "");
    expect(said).toMatch(/host esx03\.lab\.invalid to naa\.600a.*no path through vmhba2/);
    expect(said).toMatch(new RegExp(`${physical} is the physical port, its virtual port is 20:`));
    expect(said).toMatch(/zone the virtual port/);
  });

  it("a host that is in order is not accused", () => {
    expect(partAbout(output, hosts[3]?.name ?? "no")).toBe("");
  });

  it("and all of it goes with destroy", async () => {
    await bed.destroyToNothing();
  });
});

describe("what the site says wrongly", () => {
  afterEach(() => bed.destroyToNothing());

  it("a WWPN typed wrong: fabric, switch, WWPN and the ones close to it are named", async () => {
    let wrong = "";
    let right = "";
    const output = await bed.upFails({
      site: ({ hosts }) => {
        const hba = hosts[1]?.hbas[1];
        if (hba === undefined) throw new Error("the site has no second host");
        right = hba.wwpn;
        wrong = `${right.slice(0, -1)}${right.endsWith("f") ? "e" : "f"}`;
        hba.wwpn = wrong;
      },
    });
    expect(output).toMatch(/cannot zone host esx02\.lab\.invalid/);
    expect(output).toMatch(
      new RegExp(
        `initiator ${wrong} is not logged in on fabric B \\(fabricB\\), which lists \\d+ ports`,
      ),
    );
    expect(output).toMatch(new RegExp(`close to it are .*${right}`));
    expect(output).toMatch(/Check the WWPN, the cable, and that the port is online/);
  });

  it("a wrong password of the array: device, cause and remedy are named, the password is nowhere", async () => {
    const secret = path.join(bed.folder, "wrong-password");
    writeFileSync(secret, JSON.stringify({ user: "admin", password: "planted-secret-7" }));
    const output = await bed.upFails({
      site: ({ devices }) => {
        const { array } = devices;
        if (array === undefined) throw new Error("the site has no array");
        array.credentials = `file:${secret}`;
      },
    });
    expect(output).toMatch(/array: cannot .*: user or password is wrong/);
    expect(output).toMatch(/Correct the credentials that the device's reference points to/);
    const kept = JSON.stringify(await bed.cli.resources());
    for (const text of [output, kept, bed.everythingWritten()]) {
      expect(text).not.toContain("planted-secret-7");
    }
  });
});

describe("a pool that is too small", () => {
  const thick = {
    scale: { volumeGroups: { sysbench: { ...smallScale.volumeGroups.sysbench, thin: false } } },
  };

  it("is refused by the plan, as far as the site knows it, before anything is touched", async () => {
    const writes = await bed.watchWrites();
    const output = await bed.upFails({
      ...thick,
      site: ({ array }) => {
        for (const pool of array.pools) pool.freeBytes = (1024n ** 3n).toString();
      },
    });
    expect(output).toMatch(
      /pool aggr_a has 1 GiB free, the thick volumes need 4\.4 GiB .*, 3\.4 GiB more/,
    );
    expect(await writes()).toEqual([]);
    await bed.destroyToNothing();
  });

  it("is refused by the array with pool, free and needed space", async () => {
    const freeBytes = BigInt(bed.lab.site().array.pools[0]?.freeBytes ?? "0");
    await bed.tamper("array", "fillPool", { pool: "aggr_a", freeBytes: (1024n ** 3n).toString() });
    await bed.rebase();
    const output = await bed.upFails(thick);
    expect(output).toMatch(/array: cannot create volume \S+_sysbench_01/);
    expect(output).toMatch(/pool aggr_a has 1 GiB free, the volume needs 4\.4 GiB/);
    expect(output).toMatch(/Use a larger pool, smaller or fewer volumes, or thin ones/);
    await bed.destroyToNothing();
    await bed.tamper("array", "fillPool", { pool: "aggr_a", freeBytes: freeBytes.toString() });
    await bed.rebase();
  });
});

describe("another's object with our name is refused and stays as it is", () => {
  let names: { zone: string; igroup: string; volume: string; target: string };

  /** What the bed would call its own. */
  beforeAll(async () => {
    await bed.stands();
    const { zone } = await zoningOf("esx01.lab.invalid", "A");
    const { group } = await bed.outputsOf<{ group: string }>("sanbed:array:HostEntry");
    const { set, target } = await bed.outputsOf<{
      set: Record<string, { name: string }>;
      target: string;
    }>("sanbed:array:VolumeSet");
    names = { zone, igroup: group, volume: set["01"]?.name ?? "", target };
    await bed.destroyToNothing();
  });

  it("a zone and a volume, in a tenant of theirs that the bed may use", async () => {
    const { zone, volume } = names;
    await bed.tamper("fabricA", "set-zone", {
      name: zone,
      members: ["21:00:00:24:ff:7b:10:01", "50:06:01:60:c7:e0:11:00"],
    });
    const lun = { svm: "svm_erp", volume, lun: volume, sizeBytes: "1073741824" };
    await bed.tamper("array", "createLun", lun);
    await portsOfTheirs("a250-02", ["2a", "2b"]);
    await bed.rebase();
    const output = await bed.upFails({ site: inTheirTenant }, "--continue-on-error");
    expect(output).toMatch(new RegExp(`fabricA: .*${zone}.*mark`));
    expect(output).toMatch(
      new RegExp(`array: cannot create volume ${volume}: a volume of this name exists.*mark`),
    );
    await bed.destroyToNothing();
  });

  it("a tenant", async () => {
    await bed.tamper("array", "createSvm", { name: names.target });
    await bed.rebase();
    const output = await bed.upFails();
    expect(output).toMatch(new RegExp(`array: cannot .*${names.target}.*mark`));
    await bed.destroyToNothing();
  });

  it("an igroup, whose name is a mark already: the bed is not begun", async () => {
    const writes = await bed.watchWrites();
    await bed.tamper("array", "createIgroup", { svm: "svm_erp", name: names.igroup });
    await bed.rebase();
    const output = await bed.upFails();
    expect(output).toMatch(
      new RegExp(
        `objects of bed ${bed.bedId} are already there: array hostGroup svm_erp/${names.igroup}`,
      ),
    );
    expect(output).toMatch(/another stack uses this bed id.*npx sanbed id/);
    expect(await writes()).toEqual([]);
    await bed.destroyToNothing();
  });
});

/** Their tenant has ports on one controller only, which is too few for a bed. */
async function portsOfTheirs(node: string, ports: readonly string[]): Promise<void> {
  const lab = { site: bed.lab.site(), dir: bed.lab.folder.path };
  for (const port of ports) {
    await asArrayAdmin(lab, "POST", "/api/network/fc/interfaces", {
      name: `erp_${node}_${port}`,
      svm: { name: "svm_erp" },
      data_protocol: "fcp",
      location: { port: { name: port, node: { name: node } } },
    });
  }
}

/** The site lets the bed use another team's tenant with its ports. */
function inTheirTenant({ array }: Site): void {
  array.target = { mode: "use", name: "svm_erp" };
  array.ports = [
    { key: "a", controller: "a250-01", port: "2a", fabric: "A" },
    { key: "b", controller: "a250-01", port: "2b", fabric: "B" },
    { key: "c", controller: "a250-02", port: "2a", fabric: "A" },
    { key: "d", controller: "a250-02", port: "2b", fabric: "B" },
  ];
}
