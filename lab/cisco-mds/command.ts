import type { CommandOf } from "./grammar";
import type { Shell } from "./shell";

/** A command of the switch. */
export type Command = CommandOf<Shell>;
