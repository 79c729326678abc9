import { parseNqn, type Nqn } from "../../bed/identities";
import type { BlockArray, TargetsSpec } from "../../provider/devices/block-array";
import { nvmeSide } from "../../provider/devices/block-array";
import { group, names, scope, targetsOf, volumes } from "./array-bed";
import { call } from "./device-rig";

/** The small bed of {@link targetsOf} over NVMe: namespaces, one subsystem, two hosts by their NQNs. */
export function nvmeTargetsOf(release: string): TargetsSpec {
  return { ...targetsOf(release), protocol: "nvme-fc" };
}

export const nvmeHosts = ["esx01", "esx02"].map((name) => ({
  name,
  initiators: [nqn(`nqn.2014-08.com.vmware:nvme:${name}`)],
}));

export const namespaceMaps = (count: number): { volume: string; group: string }[] =>
  names(volumes(count)).map((volume) => ({ volume, group }));

export async function buildNvme(array: BlockArray, targets: TargetsSpec, count = 2): Promise<void> {
  const nvme = nvmeSide(array);
  await array.targets.ensure(call(), targets);
  await nvme.volumes.ensure(call(), scope, volumes(count));
  await nvme.hosts.ensureGroup(call(), scope, group);
  await nvme.hosts.ensureHosts(call(), scope, group, nvmeHosts);
  await nvme.maps.ensure(call(), scope, namespaceMaps(count));
}

export async function tearDownNvme(array: BlockArray, count = 2): Promise<void> {
  const nvme = nvmeSide(array);
  await nvme.maps.remove(call(), scope, namespaceMaps(count));
  await nvme.volumes.remove(call(), scope, names(volumes(count)));
  await nvme.hosts.removeHosts(call(), scope, group, nvmeHosts);
  await nvme.hosts.removeGroup(call(), scope, group);
  await array.targets.remove(call(), scope);
}

function nqn(text: string): Nqn {
  const parsed = parseNqn(text);
  if (parsed === undefined) throw new Error(`${text} is no NQN`);
  return parsed;
}
