import type { Bytes } from "../../bed/units";
import type { DeviceCall } from "./call";
import type { DataProtocol } from "./data-protocol";

/** What an array tells of itself for the evidence of a run. What it does not tell is undefined, never 0. */
export interface ArrayDetails {
  readonly controllers: readonly {
    readonly name: string;
    readonly model: string | undefined;
    readonly serial: string | undefined;
    readonly software: string | undefined;
    readonly state: string;
    readonly uptimeSeconds: number | undefined;
  }[];
  /** Physical ports. */
  readonly ports: readonly {
    readonly name: string;
    readonly controller: string;
    readonly state: string | undefined;
    readonly wwpn: string | undefined;
    readonly speedGbps: number | undefined;
    readonly description: string | undefined;
  }[];
  readonly drives: readonly {
    readonly name: string;
    readonly model: string | undefined;
    readonly firmware: string | undefined;
    readonly kind: string | undefined;
    readonly sizeBytes: Bytes | undefined;
  }[];
  readonly pools: readonly {
    readonly name: string;
    readonly controller: string | undefined;
    readonly raid: string | undefined;
    readonly drives: number | undefined;
  }[];
  /** The bed's volumes, with their settings as they are in force. */
  readonly volumes: readonly {
    readonly name: string;
    /** The array's own words by its own names, for instance `{ compression: "inline" }`. */
    readonly efficiency: Readonly<Record<string, string>>;
    /** Limit of throughput, by its name on the array. */
    readonly qosPolicy: string | undefined;
  }[];
}

/** Counters since some moment long ago: what happened in a window is the difference of two samples. */
export interface ArrayCounters {
  /** `volume` (LUN or namespace), `port` (what hosts are zoned with). */
  readonly kind: "volume" | "port";
  readonly name: string;
  /** Moment of the values by the array's clock, ISO 8601. */
  readonly at: string;
  readonly readOps: bigint | undefined;
  readonly writeOps: bigint | undefined;
  readonly readBytes: bigint | undefined;
  readonly writeBytes: bigint | undefined;
  /** Sum of the times of all reads, microseconds; over the operations it gives their mean. */
  readonly readMicroseconds: bigint | undefined;
  readonly writeMicroseconds: bigint | undefined;
}

export interface ArrayEvent {
  readonly at: string;
  readonly controller: string | undefined;
  /** The array's own name of the kind of event. */
  readonly name: string;
  /** The array's own word, `emergency`, `alert`, `error`, `notice`... */
  readonly severity: string;
  readonly text: string | undefined;
}

export interface EvidenceScope {
  readonly target: string;
  readonly protocol: DataProtocol;
  /** The bed's volumes in the tenant. */
  readonly volumes: readonly string[];
}

/** Arrays that tell what a run needs as evidence. Only reads. */
export interface ArrayEvidence {
  details(call: DeviceCall, scope: EvidenceScope): Promise<ArrayDetails>;
  /** Of the volumes and of the tenant's ports. One that the array has no figures of is left out. */
  counters(call: DeviceCall, scope: EvidenceScope): Promise<readonly ArrayCounters[]>;
  /** Events of the whole array from `since` (ISO 8601) on, oldest first. */
  events(call: DeviceCall, since: string): Promise<readonly ArrayEvent[]>;
}
