import { logins, mayTalk } from "../../../lab/world/fabric";
import { type TestLab, withLab } from "../../support/lab";
import { NxapiClient } from "../../support/nxapi-client";

const mds = { shape: { fabric: "cisco-mds" } } as const;
const host = "10:00:00:10:9b:aa:01:01";
const target = "20:01:00:a0:98:f0:00:01";
const hint = "Please use 'show device-alias session rejected'";

function talk(lab: TestLab, a = host, b = target): boolean {
  const view = lab.lab!.world.view;
  const [one, two] = [a, b].map((wwpn) => logins(view).find((login) => login.wwpn === wwpn));
  return mayTalk(view, one!, two!);
}

describe("device aliases of the MDS emulator", () => {
  it("stages under a fabric lock, commits, and shows the checksum move", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const before = await client.show("show device-alias status");
        expect(before).toEqual({
          fabric_distribution: "Enabled",
          database_device_aliases: 2,
          database_mode: "Enhanced",
          database_checksum: expect.stringMatching(/^0x[0-9a-f]+$/) as string,
        });
        await client.configure(
          "device-alias database",
          `device-alias name h1 pwwn ${host.toUpperCase()}`,
        );
        expect(await client.show("show device-alias status")).toMatchObject({
          database_device_aliases: 2,
          Locked_by_user: "CLI/SNMPv3:admin",
          Locked_by_SWWN: "20:00:00:3a:9c:5e:00:01",
          pending_database_device_aliases: 3,
        });
        expect(await client.text("show device-alias status")).toContain(
          'Locked By:- User "CLI/SNMPv3:admin" SWWN 20:00:00:3a:9c:5e:00:01\n',
        );
        expect(await client.text("show device-alias database")).not.toContain("h1");
        expect(await client.text("show device-alias pending-diff")).toBe(
          `+ device-alias name h1 pwwn ${host}\n`,
        );
        await client.configure("device-alias commit");
        const after = await client.show("show device-alias status");
        expect(after["database_checksum"]).not.toBe(before["database_checksum"]);
        expect(after).not.toHaveProperty("Locked_by_user");
        expect(await client.show("show device-alias name h1")).toEqual({
          dev_alias_name: "h1",
          pwwn: host,
        });
        expect(await client.show("show device-alias database")).toMatchObject({
          number_of_entries: 3,
        });
      },
      mds,
    ));

  it("keeps others out while a session is open, until it is cleared", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await lab.client.tamper("fabricA", "open-alias-session");
        const add = ["device-alias database", `device-alias name h1 pwwn ${host}`];
        await expect(client.configure(...add)).rejects.toThrow("already locked");
        await expect(client.configure("device-alias commit")).rejects.toThrow("already locked");
        await client.configure("clear device-alias session");
        await client.configure(...add, "device-alias abort");
        await expect(client.configure("device-alias commit")).rejects.toThrow(
          "There are no pending changes",
        );
      },
      mds,
    ));

  it.each([
    [`device-alias name da1& pwwn ${host}`, "Illegal character present in the name"],
    [
      `device-alias name 1da pwwn ${host}`,
      "Illegal first character. Name must start with a letter",
    ],
    [`device-alias name ${"d".repeat(64)} pwwn ${host}`, "% String exceeded max length of (63)"],
    [`device-alias name erp_db01 pwwn ${host}`, `Device Alias already present\n${hint}`],
    [
      "device-alias name x pwwn 21:00:00:24:ff:7b:10:01",
      `Another device-alias already present with the same pwwn\n${hint}`,
    ],
    ["device-alias name x pwwn 21:00", "% Invalid command"],
    ["no device-alias name none", `Device Alias not present\n${hint}`],
    ["device-alias rename none other", `Device Alias not present\n${hint}`],
    ["device-alias rename erp_db01 erp_vnx_spa", "Target device-alias name already in use"],
    ["no device-alias mode enhanced", "Device-alias enhanced zone member present"],
  ])("refuses %s with %s", (command, text) =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await expect(client.configure("device-alias database", command)).rejects.toThrow(text);
      },
      mds,
    ),
  );

  it("lets zone members follow their alias in enhanced mode: its port, its name, its end", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const alias = (...edits: string[]): Promise<string> =>
          client.configure("device-alias database", ...edits, "device-alias commit");
        await alias(`device-alias name h1 pwwn ${host}`);
        await client.configure(
          "zone name z1 vsan 101",
          "member device-alias h1",
          `member pwwn ${target}`,
          "zoneset name prod_A vsan 101",
          "member z1",
          "zoneset activate name prod_A vsan 101",
          "zone commit vsan 101",
        );
        await client.settled(101);
        expect(talk(lab)).toBe(true);
        await alias("device-alias rename h1 host_one");
        expect(await client.text("show zone name z1 vsan 101")).toContain(
          "device-alias host_one\n",
        );
        expect(talk(lab)).toBe(true);
        await alias("no device-alias name host_one");
        expect(talk(lab)).toBe(false);
        await alias("device-alias name host_one pwwn 10:00:00:10:9b:aa:02:01");
        expect(talk(lab)).toBe(false);
        expect(talk(lab, "10:00:00:10:9b:aa:02:01")).toBe(true);
      },
      mds,
    ));

  it("stores the WWN in basic mode, and knows only aliases that exist", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        await client.configure("zone name z1 vsan 102", "member device-alias erp_db01");
        expect(await client.text("show zone name z1 vsan 102")).toContain(
          "  pwwn 21:00:00:24:ff:7b:10:02 [erp_db01]\n",
        );
        await expect(
          client.configure("zone name z1 vsan 102", "member device-alias none"),
        ).rejects.toThrow("Device Alias not present");
      },
      mds,
    ));

  it("takes effect at once without distribution, and is the same in every VSAN", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await client.configure("no device-alias distribute");
        await client.configure("device-alias database", `device-alias name h1 pwwn ${host}`);
        expect(await client.show("show device-alias pwwn 10:0:0:10:9b:aa:1:1")).toMatchObject({
          dev_alias_name: "h1",
        });
        const { fabrics } = lab.lab!.world.view;
        expect(fabrics["A-vsan1"]?.zoning.defined.aliases["h1"]).toEqual([host]);
        expect(fabrics["B"]?.zoning.defined.aliases).not.toHaveProperty("h1");
      },
      mds,
    ));

  it("answers a commit that takes time, when asked again, with its own text", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await lab.client.tamper("fabricA", "set-readings", { aliasCommitMs: 60_000 });
        const add = (name: string, wwn: string): string[] => [
          "device-alias database",
          `device-alias name ${name} pwwn ${wwn}`,
          "device-alias commit",
        ];
        await client.configure(...add("h1", host));
        await expect(client.configure(...add("h2", target))).rejects.toThrow(
          "Commit in progress. Check the status.",
        );
      },
      mds,
    ));
});
