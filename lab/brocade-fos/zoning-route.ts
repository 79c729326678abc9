import type { Readings, Release } from "./release";
import type { Owner } from "./transactions";
import type { ZoningControl } from "./zoning";

/** What a zoning request is handled with. */
export interface ZoningRoute {
  readonly zoning: ZoningControl;
  readonly release: Release;
  readonly readings: Readings;
  /** Undefined: a read without a session. */
  readonly owner: Owner | undefined;
  /** Domains of the fabric's switches by device name. */
  readonly domainOf: (device: string) => number;
  readonly device: string;
  /** Bytes that all logical switches of the chassis have committed. */
  readonly chassisBytes: () => number;
  readonly now: () => number;
}
