import { withLab } from "../../support/lab";
import { NxapiClient } from "../../support/nxapi-client";

const mds = { shape: { fabric: "cisco-mds" } } as const;

function rows(body: Record<string, unknown>, name: string): Record<string, unknown>[] {
  const table = body[`TABLE_${name}`] as Record<string, unknown> | undefined;
  return [table?.[`ROW_${name}`] ?? []].flat() as Record<string, unknown>[];
}

describe("logins at an MDS switch", () => {
  it("follow the cabling: interface, VSAN, address, alias; and go with the port", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const flogi = await client.show("show flogi database vsan 101");
        expect(rows(flogi, "flogi_entry")).toContainEqual({
          interface: "fc1/1",
          vsan: 101,
          fcid: "0x010000",
          port_name: "10:00:00:10:9b:aa:01:01",
          node_name: "20:00:00:10:9b:aa:01:01",
        });
        expect(flogi["total_no_of_flogi"]).toBe(rows(flogi, "flogi_entry").length);
        const one = await client.show("show flogi database interface fc1/41");
        expect(rows(one, "flogi_entry")).toMatchObject([{ device_alias_for_pwwn: "erp_db01" }]);
        await client.configure("interface fc1/1", "shutdown");
        expect(await client.text("show flogi database")).not.toContain("fc1/1 ");
        expect(await client.show("show interface fc1/1 brief")).toMatchObject({
          TABLE_interface_brief_fc: { ROW_interface_brief_fc: { status: "down", oper_mode: "--" } },
        });
        expect(await client.text("show logging last 5")).toContain("%PORT-5-IF_DOWN_ADMIN_DOWN");
      },
      mds,
    ));

  it("stand in the name server with role, NPIV port and switch, one VSAN row per device in detail", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const [vsan] = rows(await client.show("show fcns database vsan 101"), "fcns_vsan");
        const lif = rows(vsan ?? {}, "fcns_database").find(
          (row) => row["pwwn"] === "20:01:00:a0:98:f0:00:01",
        );
        expect(lif).toEqual({
          fcid: "0x011001",
          type: "N",
          pwwn: "20:01:00:a0:98:f0:00:01",
          vendor: "NetApp",
          TABLE_fc4_type_feature: {
            ROW_fc4_type_feature: { fc4_type: "scsi-fcp", fc4_feature: "target" },
          },
        });
        const detail = rows(await client.show("show fcns database detail vsan 101"), "fcns_vsan");
        expect(detail.length).toBe(vsan?.["total_number_of_entries"]);
        expect(detail.at(-1)?.["total_number_of_entries"]).toBe(detail.length);
        const entries = detail.flatMap((row) => rows(row, "fcns_database"));
        expect(entries.find((row) => row["fcid"] === "0x011001")).toMatchObject({
          permanent_pwwn: "50:0a:09:81:80:5a:00:01",
          connected_interface: "fc1/17",
          switch_name: "mds9148t-a",
        });
        expect(await client.show("show fcns database vsan 999")).toEqual({});
      },
      mds,
    ));
});

describe("VSANs of an MDS switch", () => {
  it("hold the ports: cabled ones the bed's, free ones VSAN 1, moved ones the new one's", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const all = rows(await client.show("show vsan"), "vsan");
        expect(all.map((row) => row["vsan"])).toEqual([1, 101, 4079, 4094]);
        expect(all[1]).toMatchObject({ name: "bed_a", state: "active", operational_state: "up" });
        const host = "10:00:00:10:9b:aa:01:01";
        await client.configure(
          "terminal dont-ask",
          "vsan database",
          "vsan 77 name spare",
          "vsan 77 interface fc1/1",
        );
        expect(await client.text("show flogi database vsan 77")).toContain(host);
        expect(await client.text("show fcns database vsan 101")).not.toContain(host);
        expect(await client.show("show device-alias database")).toMatchObject({
          number_of_entries: 2,
        });
        await client.configure("terminal dont-ask", "vsan database", "no vsan 77");
        expect(await client.text("show flogi database vsan 1")).toContain(host);
        await client.configure("vsan database", "vsan 101 suspend");
        expect(rows(await client.show("show vsan 101"), "vsan")).toMatchObject([
          { state: "suspended", operational_state: "down" },
        ]);
      },
      mds,
    ));

  it.each([
    ["vsan 0", "% Invalid command"],
    ["vsan 4079", "vsan 4079:vsan(s) reserved"],
    ["no vsan 1", "vsan 1:cannot delete default vsan"],
    ["no vsan 123", "vsan 123:vsan not configured"],
    [`vsan 5 name ${"n".repeat(33)}`, "% String exceeded max length of (32)"],
    ["vsan 5 name bed_a", "vsan name is already in use"],
  ])("refuse %s with %s", (command, text) =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        await expect(
          client.configure("terminal dont-ask", "vsan database", command),
        ).rejects.toThrow(text);
      },
      mds,
    ),
  );
});

describe("counters of an MDS switch", () => {
  it("grow by what happens to a port, in the flat, the brief and the grouped form", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const add = (counter: string, by: number): Promise<unknown> =>
          lab.client.tamper("fabricA", "add-errors", { port: "fc1/2", counter, by });
        await add("crcErrorCount", 3);
        await add("linkFailureCount", 1);
        await add("crcErrorCount", 4);
        const [flat] = rows(await client.show("show interface fc1/2 counters"), "counters");
        expect(flat).toMatchObject({ interface: "fc1/2", rx_crc_fcs: "7", rx_link_faliures: "1" });
        const [grouped] = rows(
          await client.show("show interface fc1/2 counters detailed"),
          "counters",
        );
        expect(grouped).toMatchObject({
          TABLE_link: { ROW_link: { rx_inv_crc: "7", rx_link_failures: "1" } },
        });
        const every = rows(await client.show("show interface counters"), "counters");
        expect(every).toHaveLength(48);
        expect(every.filter((row) => row["rx_crc_fcs"] !== "0")).toHaveLength(1);
      },
      mds,
    ));
});

describe("foreign zones of other kinds", () => {
  it("are shown as they were made: fcalias with what it stands for, resolved once in force", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        const wwn = "21:00:00:24:ff:7b:10:02";
        await client.configure(
          "fcalias name fa vsan 102",
          `member pwwn ${wwn}`,
          "zone name z1 vsan 102",
          "member fcalias fa",
          "member fwwn 20:01:00:3a:9c:5e:00:02",
          "zoneset name prod_B vsan 102",
          "member z1",
          "zoneset activate name prod_B vsan 102",
        );
        await client.settled(102);
        expect(await client.text("show zone name z1 vsan 102")).toBe(
          `zone name z1 vsan 102\n  fcalias name fa vsan 102\n    pwwn ${wwn} [erp_db01]\n\n` +
            "  fwwn 20:01:00:3a:9c:5e:00:02\n\n",
        );
        expect(await client.text("show zone name z1 active vsan 102")).toContain(`[pwwn ${wwn}]`);
        await expect(
          client.configure("zone name z1 vsan 102", "member fcalias none"),
        ).rejects.toThrow("Alias not present");
      },
      mds,
    ));
});
