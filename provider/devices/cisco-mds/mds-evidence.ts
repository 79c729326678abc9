import { parseWwpn, type Wwpn } from "../../../bed/identities";
import type { FabricPort, PortCounterName, PortCounters, SwitchEvent } from "../fabric-evidence";
import { rowsOf, textOf, wholeOf } from "./tables";

/**
 * Fields of `show interface counters` behind each counter (MDS NX-API reference; NX-OS spells failures so).
 * Where a counter has two groups the switch counts it in two places: their sum is it. Invalid words and
 * link resets are in the detailed form alone, which is had port by port only.
 */
const counterFields: Readonly<Partial<Record<PortCounterName, readonly (readonly string[])[]>>> = {
  crcErrors: [["rx_crc_fcs", "rx_invalid_crc"]],
  // Devices send class 3: what is dropped on its way to them is class 3 too.
  class3Discards: [["rx_discard_frames"], ["tx_discard_frames"]],
  creditZero: [["tx_b2b_credit_to_zero"]],
  linkFailures: [["rx_link_faliures", "rx_link_failures"]],
  lossOfSignal: [["rx_signal_loss"]],
  lossOfSync: [["rx_sync_loss"]],
  octetsIn: [["rx_bytes"]],
  octetsOut: [["tx_bytes"]],
  framesIn: [["rx_frames"]],
  framesOut: [["tx_frames"]],
};

/** The Fibre Channel ports, from the three commands' answers. */
export function readPorts(
  brief: unknown,
  counters: unknown,
  flogi: unknown,
): readonly FabricPort[] {
  const counted = new Map(
    rowsOf(counters, "counters").map((row) => [textOf(row, "interface") ?? "", countersOf(row)]),
  );
  const attached = new Map<string, Wwpn[]>();
  for (const row of rowsOf(flogi, "flogi_entry")) {
    const port = textOf(row, "interface") ?? "";
    const wwpn = parseWwpn(textOf(row, "port_name") ?? "");
    if (wwpn !== undefined) attached.set(port, [...(attached.get(port) ?? []), wwpn]);
  }
  return portRows(brief).flatMap((row) => {
    const name = textOf(row, "interface");
    if (name === undefined) return [];
    return [
      {
        name,
        state: stateOf(textOf(row, "status") ?? ""),
        type: known(textOf(row, "oper_mode")),
        speedGbps: speedOf(textOf(row, "oper_speed")),
        attached: attached.get(name) ?? [],
        counters: counted.get(name) ?? {},
      },
    ];
  });
}

/** Releases before 9 have the ports in another table. */
function portRows(brief: unknown): readonly Readonly<Record<string, unknown>>[] {
  return [...rowsOf(brief, "interface_brief_fc"), ...rowsOf(brief, "interface_brief_if")];
}

export function readUptimeSeconds(version: unknown): number | undefined {
  const parts = ["kern_uptm_days", "kern_uptm_hrs", "kern_uptm_mins", "kern_uptm_secs"].map((key) =>
    wholeOf(version, key),
  );
  const [days, hours, minutes, seconds] = parts;
  if (days === undefined || hours === undefined || minutes === undefined) return undefined;
  return Number(((days * 24n + hours) * 60n + minutes) * 60n + (seconds ?? 0n));
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const logLine =
  /^(\d{4}) +(\w{3}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2})(?:\.\d+)? \S+ %([A-Z0-9_]+(?:-[A-Z0-9_]+)*)-(\d)-([A-Z0-9_]+): ?(.*)$/;

/**
 * Messages of the log since that moment. The log and `show clock` are in the switch's time zone: how far
 * that is from UTC is taken from the clock as it was read at `askedMs`, to the quarter of an hour.
 */
export function readEvents(
  log: string,
  clock: string,
  askedMs: number,
  sinceMs: number,
): readonly SwitchEvent[] {
  const zoneMs = zoneOf(clock, askedMs);
  return log.split(/\r?\n/).flatMap((line) => {
    const [, year, month, day, hour, minute, second, facility, level, mnemonic, text] =
      logLine.exec(line) ?? [];
    if (year === undefined || facility === undefined) return [];
    const local = Date.UTC(
      ...([year, months.indexOf(month ?? ""), day, hour, minute, second].map(Number) as [
        number,
        number,
      ]),
    );
    const atMs = local - zoneMs;
    if (atMs < sinceMs) return [];
    return [
      {
        at: new Date(atMs).toISOString(),
        severity: severityOf(Number(level)),
        id: `${facility}-${level ?? ""}-${mnemonic ?? ""}`,
        text: (text ?? "").trim(),
      },
    ];
  });
}

/** `21:19:08.123 PDT Thu Apr 13 2026`; no such line: the clock counts as UTC. */
function zoneOf(clock: string, askedMs: number): number {
  const [, hour, minute, second, month, day, year] =
    /(\d{2}):(\d{2}):(\d{2})(?:\.\d+)? \S+ \w{3} (\w{3}) +(\d{1,2}) (\d{4})/.exec(clock) ?? [];
  if (year === undefined) return 0;
  const local = Date.UTC(
    ...([year, months.indexOf(month ?? ""), day, hour, minute, second].map(Number) as [
      number,
      number,
    ]),
  );
  const quarterMs = 15 * 60_000;
  return Math.round((local - askedMs) / quarterMs) * quarterMs;
}

/** NX-OS counts as syslog does: 0 emergency to 7 debugging. */
function severityOf(level: number): SwitchEvent["severity"] {
  if (level <= 2) return "critical";
  if (level === 3) return "error";
  return level === 4 ? "warning" : "info";
}

function countersOf(row: unknown): PortCounters {
  const counters: Partial<Record<PortCounterName, bigint>> = {};
  for (const [name, groups] of Object.entries(counterFields) as [PortCounterName, string[][]][]) {
    const parts = groups.flatMap((keys) => wholeOf(row, ...keys) ?? []);
    if (parts.length > 0) counters[name] = parts.reduce((sum, part) => sum + part, 0n);
  }
  return counters;
}

function stateOf(status: string): FabricPort["state"] {
  if (/^(?:up|trunking)$/i.test(status)) return "online";
  if (/^(?:down|notConnected|sfpAbsent|sfpInvalid|offline|outOfServ)/i.test(status))
    return "offline";
  if (/fail|error|disabled/i.test(status)) return "faulty";
  return /init|testing|diag/i.test(status) ? "testing" : "unknown";
}

function speedOf(text: string | undefined): number | undefined {
  const [, figure, unit] = /^(\d+(?:\.\d+)?)\s*([GM])?/i.exec(text ?? "") ?? [];
  if (figure === undefined) return undefined;
  const speed = unit?.toUpperCase() === "M" ? Number(figure) / 1000 : Number(figure);
  return speed > 0 ? speed : undefined;
}

/** The switch prints `--` where there is nothing. */
function known(text: string | undefined): string | undefined {
  return text === undefined || text === "--" ? undefined : text;
}
