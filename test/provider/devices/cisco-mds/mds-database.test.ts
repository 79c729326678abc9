import {
  readDatabase,
  type DatabaseAnswers,
} from "../../../../provider/devices/cisco-mds/mds-database";
import { readLogins } from "../../../../provider/devices/cisco-mds/name-server";

const host = "10:00:00:10:9b:aa:00:01";
const target = "20:01:00:a0:98:bb:00:01";

/** Answers in the form of the MDS 9000 NX-API reference (zoning, device-alias) and of mdssdk. */
const answers: DatabaseAnswers = {
  status: {
    TABLE_zone_status: {
      ROW_zone_status: {
        vsan: 10,
        mode: "enhanced",
        session: " none ",
        default_zone: "deny",
        smart_zoning: "disabled",
        fulldb_zone_count: 3,
        fulldb_zoneset_count: 1,
        effectivedb_dbsize: "42620",
        maxdb_dbsize: 4000000,
        status: "Activation completed at 22:19:08 PDT Apr 13 2020",
      },
    },
  },
  zones: {
    TABLE_zone: {
      ROW_zone: [
        {
          name: "one",
          vsan: 10,
          TABLE_zone_member: {
            ROW_zone_member: { type: "pwwn", wwn: host.toUpperCase(), dev_alias: "theirs" },
          },
        },
        {
          name: "two",
          vsan: 10,
          TABLE_zone_member: {
            ROW_zone_member: [
              { type: "device-alias", dev_alias: "theirs", dev_alias_pwwn: host },
              { type: "fcalias", fcalias_name: "group", fcalias_vsan_id: 10 },
              { type: "interface", intf_fc: "fc1/5", wwn: "20:00:00:2a:6a:fd:04:a0" },
              { type: "fcid", fcid: "0x010203" },
            ],
          },
        },
        { name: "empty", vsan: 10 },
      ],
    },
  },
  zonesets: {
    TABLE_zoneset: {
      ROW_zoneset: {
        name: "prod",
        vsan: 10,
        TABLE_zone: {
          ROW_zone: [
            { name: "one", vsan: 10 },
            { name: "two", vsan: 10 },
          ],
        },
      },
    },
  },
  active: {
    TABLE_zoneset: {
      ROW_zoneset: {
        name: "prod",
        vsan: 10,
        TABLE_zone: {
          ROW_zone: [
            {
              name: "two",
              vsan: 10,
              TABLE_member: {
                ROW_member: [
                  {
                    type: "device-alias",
                    dev_alias: "theirs",
                    dev_alias_pwwn: host,
                    online_fcid: "0x01",
                  },
                  { type: "pwwn", wwn: target, online_fcid: "" },
                  {
                    type: "interface",
                    intf_fc: "fc1/5",
                    wwn: "20:00:00:2a:6a:fd:04:a0",
                    online_fcid: "0x02",
                  },
                ],
              },
            },
            { name: "IVRZ_between", vsan: 10 },
          ],
        },
      },
    },
  },
  fcaliases: {
    TABLE_fcalias: {
      ROW_fcalias: {
        fcalias_name: "group",
        fcalias_vsan_id: 10,
        TABLE_fcalias_member: {
          ROW_fcalias_member: [
            { fcalias_member_type: "pwwn", fcalias_wwn: target },
            { fcalias_member_type: "device-alias", fcalias_dev_alias: "theirs" },
          ],
        },
      },
    },
  },
  aliases: {
    TABLE_device_alias_database: {
      ROW_device_alias_database: { dev_alias_name: "theirs", pwwn: host },
    },
    number_of_entries: 1,
  },
  aliasStatus: {
    fabric_distribution: "Enabled",
    database_mode: "Enhanced",
    Locked_by_user: "CLI/SNMPv3:admin",
    Locked_by_SWWN: "20:00:00:de:fb:b1:8e:b0",
  },
};

function read(changed: Partial<DatabaseAnswers> = {}) {
  const database = readDatabase({ ...answers, ...changed }, 10);
  if ("malformed" in database) throw new Error(database.malformed);
  return database;
}

