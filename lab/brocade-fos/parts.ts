import type { EmulatorOptions } from "../emulator/emulator";
import type { FosLogin } from "./login";
import type { LogicalSwitches } from "./logical-switches";
import type { Readings } from "./release";
import type { SwitchLog } from "./switch-log";
import type { Throttle } from "./throttle";

export interface BrocadeFosOptions extends EmulatorOptions {
  readonly readings?: Partial<Readings>;
}

/** Parts of the emulator that tampering reaches into. */
export interface FosParts {
  readonly options: BrocadeFosOptions;
  readonly logical: LogicalSwitches;
  readonly log: SwitchLog;
  readonly login: FosLogin;
  readonly readings: Readings;
  throttle: Throttle;
}
