import type { Wwpn } from "../../bed/identities";

/**
 * Counters of a port since the switch set them to zero, by the standard's names (FC-FS link error status
 * block where it has one). What a switch does not count is missing, never 0.
 */
export type PortCounters = Readonly<Partial<Record<PortCounterName, bigint>>>;

const portCounterNames = [
  /** Frames received with a wrong CRC. */
  "crcErrors",
  /** Class 3 frames dropped, received or to be sent. */
  "class3Discards",
  /** Times that the port had no buffer credit left to send with. */
  "creditZero",
  "linkFailures",
  "lossOfSignal",
  "lossOfSync",
  "invalidTransmissionWords",
  "linkResetsIn",
  "linkResetsOut",
  "octetsIn",
  "octetsOut",
  "framesIn",
  "framesOut",
] as const;

export type PortCounterName = (typeof portCounterNames)[number];

/** One port of the switch. */
export interface FabricPort {
  /** As the switch numbers it, `0/5`. */
  readonly name: string;
  readonly state: "online" | "offline" | "faulty" | "testing" | "unknown";
  /** Port type of the standard, `F`, `E`, `N`; the switch's own word where the standard has none. */
  readonly type: string | undefined;
  /** Speed that was agreed on; undefined while there is none. */
  readonly speedGbps: number | undefined;
  /** Ports that are logged in through it, or the neighbour's. */
  readonly attached: readonly Wwpn[];
  readonly counters: PortCounters;
}

/** All ports of the switch at one moment, for the evidence of a measurement. */
export interface PortSnapshot {
  /** ISO 8601, by the clock of the machine that asked. */
  readonly takenAt: string;
  readonly ports: readonly FabricPort[];
}

/** A message of the switch's event log. */
export interface SwitchEvent {
  /** ISO 8601, by the switch's clock. */
  readonly at: string;
  readonly severity: "info" | "warning" | "error" | "critical";
  /** The switch's own id of this kind of message. */
  readonly id: string;
  readonly text: string;
}

/** What a counter did between two snapshots of the same port. */
export interface PortDelta {
  readonly port: string;
  readonly grown: PortCounters;
  /** Counters that went back: the switch was restarted or somebody cleared them. What they missed is unknown. */
  readonly reset: readonly PortCounterName[];
}

/**
 * How much each counter grew from one snapshot to the next; only what both of them have. A port that is in
 * one of them alone is left out. Pure.
 */
export function counterDeltas(before: PortSnapshot, after: PortSnapshot): readonly PortDelta[] {
  const earlier = new Map(before.ports.map((port) => [port.name, port.counters]));
  return after.ports.flatMap(({ name, counters }) => {
    const base = earlier.get(name);
    if (base === undefined) return [];
    const grown: Partial<Record<PortCounterName, bigint>> = {};
    const reset: PortCounterName[] = [];
    for (const counter of portCounterNames) {
      const [was, is] = [base[counter], counters[counter]];
      if (was === undefined || is === undefined) continue;
      if (is < was) reset.push(counter);
      else grown[counter] = is - was;
    }
    return [{ port: name, grown, reset }];
  });
}
