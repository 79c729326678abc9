import type { Fabric, Switch, WorldState } from "../world/state";
import { hex2, wwnn, wwpn } from "./names";

/** Domains of the second switches: 11 behind domain 1, 12 behind domain 2. */
const domainStep = 10;

/**
 * Gives every fabric a second switch and moves the array's cables there: hosts at the edge, storage in
 * the core. Zoning stays one database per fabric.
 */
export function coreSwitches(world: WorldState): WorldState {
  for (const fabric of Object.values(world.fabrics)) addSwitch(fabric);
  for (const array of Object.values(world.arrays)) {
    for (const port of Object.values(array.ports)) {
      if (port.cable !== undefined) port.cable.switch = coreName(port.cable.switch);
    }
  }
  return world;
}

function addSwitch(fabric: Fabric): void {
  const edge = Object.values(fabric.switches)[0];
  if (edge === undefined) return;
  const core = structuredClone(edge);
  core.device = coreName(edge.device);
  core.name = `${edge.name}2`;
  core.domain = edge.domain + domainStep;
  core.wwn = wwnn(`${edge.wwn.slice(0, -2)}${hex2(core.domain)}`);
  for (const port of Object.values(core.ports)) {
    port.wwn = wwpn(`${port.wwn.slice(0, -2)}${hex2(core.domain)}`);
  }
  fabric.switches[core.device] = core satisfies Switch;
}

function coreName(edge: string): string {
  return `${edge}2`;
}
