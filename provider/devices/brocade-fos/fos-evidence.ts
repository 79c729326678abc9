import { parseWwpn } from "../../../bed/identities";
import type { FabricPort, PortCounterName, PortCounters, SwitchEvent } from "../fabric-evidence";
import type { WireEvent, WireInterface, WireStatistics } from "./wire";

/** Leaves of `fibrechannel-statistics` (YANG brocade-interface) by the standard's names. */
const counterLeaves: Readonly<Record<PortCounterName, string>> = {
  crcErrors: "crc-errors",
  class3Discards: "class-3-discards",
  creditZero: "bb-credit-zero",
  linkFailures: "link-failures",
  lossOfSignal: "loss-of-signal",
  lossOfSync: "loss-of-sync",
  invalidTransmissionWords: "invalid-transmission-words",
  linkResetsIn: "in-link-resets",
  linkResetsOut: "out-link-resets",
  octetsIn: "in-octets",
  octetsOut: "out-octets",
  framesIn: "in-frames",
  framesOut: "out-frames",
};

/** Ports with their counters. A port without statistics has none. Pure. */
export function toPorts(
  interfaces: readonly WireInterface[],
  statistics: readonly WireStatistics[],
): readonly FabricPort[] {
  const counted = new Map(statistics.map((entry) => [entry.name, entry]));
  return interfaces.map((entry) => {
    const state = stateOf(entry);
    return {
      name: entry.name,
      state,
      type: typeOf(entry),
      // An offline port shows the speed that it was set to.
      speedGbps: state === "online" ? speedOf(entry) : undefined,
      attached: (entry.neighbor?.wwn ?? []).flatMap((text) => parseWwpn(text) ?? []),
      counters: countersOf(counted.get(entry.name)),
    };
  });
}

/** Events since a moment, oldest first. One whose time cannot be read is kept. Pure. */
export function toEvents(entries: readonly WireEvent[], sinceMs: number): readonly SwitchEvent[] {
  return entries
    .map((entry) => ({ entry, atMs: Date.parse(entry["time-stamp"]) }))
    .filter(({ atMs }) => Number.isNaN(atMs) || atMs >= sinceMs)
    .sort((a, b) => (Number.isNaN(a.atMs) || Number.isNaN(b.atMs) ? 0 : a.atMs - b.atMs))
    .map(({ entry, atMs }) => ({
      at: Number.isNaN(atMs) ? entry["time-stamp"] : new Date(atMs).toISOString(),
      severity: severityOf(entry["severity-level"]),
      id: entry["message-id"],
      text: entry["message-text"],
    }));
}

function countersOf(entry: WireStatistics | undefined): PortCounters {
  const counters: Partial<Record<PortCounterName, bigint>> = {};
  for (const [name, leaf] of Object.entries(counterLeaves)) {
    const value = entry?.[leaf];
    const text = typeof value === "number" ? value.toString() : value;
    if (typeof text !== "string" || !/^\d+$/.test(text)) continue;
    // Safe: the keys of the table are the names.
    counters[name as PortCounterName] = BigInt(text);
  }
  return counters;
}

/** Numbers of YANG brocade-interface `operational-status`. */
const states: Readonly<Record<number, FabricPort["state"]>> = {
  2: "online",
  3: "offline",
  5: "faulty",
  6: "testing",
};

function stateOf(entry: WireInterface): FabricPort["state"] {
  const word = entry["operational-status-string"];
  const named = Object.values(states).find((state) => state === word);
  return named ?? states[entry["operational-status"] ?? 0] ?? "unknown";
}

/** Numbers of YANG brocade-interface `port-type` that the Fibre Channel standard names too. */
const types: Readonly<Record<number, string>> = { 7: "E", 10: "G", 15: "F", 16: "L", 30: "N" };

function typeOf(entry: WireInterface): string | undefined {
  const word = entry["port-type-string"];
  const letter = /^([a-z])-port$/.exec(word ?? "")?.[1]?.toUpperCase();
  if (letter !== undefined && Object.values(types).includes(letter)) return letter;
  if (word !== undefined) return word === "unknown-port" ? undefined : word;
  const type = entry["port-type"];
  if (type === undefined || type === 0) return undefined;
  return types[type] ?? `type ${type.toString()}`;
}

function speedOf(entry: WireInterface): number | undefined {
  const gfc = /^(\d+)-gfc$/.exec(entry["protocol-speed"] ?? "")?.[1];
  if (gfc !== undefined) return Number(gfc);
  const bitsPerSecond = entry.speed ?? 0;
  return bitsPerSecond === 0 ? undefined : bitsPerSecond / 1e9;
}

function severityOf(word: string): SwitchEvent["severity"] {
  switch (word) {
    case "info":
    case "warning":
    case "error":
    case "critical":
      return word;
    default:
      // A word that no model names: worse than nothing to overlook.
      return "warning";
  }
}
