import { logins, mayTalk } from "../../../lab/world/fabric";
import type { WorldView } from "../../../lab/world/world";
import { type TestLab, withLab } from "../../support/lab";
import { NxapiClient } from "../../support/nxapi-client";

const mds = { shape: { fabric: "cisco-mds" } } as const;
const host = "10:00:00:10:9b:aa:01:01";
const target = "20:01:00:a0:98:f0:00:01";

function view(lab: TestLab): WorldView {
  if (lab.lab === undefined) throw new Error("the lab runs elsewhere");
  return lab.lab.world.view;
}

/** Whether the zoning in force lets the two ports talk. */
function talk(lab: TestLab, a = host, b = target): boolean {
  const all = logins(view(lab));
  const [one, two] = [a, b].map((wwpn) => all.find((login) => login.wwpn === wwpn));
  if (one === undefined || two === undefined) throw new Error("not logged in");
  return mayTalk(view(lab), one, two);
}

const zone = [
  `zone name z1 vsan 101`,
  `member pwwn ${host}`,
  `member pwwn ${target}`,
  `zoneset name prod_A vsan 101`,
  `member z1`,
] as const;

describe("enhanced zoning of the MDS emulator", () => {
  it("stages in a session, shows it as a lock, and changes nothing until the commit is done", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const printed = await client.configure(...zone);
        expect(printed).toBe(
          "Enhanced zone session has been created. Please 'commit' the changes when done.\n",
        );
        expect(await client.status(101)).toMatchObject({
          mode: "enhanced",
          session: "cli [admin]",
        });
        expect(await client.show("show zone name z1 vsan 101")).toEqual({});
        expect(await client.text("show zone pending-diff vsan 101")).toBe(
          `+zone name z1 vsan 101\n+  pwwn ${host}\n+  pwwn ${target}\n` +
            ` zoneset name prod_A vsan 101\n+  zone name z1 vsan 101\n`,
        );
        await client.configure("zoneset activate name prod_A vsan 101");
        expect(talk(lab)).toBe(false);
        expect(await client.configure("zone commit vsan 101")).toBe(
          "Commit operation initiated. Check zone status\n",
        );
        expect(await client.status(101)).toMatchObject({ status: "Commit in progress" });
        expect(talk(lab)).toBe(false);
        expect(await client.settled(101)).toMatch(/^Commit complete at \d\d:\d\d:\d\d UTC /);
        expect(await client.status(101)).toMatchObject({ session: "none" });
        expect(talk(lab)).toBe(true);
      },
      mds,
    ));

  it("changes the full database by a commit without activation, and not what is in force", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await client.configure(...zone, "zone commit vsan 101");
        await client.settled(101);
        expect(await client.show("show zone name z1 vsan 101")).toMatchObject({ name: "z1" });
        expect(await client.text("show zoneset active vsan 101")).not.toContain("z1");
        expect(talk(lab)).toBe(false);
        expect(await client.text("show zone analysis active vsan 101")).toMatch(
          /Active zoneset: prod_A\n/,
        );
      },
      mds,
    ));

  it("drops a session by no zone commit, and knows when there is none", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await client.configure(...zone, "no zone commit vsan 101");
        expect(await client.status(101)).toMatchObject({ session: "none" });
        await expect(client.configure("zone commit vsan 101")).rejects.toThrow(
          "No pending info found",
        );
        await expect(client.configure("clear zone lock vsan 101")).rejects.toThrow(
          "Zone database not locked",
        );
      },
      mds,
    ));

  it("keeps others out while somebody holds the lock, until it is cleared", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await lab.client.tamper("fabricA", "open-transaction");
        await expect(client.configure(...zone)).rejects.toThrow("Lock is currently busy");
        await expect(client.configure("no zone commit vsan 101")).rejects.toThrow(
          "Lock is currently busy",
        );
        expect(await client.status(101)).toMatchObject({ session: "cli [otheradmin]" });
        const refused = await client.outputs("cli_conf", "clear zone lock vsan 101");
        expect(refused[0]?.clierror).toContain("Command will clear lock from the entire fabric");
        await client.configure("terminal dont-ask", "clear zone lock vsan 101");
        await client.configure(...zone);
      },
      mds,
    ));

  it("reports a commit that fails in the status and keeps the session for its owner", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await lab.client.tamper("fabricA", "fail-next", { text: "Fabric unstable" });
        await client.configure(...zone, "zone commit vsan 101");
        expect(await client.settled(101)).toMatch(
          /^Operation failed: \[Error: Fabric unstable\]: at/,
        );
        expect(await client.status(101)).toMatchObject({ session: "cli [admin]" });
        await client.configure("zone commit vsan 101");
        expect(await client.settled(101)).toMatch(/^Commit complete/);
      },
      mds,
    ));

  it("says when what is activated is active already", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await client.configure("zoneset activate name prod_A vsan 101", "zone commit vsan 101");
        expect(await client.settled(101)).toMatch(
          /^Operation failed: \[Error: WARNING: Specified zoneset already active and unchanged\]/,
        );
        expect(await client.status(101)).toMatchObject({ session: "none" });
      },
      mds,
    ));
});

