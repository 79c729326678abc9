import { aliasCommands } from "./alias-commands";
import type { Command } from "./command";
import { showInterfaceCommands } from "./show-interfaces";
import { showLoginCommands } from "./show-logins";
import { showVsanCommands } from "./show-vsans";
import { showZoneCommands } from "./show-zone-commands";
import { systemCommands } from "./system-commands";
import { vsanCommands } from "./vsan-commands";
import { zoneCommands } from "./zone-commands";

/** Every command that the emulated switch knows. Others are `% Invalid command`. */
export const allCommands: readonly Command[] = [
  ...aliasCommands,
  ...showInterfaceCommands,
  ...showLoginCommands,
  ...showVsanCommands,
  ...showZoneCommands,
  ...systemCommands,
  ...vsanCommands,
  ...zoneCommands,
];
