import type { Fabric, Switch, WorldState } from "../world/state";
import { cables } from "./cables";
import { hex2, wwnn } from "./names";

/** Fabric ids of the bed's logical switches; 128 is the default one, where accounts are at home. */
const fids: Readonly<Record<string, number>> = { A: 10, B: 20 };
const defaultFid = 128;

/**
 * Switches Virtual Fabrics on: the cabled ports lie in the bed's logical switch, the free ones in the
 * default one.
 */
export function virtualFabrics(world: WorldState): WorldState {
  const used = new Set(cables(world).map((cable) => `${cable.switch} ${cable.port}`));
  for (const fabric of Object.values(world.fabrics)) divide(world, fabric, used);
  return world;
}

function divide(world: WorldState, fabric: Fabric, used: ReadonlySet<string>): void {
  const fid = fids[fabric.name];
  if (fid === undefined) return;
  const name = `${fabric.name}-fid${defaultFid.toString()}`;
  const rest: Record<string, Switch> = {};
  for (const [device, own] of Object.entries(fabric.switches)) {
    const entries = Object.entries(own.ports);
    const inside = entries.filter(([port]) => used.has(`${device} ${port}`));
    const free = entries.filter(([port]) => !used.has(`${device} ${port}`));
    own.ports = Object.fromEntries(inside);
    const wwn = wwnn(`${own.wwn.slice(0, -2)}${hex2(defaultFid + own.domain)}`);
    rest[device] = { ...own, name: `${own.name}-128`, wwn, ports: Object.fromEntries(free) };
  }
  fabric.id = fid;
  world.fabrics[name] = {
    name,
    id: defaultFid,
    switches: rest,
    zoning: {
      defined: { aliases: {}, zones: {}, configs: {} },
      effective: undefined,
      defaultAccess: "none",
    },
  };
}