describe("the zoning database of a VSAN", () => {
  test("is read with every kind of member, single rows without brackets", () => {
    const { state, kinds } = read();
    expect(state.zones.get("one")?.members).toEqual([host]);
    expect(state.zones.get("two")?.members).toEqual([
      "theirs",
      "group",
      "interface fc1/5 20:00:00:2a:6a:fd:04:a0",
      "fcid 0x010203",
    ]);
    expect(state.zones.get("empty")?.members).toEqual([]);
    expect(state.configs.get("prod")?.zones).toEqual(["one", "two"]);
    expect(Object.fromEntries(state.aliases)).toEqual({ theirs: [host], group: [target, host] });
    expect(Object.fromEntries(kinds)).toEqual({ theirs: "device-alias", group: "fcalias" });
  });

  test("shows what is in force by WWPN, without what inter-VSAN routing puts there", () => {
    const { effective } = read().state;
    expect(effective?.name).toBe("prod");
    expect(Object.fromEntries(effective?.zones ?? [])).toEqual({
      two: [host, target, "interface fc1/5 20:00:00:2a:6a:fd:04:a0"],
    });
  });

  test("tells who holds the locks, and that nobody does only where it says none", () => {
    const { status, aliasStatus } = read();
    expect(status).toMatchObject({ enhanced: true, session: undefined, usedBytes: 42620n });
    expect(aliasStatus.holder).toBe("CLI/SNMPv3:admin on switch 20:00:00:de:fb:b1:8e:b0");
    const row = { vsan: 10, mode: "basic", session: "cli [admin]", default_zone: "permit" };
    const other = read({ status: { TABLE_zone_status: { ROW_zone_status: [row] } } });
    expect(other.status).toMatchObject({
      enhanced: false,
      session: "cli [admin]",
      defaultAccess: "all",
    });
  });

  test.each(["status", "aliasStatus"] as const)("is not read at all without its %s", (part) => {
    expect(readDatabase({ ...answers, [part]: {} }, 10)).toHaveProperty("malformed");
  });

  test("keeps an fcalias apart from a device alias of the same name", () => {
    const fcaliases = { TABLE_fcalias: { ROW_fcalias: { fcalias_name: "theirs" } } };
    const { state, kinds } = read({ fcaliases });
    expect(state.aliases.get("theirs")).toEqual([host]);
    expect(state.aliases.get("fcalias theirs")).toEqual([]);
    expect(kinds.get("fcalias theirs")).toBe("fcalias");
  });

  test("has a version that no order changes and every edit does", () => {
    const { version } = read().state;
    const zoneRows = (answers.zones as { TABLE_zone: { ROW_zone: object[] } }).TABLE_zone.ROW_zone;
    const turned = { TABLE_zone: { ROW_zone: [...zoneRows].reverse() } };
    expect(read({ zones: turned }).state.version).toBe(version);
    expect(read({ zones: { TABLE_zone: { ROW_zone: zoneRows.slice(1) } } }).state.version).not.toBe(
      version,
    );
    expect(read({ active: undefined }).state.version).not.toBe(version);
    expect(read({ zonesets: undefined }).state.version).not.toBe(version);
    expect(read({ fcaliases: undefined }).state.version).not.toBe(version);
  });
});

test("logins come from the name server in detail, with their roles", () => {
  const device = (fields: object): object => ({
    vsan_id: 10,
    TABLE_fcns_database: {
      ROW_fcns_database: { fcid: "0x010a00", nwwn: host, symbolic_port_name: "port", ...fields },
    },
  });
  const feature = (text: string): object => ({
    TABLE_fc4_types_fc4_features: {
      ROW_fc4_types_fc4_features: { fc4_types: "scsi-fcp", fc4_features: text },
    },
  });
  const logins = readLogins({
    TABLE_fcns_vsan: {
      ROW_fcns_vsan: [
        device({ pwwn: host, permanent_pwwn: "00:00:00:00:00:00:00:00", ...feature("init") }),
        device({ pwwn: target, permanent_pwwn: host, ...feature("target") }),
        device({ pwwn: target, fc4_types_fc4_features: "scsi-fcp:both 227" }),
        device({ pwwn: target }),
      ],
    },
  });
  expect(logins.map((login) => login.role)).toEqual(["initiator", "target", "both", undefined]);
  expect(logins[0]).toMatchObject({ wwpn: host, portId: "010a00", physicalWwpn: undefined });
  expect(logins[1]?.physicalWwpn).toBe(host);
  expect(readLogins(undefined)).toEqual([]);
});
