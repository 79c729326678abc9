import { parseExactJson } from "../../../../provider/devices/cisco-mds/json";
import {
  readEvents,
  readPorts,
  readUptimeSeconds,
} from "../../../../provider/devices/cisco-mds/mds-evidence";

const brief = {
  TABLE_interface_brief_fc: {
    ROW_interface_brief_fc: [
      { interface: "fc1/1", vsan: 10, status: "up", oper_mode: "F", oper_speed: "32" },
      { interface: "fc1/2", vsan: 10, status: "trunking", oper_mode: "TE", oper_speed: 16 },
      { interface: "fc1/3", vsan: 10, status: "sfpAbsent", oper_mode: "--", oper_speed: "--" },
      { interface: "fc1/4", vsan: 10, status: "errDisabled", oper_mode: "--", oper_speed: "--" },
    ],
  },
};
/** The table of the switch as a list of tables, as some releases send it. */
const counters = parseExactJson(`{"TABLE_counters":[{"ROW_counters":[{"interface":"fc1/1",
  "rx_frames":7,"rx_bytes":18446744073709551615,"rx_discard_frames":"2","tx_discard_frames":3,
  "rx_crc_fcs":"5","rx_link_faliures":1,"rx_sync_loss":0,"tx_b2b_credit_to_zero":9}]}]}`);
const flogi = {
  TABLE_flogi_entry: {
    ROW_flogi_entry: { interface: "fc1/1", port_name: "10:00:00:10:9b:aa:00:01" },
  },
};

describe("ports of an MDS switch", () => {
  const [first, second, third, fourth] = readPorts(brief, counters, flogi);

  test("have state, type, speed and what is logged in", () => {
    expect(first).toMatchObject({ name: "fc1/1", state: "online", type: "F", speedGbps: 32 });
    expect(first?.attached).toEqual(["10:00:00:10:9b:aa:00:01"]);
    expect(second).toMatchObject({ state: "online", type: "TE", speedGbps: 16 });
    expect(third).toMatchObject({ state: "offline", type: undefined, speedGbps: undefined });
    expect(fourth?.state).toBe("faulty");
  });

  test("have counters of 64 bits, and none where the switch counts nothing", () => {
    expect(first?.counters).toEqual({
      octetsIn: 18446744073709551615n,
      framesIn: 7n,
      class3Discards: 5n,
      crcErrors: 5n,
      linkFailures: 1n,
      lossOfSync: 0n,
      creditZero: 9n,
    });
    expect(second?.counters).toEqual({});
  });
});

test("the uptime is in seconds, and missing where the switch does not say", () => {
  const version = { kern_uptm_days: 1, kern_uptm_hrs: 2, kern_uptm_mins: 3, kern_uptm_secs: 4 };
  expect(readUptimeSeconds(version)).toBe(93784);
  expect(readUptimeSeconds({})).toBeUndefined();
});

describe("events of the log", () => {
  const log = [
    "2026 Apr 13 14:00:00 mds-a %ZONE-2-ZS_CHANGE_ACTIVATION_FAILED: %$VSAN 10%$ Activation failed",
    "2026 Apr 13 14:10:00.123 mds-a %PORT-5-IF_UP: %$VSAN 10%$ Interface fc1/1 is up",
    "not a message",
  ].join("\n");
  const asked = Date.UTC(2026, 3, 13, 21, 19, 8);

  test("are in UTC, although the switch writes its own time", () => {
    const events = readEvents(log, "14:19:12.345 PDT Mon Apr 13 2026\n", asked, 0);
    expect(events).toEqual([
      {
        at: "2026-04-13T21:00:00.000Z",
        severity: "critical",
        id: "ZONE-2-ZS_CHANGE_ACTIVATION_FAILED",
        text: "%$VSAN 10%$ Activation failed",
      },
      {
        at: "2026-04-13T21:10:00.000Z",
        severity: "info",
        id: "PORT-5-IF_UP",
        text: "%$VSAN 10%$ Interface fc1/1 is up",
      },
    ]);
  });

  test("from before the moment asked for are left out", () => {
    const since = Date.UTC(2026, 3, 13, 21, 5);
    const events = readEvents(log, "14:19:12.345 PDT Mon Apr 13 2026", asked, since);
    expect(events.map((event) => event.id)).toEqual(["PORT-5-IF_UP"]);
  });
});
