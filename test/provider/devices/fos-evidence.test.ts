import { toEvents, toPorts } from "../../../provider/devices/brocade-fos/fos-evidence";
import {
  eventShape,
  interfaceShape,
  responsePart,
  statisticsShape,
} from "../../../provider/devices/brocade-fos/wire";
import { counterDeltas } from "../../../provider/devices/fabric-evidence";

const attached = "10:00:00:10:9b:aa:00:01";

/** Answers in the form of YANG brocade-interface, 8.2.1b and 9.1.0. */
const ports82 = `{"Response":{"fibrechannel":[
  {"name":"0/5","operational-status":2,"port-type":15,"speed":16000000000,"neighbor":{"wwn":"${attached}"}},
  {"name":"0/6","operational-status":3,"port-type":11,"speed":8000000000}]}}`;
const ports91 = `{"Response":{"fibrechannel":{"name":"0/5","operational-status-string":"online",
  "port-type-string":"f-port","protocol-speed":"64-gfc","speed":0,"neighbor":{"wwn":["${attached.toUpperCase()}"]}}}}`;
const counters = (octets: string, crc: number): string =>
  `{"Response":{"fibrechannel-statistics":[{"name":"0/5","in-octets":${octets},"crc-errors":${crc.toString()},"bb-credit-zero":12}]}}`;

const part = (text: string, name: string): unknown => responsePart(text, name)?.part;
const snapshot = (interfaces: string, statistics: string) => ({
  takenAt: "2026-01-01T00:00:00.000Z",
  ports: toPorts(
    interfaceShape.parse(part(interfaces, "fibrechannel")),
    statisticsShape.parse(part(statistics, "fibrechannel-statistics")),
  ),
});

describe("ports of a Brocade switch", () => {
  test("are read from 8.2, with numbers for words", () => {
    const [online, offline] = snapshot(ports82, counters("1", 0)).ports;
    expect(online).toMatchObject({ state: "online", type: "F", speedGbps: 16 });
    expect(online?.attached).toEqual([attached]);
    expect(offline).toMatchObject({ state: "offline", type: "type 11", speedGbps: undefined });
    expect(offline?.counters).toEqual({});
  });

  test("are read from 9.1, a single one without brackets", () => {
    const [port] = snapshot(ports91, counters("1", 0)).ports;
    expect(port).toMatchObject({ state: "online", type: "F", speedGbps: 64 });
    expect(port?.attached).toEqual([attached]);
  });

  test("have counters that are exact above 2^53, and none that the switch does not give", () => {
    const [port] = snapshot(ports91, counters("18446744073709551615", 3)).ports;
    expect(port?.counters).toEqual({
      octetsIn: 18446744073709551615n,
      crcErrors: 3n,
      creditZero: 12n,
    });
  });
});

test("deltas are exact, leave out what is missing, and say what went back", () => {
  const before = snapshot(ports91, counters("9007199254740993", 7));
  const after = snapshot(ports91, counters("18014398509481985", 2));
  expect(counterDeltas(before, after)).toEqual([
    { port: "0/5", grown: { octetsIn: 9007199254740992n, creditZero: 0n }, reset: ["crcErrors"] },
  ]);
  expect(counterDeltas({ ...before, ports: [] }, after)).toEqual([]);
});

test("events since a moment come oldest first, in the switch's words", () => {
  const entry = (at: string, severity: string, id: string) => ({
    ...{ "time-stamp": at, "severity-level": severity },
    ...{ "message-id": id, "message-text": `text of ${id}` },
  });
  const list = eventShape.parse([
    entry("2026-01-01T12:00:00+02:00", "error", "FW-1424"),
    entry("2026-01-01T09:00:00Z", "info", "ZONE-1022"),
    entry("2025-12-31T09:00:00Z", "critical", "HAM-1004"),
  ]);
  expect(toEvents(list, Date.parse("2026-01-01T00:00:00Z"))).toEqual([
    {
      at: "2026-01-01T09:00:00.000Z",
      severity: "info",
      id: "ZONE-1022",
      text: "text of ZONE-1022",
    },
    { at: "2026-01-01T10:00:00.000Z", severity: "error", id: "FW-1424", text: "text of FW-1424" },
  ]);
});