describe("basic zoning of the MDS emulator", () => {
  const inB = zone.map((line) => line.replace("101", "102").replace("prod_A", "prod_B"));

  it("edits at once without a lock; activation takes its time and refuses others meanwhile", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        expect(await client.configure(...inB)).toBe("");
        expect(await client.status(102)).toMatchObject({ mode: "basic", session: "none" });
        expect(await client.show("show zone name z1 vsan 102")).toMatchObject({ name: "z1" });
        expect(await client.configure("zoneset activate name prod_B vsan 102")).toBe(
          "Zoneset activation initiated. check zone status\n",
        );
        await expect(client.configure("zone name z2 vsan 102")).rejects.toThrow(
          "Zoning database update in progress, command rejected",
        );
        expect(await client.settled(102)).toMatch(/^Activation completed at /);
        expect(await client.text("show zoneset active vsan 102")).toContain(
          "zone name z1 vsan 102",
        );
      },
      mds,
    ));

  it("deactivates, and then the default zone decides", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        const [a, b] = ["10:00:00:10:9b:aa:01:02", "21:00:00:24:ff:7b:20:02"];
        expect(talk(lab, a, b)).toBe(false);
        await client.configure("no zoneset activate name prod_B vsan 102");
        await client.settled(102);
        expect(talk(lab, a, b)).toBe(false);
        await client.configure("zone default-zone permit vsan 102");
        await client.settled(102);
        expect(talk(lab, a, b)).toBe(true);
        expect(await client.status(102)).toMatchObject({ default_zone: "permit" });
      },
      mds,
    ));

  it("lets ports that no active zone names talk under a permitting default zone, zoned ones not", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        await client.configure("zone default-zone permit vsan 102");
        await client.settled(102);
        const hosts = ["10:00:00:10:9b:aa:01:02", "10:00:00:10:9b:aa:02:02"] as const;
        expect(talk(lab, ...hosts)).toBe(true);
        expect(talk(lab, hosts[0], "21:00:00:24:ff:7b:10:02")).toBe(false);
      },
      mds,
    ));
});

describe("several MDS switches in one fabric", () => {
  const two = { shape: { fabric: "cisco-mds", switchesPerFabric: 2 } } as const;

  it("answer the same database and name server, and each its own logins", () =>
    withLab(
      "D",
      async (lab) => {
        const [edge, core] = [new NxapiClient(lab), new NxapiClient(lab, "fabricA2")];
        await edge.configure(
          ...zone,
          "zoneset activate name prod_A vsan 101",
          "zone commit vsan 101",
        );
        await edge.settled(101);
        expect(await core.text("show zoneset active vsan 101")).toBe(
          await edge.text("show zoneset active vsan 101"),
        );
        expect(await core.text("show fcns database vsan 101")).toBe(
          await edge.text("show fcns database vsan 101"),
        );
        expect(await edge.text("show flogi database")).toContain(host);
        expect(await core.text("show flogi database")).not.toContain(host);
        expect(await core.text("show flogi database")).toContain(target);
        expect(talk(lab)).toBe(true);
      },
      two,
    ));

  it("see the other's session as a lock, the same user or not", () =>
    withLab(
      "D",
      async (lab) => {
        const [edge, core] = [new NxapiClient(lab), new NxapiClient(lab, "fabricA2")];
        await edge.configure(...zone);
        expect(await core.status(101)).toMatchObject({ session: "remote [dom: 1][ip: 127.0.0.1]" });
        await expect(core.configure("zone name z2 vsan 101")).rejects.toThrow(
          "Lock is currently busy",
        );
        await core.configure("terminal dont-ask", "clear zone lock vsan 101");
        await expect(edge.configure("zone commit vsan 101")).rejects.toThrow(
          "No pending info found",
        );
      },
      two,
    ));
});
