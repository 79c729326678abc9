import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseBedId } from "../../../bed/identities";
import { markComment, markName } from "../../../bed/mark";
import { whyCommand } from "../../../cli/why/command";
import { openDevices } from "../../../provider/devices/registry";
import { RequestLog } from "../../../provider/devices/request-log";
import { deviceKinds } from "../../../provider/resources/provider-config";
import { ask, askDetails } from "../../../cli/why/findings";
import { asArrayAdmin } from "../../support/array-admin";
import { environment } from "../../support/device-environment";
import { call, openSwitch, testBedId } from "../../support/device-rig";
import { digest } from "../../support/digest";
import { openHosts, present, type Presented, withVcenter } from "../../support/host-rig";
import { RawVcenter } from "../../support/raw-vcenter";
import type { Made, Place, VsphereRig } from "../../support/vsphere-rig";
import { cluster, first, machine, place, second, withVsphere } from "../../support/vsphere-rig";

jest.setTimeout(120_000);

const other = parseBedId("zzzzzzzzzz") ?? fail("no bed id");
const annotation = markComment(testBedId, "guest");
const svm = markName(testBedId, "svm");
const volume = markName(testBedId, "v0");
const group = markName(testBedId, "hosts");
const folder = markName(testBedId, "machines");

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

interface Rig {
  readonly rig: VsphereRig;
  readonly at: Place;
  readonly raw: RawVcenter;
  readonly shown: Presented;
  /** Creates a datastore on the first volume. */
  readonly datastore: (name: string) => Promise<Made>;
  readonly why: (...argv: readonly string[]) => Promise<Answer>;
}

/** A volume that two hosts see, and the command as a person runs it. */
async function withHeld(test: (rig: Rig) => Promise<void>): Promise<void> {
  await withVsphere(async (rig) => {
    const raw = new RawVcenter(rig.lab);
    const shown = await present(rig.lab, [first, second], 1);
    const hosts = openHosts(rig.lab);
    const file = join(rig.lab.dir, "site.json");
    writeFileSync(file, JSON.stringify(rig.lab.site));
    try {
      await hosts.rescan(call(), [first, second]);
      const at = await place(rig);
      const disk = { hostSystemId: at.hostSystemId, disks: shown.devices };
      await test({
        rig,
        at,
        raw,
        shown,
        datastore: (name) => rig.create("VmfsDatastore", { name, ...disk }),
        why: (...argv) => run([...argv, "--site", file, "--bed", testBedId]),
      });
    } finally {
      await Promise.all([hosts.close(), raw.close(), shown.close()]);
    }
  });
}

function naaOf({ out }: Answer): string {
  return /naa\.[0-9a-f]{32}/.exec(out)?.[0] ?? "";
}

