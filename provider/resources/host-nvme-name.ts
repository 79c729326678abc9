import { DeviceError } from "../../bed/errors";
import type { Nqn } from "../../bed/identities";
import type { HostInfo } from "../devices/host-storage";
import type { ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";
import { readHosts } from "./shared-read";

/** What a host is to be known by on an array. */
interface Named {
  readonly host: string;
  readonly nqns: readonly Nqn[];
}

/**
 * Before an array lets a host in by its NQN: the hypervisor must not know the host by another one. Unlike a WWPN,
 * which the fabric has to see logged in, a wrong NQN is taken by every array, and may be that of somebody
 * else's host, which would then see the namespaces.
 * @throws {DeviceError} `refused`, or `unsupported` for a host whose release has no NVMe.
 */
export async function refuseOthersNqn(call: ResourceCall<BedContext>, named: Named): Promise<void> {
  for (const device of call.context.hypervisors.keys()) {
    const problem = nqnProblem(device, await readHosts(call, device), named);
    if (problem !== undefined) throw problem;
  }
}

/** What the hosts of one hypervisor say against it. Hosts that it does not know are not its to judge. Pure. */
export function nqnProblem(
  device: string,
  hosts: readonly HostInfo[],
  { host, nqns }: Named,
): DeviceError | undefined {
  const known = hosts.find(({ name, id }) => name === host || id === host);
  if (known === undefined) return undefined;
  const tooOld = olderThanNvme(device, known);
  if (tooOld !== undefined) return tooOld;
  const wrong = nqns.filter((nqn) => known.nqn !== undefined && nqn !== known.nqn);
  const [other] = hosts.filter(({ nqn }) => nqn !== undefined && wrong.includes(nqn));
  if (wrong.length === 0) return undefined;
  const whose = other === undefined ? "" : `; that is the NQN of host ${other.name}`;
  return new DeviceError({
    kind: "refused",
    device,
    operation: `let host ${host} in as`,
    object: wrong.join(", "),
    reason: `the host itself is ${known.nqn ?? ""}${whose}`,
    remedy: `Correct the NQN of host ${host} in the site file (esxcli nvme info get).`,
  });
}

/** ESXi speaks NVMe over Fibre Channel from 7.0 on (vSphere Storage, "About VMware NVMe Storage"). Pure. */
export function olderThanNvme(
  device: string,
  { name, version }: Pick<HostInfo, "name" | "version">,
): DeviceError | undefined {
  const major = Number(version.split(".")[0]);
  if (!(major > 0 && major < 7)) return undefined;
  return new DeviceError({
    kind: "unsupported",
    device,
    operation: `use NVMe over Fibre Channel on host ${name}`,
    reason: `it runs ESXi ${version}`,
    expected: "ESXi 7.0 or later",
    remedy: "Use protocol fcp, or another host.",
  });
}
