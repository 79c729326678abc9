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

describe("zones and members of the MDS emulator", () => {
  it.each([
    ["zone name 1z vsan 101", "Illegal first character (name must start with a letter)"],
    ["zone name z* vsan 101", "Illegal character present in the name"],
    [`zone name ${"z".repeat(65)} vsan 101`, "% String exceeded max length of (64)"],
    ["zone name z vsan 9", "VSAN 9 is not configured"],
    ["no zone name none vsan 101", "Zone not present"],
    ["no zoneset name none vsan 101", "Zoneset not present"],
    ["zoneset activate name none vsan 101", "Zoneset not present"],
    ["zone name z vsan 101 ;member pwwn 50:08:01:60:08:9f:4d:00:01", "% Invalid command"],
    ["zone name z vsan 101 ;member ip-address 1.1.1.1.1", "% Invalid ip address"],
    ["zone name z vsan 101 ;no member fcid 0x010203", "Member not present"],
    ["zone name z_backup vsan 101 ;member interface fc1/45", "Duplicate member"],
    ["zoneset name prod_A vsan 101 ;member none", "Zone not present"],
    ["zoneset name prod_A vsan 101 ;member z_backup", "Duplicate member"],
    ["zone rename z_backup z_old_erp vsan 101", "already in use"],
  ])("refuses %s with %s", (input, text) =>
    withLab(
      "D",
      async (lab) => {
        const outputs = await new NxapiClient(lab).outputs("cli_conf", input);
        expect(outputs.at(-1)?.clierror).toContain(text);
        expect(outputs.at(-1)?.code).toBe("400");
      },
      mds,
    ),
  );

  it("shows members in the switch's words: alias in brackets, login, interface, role", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        expect(await client.text("show zone name z_erp_db01_vnx vsan 102")).toBe(
          "zone name z_erp_db01_vnx vsan 102\n" +
            "  pwwn 21:00:00:24:ff:7b:10:02 [erp_db01]\n" +
            "  pwwn 50:06:01:68:c7:e0:11:00 [erp_vnx_spa]\n\n",
        );
        expect(await client.text("show zoneset active vsan 102")).toContain(
          "  * fcid 0x022800 [pwwn 21:00:00:24:ff:7b:10:02] [erp_db01]\n",
        );
        expect(await client.text("show zoneset active vsan 102 | grep zoneset")).toBe(
          "zoneset name prod_B vsan 102\n",
        );
        const a = new NxapiClient(lab);
        const zoneA = await a.show("show zone name z_erp_db01_vnx vsan 101");
        expect(zoneA).toMatchObject({
          TABLE_zone_member: {
            ROW_zone_member: [
              {
                type: "device-alias",
                dev_alias: "erp_db01",
                dev_alias_pwwn: "21:00:00:24:ff:7b:10:01",
              },
              { type: "device-alias", dev_alias: "erp_vnx_spa" },
            ],
          },
        });
      },
      mds,
    ));

  it("makes one entry an object and several a list, at every level", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        const body = await client.show("show zoneset name old_B vsan 102");
        expect(body).toMatchObject({
          TABLE_zoneset: {
            ROW_zoneset: {
              name: "old_B",
              vsan: 102,
              TABLE_zone: { ROW_zone: { name: "z_old_erp" } },
            },
          },
        });
        const all = await client.show("show zoneset vsan 102");
        expect(all["TABLE_zoneset"]).toMatchObject({ ROW_zoneset: [{}, {}] });
        await lab.client.tamper("fabricB", "set-readings", { singleRow: "list" });
        expect(await client.show("show zoneset name old_B vsan 102")).toMatchObject({
          TABLE_zoneset: { ROW_zoneset: [{ name: "old_B" }] },
        });
      },
      mds,
    ));

  it("limits pairs to initiator and target under smart zoning", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const second = "10:00:00:10:9b:aa:02:01";
        await client.configure(
          "zone smart-zoning enable vsan 101",
          "zone name z1 vsan 101",
          `member pwwn ${host} initiator`,
          `member pwwn ${second} init`,
          `member pwwn ${target} target`,
          "zoneset name prod_A vsan 101",
          "member z1",
          "zoneset activate name prod_A vsan 101",
          "zone commit vsan 101",
        );
        await client.settled(101);
        expect([talk(lab), talk(lab, second), talk(lab, host, second)]).toEqual([
          true,
          true,
          false,
        ]);
        expect(await client.text("show zone name z1 vsan 101")).toContain(`  pwwn ${host}  init\n`);
      },
      mds,
    ));

  it("asks before zones without members are activated", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        await client.configure(
          "zone name empty vsan 102",
          "zoneset name prod_B vsan 102",
          "member empty",
        );
        const activate = "zoneset activate name prod_B vsan 102";
        await expect(client.configure(activate)).rejects.toThrow("do not have members");
        await client.configure("terminal dont-ask", activate);
        expect(await client.settled(102)).toMatch(/^Activation completed/);
      },
      mds,
    ));

  it("knows that a missing zone is an error up to 8.4(2a) and only empty later", () =>
    withLab(
      "D",
      async (lab) => {
        const old = await new NxapiClient(lab, "fabricB").outputs(
          "cli_show",
          "show zone name no vsan 102",
        );
        expect(old).toMatchObject([{ code: "400", clierror: "Zone not present\n" }]);
        const later = new NxapiClient(lab);
        expect(await later.show("show zone name no vsan 101")).toEqual({});
        expect(await later.text("show zone name no vsan 101")).toBe("Zone not present\n");
      },
      { ...mds, profiles: { fabricB: "8.4(2a)" } },
    ));
});

describe("a large database", () => {
  it(
    "of 2,000 foreign zones takes 500 more in one request, and shows them all",
    () =>
      withLab(
        "D",
        async (lab) => {
          lab.lab!.world.change(({ fabrics }) => {
            const zoning = fabrics["A"]!.zoning.defined;
            for (let index = 0; index < 2000; index++) {
              const name = `foreign_${index.toString()}`;
              zoning.zones[name] = {
                type: 0,
                members: [`20:00:00:11:22:33:${hex(index)}`],
                principals: [],
              };
              zoning.configs["prod_A"]?.push(name);
            }
          });
          const client = new NxapiClient(lab);
          const lines = Array.from({ length: 500 }, (_, index) => [
            `zone name ours_${index.toString()} vsan 101`,
            `member pwwn ${host}`,
            `member pwwn 20:00:00:44:55:66:${hex(index)}`,
          ]).flat();
          const sets = Array.from({ length: 500 }, (_, index) => `member ours_${index.toString()}`);
          await client.configure(...lines, "zoneset name prod_A vsan 101", ...sets);
          await client.configure("zoneset activate name prod_A vsan 101", "zone commit vsan 101");
          expect(await client.settled(101)).toMatch(/^Commit complete/);
          expect(await client.status(101)).toMatchObject({
            fulldb_zone_count: 2503,
            activedb_zone_count: 2502,
          });
          const body = await client.show("show zoneset active vsan 101");
          expect(JSON.stringify(body).match(/"name":"foreign_/g)).toHaveLength(2000);
        },
        mds,
      ),
    30_000,
  );

  function hex(value: number): string {
    const text = value.toString(16).padStart(4, "0");
    return `${text.slice(0, 2)}:${text.slice(2)}`;
  }
});
