import type { Readings, Release } from "./release";
import type { Owner, ZoningControl } from "./zoning";

/** What a zoning request is handled with. */
export interface ZoningRoute {
  readonly zoning: ZoningControl;
  readonly release: Release;
  readonly readings: Readings;
  /** Undefined: a read without a session. */
  readonly owner: Owner | undefined;
  readonly principalDomain: number;
  readonly now: () => number;
}
