import type { NxapiLogin } from "./nxapi-login";
import type { ShellContext } from "./shell";

/** Parts of the emulator that tampering reaches into. */
export interface MdsParts {
  readonly context: ShellContext;
  readonly login: NxapiLogin;
  /** The account has only the role `network-operator`. */
  readOnly: boolean;
}
