import type { EmulatorOptions } from "../emulator/emulator";
import type { FosLogin } from "./login";
import type { Readings } from "./release";
import type { Throttle } from "./throttle";
import type { ZoningControl } from "./zoning";

export interface BrocadeFosOptions extends EmulatorOptions {
  readonly readings?: Partial<Readings>;
}

/** Parts of the emulator that tampering reaches into. */
export interface FosParts {
  readonly options: BrocadeFosOptions;
  readonly zoning: ZoningControl;
  readonly login: FosLogin;
  readonly readings: Readings;
  throttle: Throttle;
}
