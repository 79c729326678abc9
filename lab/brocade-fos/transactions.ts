import type { Zoning, ZoningDatabase } from "../world/state";
import type { World } from "../world/world";

/** Who holds a transaction. `session` is undefined for somebody on the command line. */
export interface Owner {
  readonly session: number | undefined;
  readonly user: string;
  readonly address: string;
  readonly application: string;
}

export interface Transaction {
  readonly token: number;
  readonly owner: Owner;
  readonly openedAtMs: number;
  readonly staged: ZoningDatabase;
  defaultAccess: Zoning["defaultAccess"];
  changed: boolean;
}

/** Five minutes: `fabric-lock-timeout` as it comes (brocade-fibrechannel-configuration). */
export const lockTimeoutMs = 300_000;

/** Open transactions of one fabric, by the switch on which each was opened. */
export type FabricTransactions = Map<string, Transaction>;

const shared = new WeakMap<World, Map<string, FabricTransactions>>();

/** Emulators of one fabric find each other's transactions through the world. */
export function fabricTransactions(world: World, fabric: string): FabricTransactions {
  const ofWorld = shared.get(world) ?? new Map<string, FabricTransactions>();
  shared.set(world, ofWorld);
  const found = ofWorld.get(fabric) ?? new Map<string, Transaction>();
  ofWorld.set(fabric, found);
  return found;
}
