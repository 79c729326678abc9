import type { FabricSwitch, ZoningState } from "../devices/fabric-switch";
import type { BedId } from "../../bed/identities";
import { planAll, type ZoneWish } from "./fabric-zone-request";

/** What would be done on one switch, in its own words. */
export interface SwitchWords {
  readonly device: string;
  /** Effective configuration that the zones join. */
  readonly configuration: string | undefined;
  /** Commands of the switch's own command line; none when everything is so already. */
  readonly commands: readonly string[];
  /** Why something would be refused, one sentence each. */
  readonly refusals: readonly string[];
}

/**
 * What carrying out these wishes would change on one switch, decided by the code that carries them out.
 * Touches nothing.
 */
export function switchWords(
  fabric: FabricSwitch,
  device: string,
  state: ZoningState,
  wishes: readonly ZoneWish[],
  bedId: BedId,
): SwitchWords {
  const refused = new Map<ZoneWish, unknown>();
  planAll(device, state, wishes, refused, bedId);
  // As the real run does: the refused hosts fail, the others are carried out.
  const accepted = wishes.filter((wish) => !refused.has(wish));
  const refusals = [...refused.values()];
  let commands: readonly string[] = [];
  try {
    commands = fabric.commands(state, planAll(device, state, accepted, refused, bedId));
  } catch (error) {
    refusals.push(error);
  }
  return {
    device,
    configuration: state.effective?.name,
    commands,
    refusals: refusals.map((error) => (error instanceof Error ? error.message : "unknown error")),
  };
}

/** Lines for a person: the switch, then its commands and refusals. */
export function wordLines(words: SwitchWords): readonly string[] {
  const { device, configuration, commands, refusals } = words;
  const head = configuration === undefined ? device : `${device} (${configuration})`;
  if (commands.length + refusals.length === 0) return [`${head}: nothing to change`];
  return [
    `${head}:`,
    ...commands.map((command) => `  ${command}`),
    ...refusals.map((reason) => `  refused: ${reason}`),
  ];
}