async function run(argv: readonly string[]): Promise<Answer> {
  let [out, errors] = ["", ""];
  const spies = [
    jest.spyOn(process.stdout, "write").mockImplementation((text) => {
      out += String(text);
      return true;
    }),
    jest.spyOn(process.stderr, "write").mockImplementation((text) => {
      errors += String(text);
      return true;
    }),
  ];
  try {
    return { code: await whyCommand(argv), out, errors };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

withVcenter("why, on the lab", () => {
  it("follows a volume over its map, hosts and datastore to the machines on it, and says whose each is", async () => {
    await withHeld(async ({ rig, at, raw, shown, datastore, why }) => {
      const { datacenterId } = at;
      const data = await datastore("t-data");
      const { id } = await rig.create("Folder", { path: folder, type: "vm", datacenterId });
      expect(id).not.toBe("");
      const on = { datastoreId: data.id };
      await rig.create("VirtualMachine", machine(at, "g01", { ...on, folder, annotation }));
      await rig.create("VirtualMachine", machine(at, "somebody-elses", { ...on, annotation }));
      await rig.create("VirtualMachine", machine(at, "golden", on));
      const golden = await raw.only("VirtualMachine", "golden");
      await raw.run("PowerOffVM_Task", golden, {});
      await raw.mark("MarkAsTemplate", golden);
      const before = digest(await rig.lab.client.inventory());
      const { code, out } = await why(volume);
      expect(digest(await rig.lab.client.inventory())).toBe(before);
      expect(code).toBe(1);
      const naa = String(shown.devices[0]);
      const tree = out.slice(0, out.indexOf("what lets go"));
      expect(tree.split("\n").map((line) => line.trimEnd())).toEqual([
        expect.stringMatching(new RegExp(`^volume ${svm}/${volume} .*this bed's$`)),
        expect.stringMatching(
          new RegExp(`^<- map .* to ${group} \\(LUN 10; ${naa}\\).*this bed's$`),
        ),
        expect.stringMatching(
          new RegExp(`^   <- device on ${first}/${naa} \\(ok; paths: 4 active.*this bed's$`),
        ),
        expect.stringMatching(
          new RegExp(
            `^      <- datastore t-data \\(mounted on ${first}, ${second}\\).*this bed's$`,
          ),
        ),
        expect.stringMatching(/^ {9}<- machine g01 .*runs on .*this bed's$/),
        expect.stringMatching(/^ {9}<- template golden .*foreign: no bed's mark$/),
        expect.stringMatching(/^ {9}<- machine somebody-elses .*foreign: no bed's mark$/),
        expect.stringMatching(new RegExp(`^   <- device on ${second}/${naa} `)),
        "      <- datastore t-data, as above",
        "",
        "",
      ]);
      expect(out).toMatch(/machine somebody-elses: foreign: ask whose it is to move/);
      expect(out.indexOf("somebody-elses: foreign")).toBeLessThan(
        out.indexOf("datastore t-data: empty"),
      );
      expect((await why(naa)).out).toBe(out);
      expect((await why("t-data")).code).toBe(1);
      expect((await why("g01")).code).toBe(0);
    });
  });

  it("names files on a datastore that belong to no machine, and none of a machine's own", async () => {
    await withHeld(async ({ rig, at, raw, datastore, why }) => {
      const data = await datastore("t-data");
      await rig.create("VirtualMachine", machine(at, "g01", { datastoreId: data.id }));
      expect((await why("t-data")).out).not.toMatch(/<- file/);
      await raw.unregister("g01");
      const { code, out } = await why("datastore:t-data");
      expect(code).toBe(1);
      expect(out).toMatch(/<- file \[t-data\] g01\/g01\.vmx \(no machine uses it\).*foreign/);
      expect(out).not.toMatch(/<- machine/);
    });
  });

  it("knows no holder of a volume whose map was taken away and whose hosts let go", async () => {
    await withHeld(async ({ rig, shown, why }) => {
      const naa = String(shown.devices[0]);
      const hosts = openHosts(rig.lab);
      for (const host of [first, second]) await hosts.detach(call(), host, shown.devices);
      const left = await why(volume);
      expect(left.code).toBe(1);
      expect(left.out).toMatch(/<- map .*\n\nwhat lets go/);
      await shown.unmap();
      await hosts.rescan(call(), [first, second]);
      for (const host of [first, second]) await hosts.purge(call(), host, shown.devices);
      await hosts.close();
      expect(await why(volume)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/this bed's\nnothing holds it\n$/) as string,
      });
      expect((await why("--json", naa)).code).toBe(0);
    });
  });

  it("tells hosts that still know a volume which is mapped no more", async () => {
    await withHeld(async ({ rig, shown, why }) => {
      await shown.unmap();
      const hosts = openHosts(rig.lab);
      await hosts.rescan(call(), [first, second]);
      await hosts.close();
      const { out } = await why(volume);
      expect(out).not.toMatch(/<- map/);
      const seen = out.split("\n").filter((line) => line.startsWith("<- device on"));
      // A host that forgot it at the rescan holds nothing; one that still shows it, shows dead paths.
      for (const line of seen) expect(line).toMatch(/dead|no path/);
    });
  });

  it("calls a map foreign that somebody made to their own group, and one to another bed's that bed's business", async () => {
    await withHeld(async ({ rig, why }) => {
      const lun = `/vol/${volume}/${volume}`;
      for (const name of ["theirs", markName(other, "hosts")]) {
        const body = { svm: { name: svm }, name, protocol: "fcp", os_type: "vmware" };
        await asArrayAdmin(rig.lab, "POST", "/api/protocols/san/igroups", body);
        const map = { svm: { name: svm }, lun: { name: lun }, igroup: { name } };
        await asArrayAdmin(rig.lab, "POST", "/api/protocols/san/lun-maps", map);
      }
      const { code, out } = await why(volume);
      expect(code).toBe(1);
      expect(out).toMatch(/<- map .* to theirs .*foreign: no bed's mark/);
      expect(out).toMatch(/map .* to theirs: foreign: ask whose it is to unmap/);
      const theirs = await why(markName(other, "hosts"));
      expect(theirs.out).toMatch(/^host group .*another bed's: zzzzzzzzzz/);
      expect(theirs.out).toMatch(/host group .*: belongs to bed zzzzzzzzzz: that bed's/);
      const tenant = await why(`tenant:${svm}`);
      expect(tenant.out).toMatch(/<- host group .*theirs .*foreign/);
      expect(tenant.out).toMatch(new RegExp(`<- volume ${svm}/${volume} `));
    });
  });

  it("calls a zone foreign although it has an alias of the bed in it", async () => {
    await withHeld(async ({ rig, why }) => {
      const alias = markName(testBedId, "esx01_vmhba2");
      const device = openSwitch(rig.lab, "fabricA");
      const transaction = await device.stage(call(), () => ({
        upsertAliases: new Map(),
        upsertZones: new Map([["backup_zone", [alias, "50:00:00:00:00:00:00:99"]]]),
        removeAliases: [],
        removeZones: [],
      }));
      await transaction?.commit(call());
      await device.close();
      const { code, out } = await why(alias);
      expect(code).toBe(1);
      expect(out).toMatch(new RegExp(`^alias ${alias} .*\\[fabricA\\] - this bed's`));
      expect(out).toMatch(/<- zone backup_zone \(in effect; has an alias of bed .*foreign/);
      expect(out).toMatch(/zone backup_zone: foreign: ask whose it is to take the zone out/);
      // The bed's own zone carries paths that a host uses.
      expect(out).toMatch(/<- zone zt_esx01_vmhba2 .*\n {3}<- device on esx01/);
    });
  });

  it("says of a disconnected host that nobody knows what it holds, and marks one in maintenance", async () => {
    await withHeld(async ({ raw, datastore, why }) => {
      await datastore("t-data");
      const host = await raw.only("HostSystem", first);
      await raw.run("EnterMaintenanceMode_Task", host, { timeout: 0 });
      expect((await why("t-data")).out).toMatch(/esx01\.lab\.invalid \(in maintenance\)/);
      await raw.run("DisconnectHost_Task", host, {});
      const { code, out } = await why(volume);
      expect(code).toBe(1);
      expect(out).toMatch(/<- host esx01\.lab\.invalid \(not connected\).*a host of the site/);
      expect(out).toMatch(/host esx01\.lab\.invalid: reconnect the host/);
    });
  });

  it("tells what the vCenter and its hosts keep on a datastore, snapshots and clones, each with its remedy", async () => {
    await withHeld(async ({ rig, at, raw, datastore, why }) => {
      const { client } = rig.lab;
      const { id } = await datastore("t-data");
      await client.call("POST", "/san/agents", { cluster, datastore: "t-data" });
      await client.call("POST", "/san/hosts", {
        host: second,
        dumpDevice: naaOf(await why(volume)),
      });
      await raw.upload("t-data", "vmkdump/4C4C.dumpfile");
      await rig.create("VirtualMachine", machine(at, "frozen", { datastoreId: id }));
      const frozen = await raw.only("VirtualMachine", "frozen");
      await raw.run("CreateSnapshot_Task", frozen, { name: "s", memory: false, quiesce: false });
      await client.tamper("array", "createSnapshot", { volume, name: "nightly" });
      const { code, out } = await why(volume);
      expect(code).toBe(1);
      expect(out).toMatch(/<- copy snapshot nightly of \S+ \[array\] - foreign/);
      expect(out).toMatch(/copy snapshot nightly of \S+: .*clones can be split off/);
      expect(out).toMatch(/<- machine vCLS-.*vSphere Cluster Services/);
      expect(out).toMatch(/machine vCLS-\S+: .*retreat mode/);
      expect(out).toMatch(/<- machine frozen \(.*snapshots: 1\)/);
      expect(out).toMatch(/<- use as the active diagnostic partition.*esx02.*the hypervisor's own/);
      expect(out).toMatch(/use as the active diagnostic.*: Choose another diagnostic partition/);
      expect(out).toMatch(/<- file \[t-data\] vmkdump\/4C4C\.dumpfile/);
    });
  });

  it("knows a zone of the bed by its marker alias where no record of it is, and says so", async () => {
    await withHeld(async ({ why }) => {
      const { out } = await why(`zone:zt_esx01_vmhba2`);
      expect(out).toMatch(/^zone zt_esx01_vmhba2 \(in effect; by its marker alias.*this bed's/);
      expect(out).toMatch(/zone zt_esx01_vmhba2: `pulumi destroy` of bed \w+ takes it, where/);
    });
  });

  it("offers near names for what it does not find, and tells a device that did not answer", async () => {
    await withHeld(async ({ rig, why }) => {
      const unknown = await why(`${volume}x`);
      expect(unknown).toMatchObject({ code: 2, out: "" });
      expect(unknown.errors).toMatch(new RegExp(`nothing is called .*near: volume .*${volume}`));
      const site = structuredClone(rig.lab.site);
      site.devices["fabricB"]!.endpoint = "https://127.0.0.1:9";
      const file = join(rig.lab.dir, "away.json");
      writeFileSync(file, JSON.stringify(site));
      const { code, out } = await run(["--json", site.hypervisor.siteDatastore, "--site", file]);
      expect(code).toBe(1);
      const json = JSON.parse(out) as { unanswered: string[] };
      expect(json.unanswered).toEqual([expect.stringMatching(/^fabricB: .*127\.0\.0\.1:9/)]);
    });
  });

  it("reads the site of a project's only stack, and tells it from its bed's side", async () => {
    await withHeld(async ({ rig, why }) => {
      const { dir } = rig.lab;
      writeFileSync(join(dir, "Pulumi.yaml"), "name: testbed\nruntime: nodejs\n");
      const settings = { bed: "aff-a250-fcp", phase: "sysbench", site: "site.json" };
      const config = Object.entries({ ...settings, bedId: testBedId });
      const lines = config.map(([key, value]) => `  testbed:${key}: ${value}\n`);
      writeFileSync(join(dir, "Pulumi.one.yaml"), `config:\n${lines.join("")}`);
      const { code, out } = await run([volume, "--project", dir]);
      expect({ code, out }).toEqual({ code: 1, out: (await why(volume)).out });
      expect((await run([volume, "--project", dir, "--stack", "two"])).code).toBe(2);
    });
  });

  it("sends nothing that could change a device", async () => {
    await withHeld(async ({ rig, shown, datastore }) => {
      const { id } = await datastore("t-data");
      const log = new RequestLog();
      const devices = openDevices(deviceKinds, rig.lab.site.devices, environment(log));
      expect((await ask(devices, rig.lab.site, call(30_000))).unanswered).toEqual([]);
      const wanted = {
        datastores: [{ device: "vcenter", id, name: "t-data" }],
        devices: shown.devices,
        volumes: [{ device: "array", tenant: svm, name: volume }],
      };
      expect((await askDetails(devices, wanted, call())).unanswered).toEqual([]);
      await devices.close();
      expect(log.records().length).toBeGreaterThan(20);
      expect(log.records().filter((record) => record.write)).toEqual([]);
    });
  });
});

test("why says how it is used", async () => {
  expect((await run([])).code).toBe(2);
  expect((await run(["a", "b"])).errors).toMatch(/sanbed why OBJECT/);
  expect((await run(["a", "--nonsense"])).code).toBe(2);
  expect((await run(["a", "--site", "none.yaml"])).errors).toMatch(/none\.yaml: cannot be read/);
  expect((await run(["a", "--site", "x", "--stack", "y"])).errors).toMatch(/two ways/);
  expect((await run(["a", "--site", "x", "--bed", "1"])).errors).toMatch(/is no bed id/);
});
