import type { Cable, WorldState } from "../world/state";

/** Every cable of a world, to be changed in place. */
export function cables(world: WorldState): Cable[] {
  const found = [
    ...Object.values(world.hosts).flatMap((host) => Object.values(host.hbas)),
    ...Object.values(world.arrays).flatMap((array) => Object.values(array.ports)),
    ...Object.values(world.others),
  ];
  return found.flatMap(({ cable }) => (cable === undefined ? [] : [cable]));
}
