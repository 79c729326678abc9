import type { Nqn } from "../../../bed/identities";
import type { HostInfo } from "../../../provider/devices/host-storage";
import { nqnProblem } from "../../../provider/resources/host-nvme-name";

const nqn = (name: string) => `nqn.2014-08.com.vmware:nvme:${name}` as Nqn;
const host = (name: string, more: Partial<HostInfo> = {}): HostInfo => ({
  name,
  id: `host-${name}`,
  cluster: "c",
  connected: true,
  version: "8.0.2",
  nqn: nqn(name),
  ...more,
});
const told = (hosts: readonly HostInfo[], name: string, given: string): string =>
  nqnProblem("vcenter", hosts, { host: name, nqns: [nqn(given)] })?.message ?? "";

test("a host is let in by its own NQN, or where nobody knows it", () => {
  expect(told([host("esx01")], "esx01", "esx01")).toBe("");
  // vSphere before 7.0.3 does not tell it; a host of another vCenter is not judged by this one.
  expect(told([host("esx01", { nqn: undefined })], "esx01", "other")).toBe("");
  expect(told([host("esx02")], "esx01", "other")).toBe("");
});

test("another's NQN is refused, with whose it is and what the host's own is", () => {
  const hosts = [host("esx01"), host("esx02")];
  expect(told(hosts, "esx01", "esx02")).toMatch(
    /cannot let host esx01 in as nqn.*esx02: the host itself is nqn.*esx01; that is the NQN of host esx02/,
  );
  expect(told(hosts, "esx01", "typo")).toMatch(/the host itself is nqn.*esx01\. Correct the NQN/);
});

test("a host whose release has no NVMe over Fibre Channel is not let in", () => {
  expect(told([host("esx01", { version: "6.7.0", nqn: undefined })], "esx01", "esx01")).toMatch(
    /use NVMe over Fibre Channel on host esx01: it runs ESXi 6.7.0. Expected ESXi 7.0 or later/,
  );
});
