import type { Problem } from "../errors";
import { problemPath, quoted } from "../schema-problems";
import { addressProblems } from "./address-problems";
import { hasSharedEntries, hasTenants, isSwitchKind } from "./device";
import type { PartialSite } from "./partial";
import { portProblems } from "./port-problems";
import { repeated } from "./repeated";

/** What the schema cannot see: names that lead nowhere, doubles, ports on no or both fabrics. */
export function siteProblems(site: PartialSite): Problem[] {
  return [
    ...deviceProblems(site),
    ...fabricProblems(site),
    ...arrayProblems(site),
    ...hostProblems(site),
    ...portProblems(site),
    ...hypervisorProblems(site),
    ...addressProblems(site),
  ];
}

/** Devices that lack what their kind needs, and those that stand there twice. */
export function deviceProblems(site: PartialSite): Problem[] {
  const problems: Problem[] = [];
  const where = new Map<string, string>();
  for (const [name, device] of site.devices) {
    const path = problemPath(["devices", name]);
    if (device.kind === "cisco-mds" && device.vsan === undefined) {
      problems.push({
        path: `${path}.vsan`,
        message: "is missing: on a cisco-mds device a fabric is one VSAN of the switch",
        remedy: "write its number, 1 to 4093",
      });
    }
    if (device.kind !== "cisco-mds" && device.vsan !== undefined) {
      problems.push({ path: `${path}.vsan`, message: `a ${device.kind} device has no VSANs` });
    }
    // A switch may hold both fabrics as VSANs or logical switches: then these tell them apart.
    const key = JSON.stringify([URL.parse(device.endpoint)?.host, device.vsan, device["vfId"]]);
    const other = where.get(key);
    if (other !== undefined) {
      problems.push({
        path: `${path}.endpoint`,
        message: `is the same device as ${other}`,
        remedy: "each device stands here once; two fabrics on one switch differ in vsan or vfId",
      });
    }
    where.set(key, path);
  }
  return problems;
}

export const sameSwitch: Problem = {
  path: "fabrics",
  message: "both fabrics name the same switch",
  remedy: "a bed needs two fabrics that do not share a switch",
};

function fabricProblems(site: PartialSite): Problem[] {
  const { A, B } = site.fabrics;
  const problems = [
    ...reference(site, "fabrics.A.device", A, isSwitchKind, "Fibre Channel switch"),
    ...reference(site, "fabrics.B.device", B, isSwitchKind, "Fibre Channel switch"),
  ];
  if (A !== undefined && A === B) {
    problems.push(sameSwitch);
  }
  return problems;
}

function arrayProblems(site: PartialSite): Problem[] {
  const { device, family, target, ports, pools } = site.array;
  const problems = reference(
    site,
    "array.device",
    device,
    (kind) => kind === family,
    family && `${family} array`,
  );
  if (family !== undefined && hasTenants(family)) {
    if (target === undefined) {
      problems.push({
        path: "array.target",
        message: `is missing: on the family ${family} ports and volumes belong to a tenant`,
        remedy: 'write { "mode": "create" }, or { "mode": "use", "name": ... } for one of yours',
      });
    } else if (target.mode === "use" && target.name === undefined) {
      problems.push({
        path: "array.target.name",
        message: "is missing: which tenant is to be used",
      });
    }
  } else if (family !== undefined && target?.mode === "create") {
    problems.push({
      path: "array.target.mode",
      message: `the family ${quoted(family)} has no tenants that could be created`,
      remedy: "leave array.target out",
    });
  }
  return [
    ...problems,
    ...repeated(ports, ["array", "ports"], ["key"], (port) => port?.key, "the port key"),
    ...repeated(
      ports,
      ["array", "ports"],
      ["port"],
      (port) => port && `${port.port} of ${port.controller}`,
      "the port",
    ),
    ...repeated(pools, ["array", "pools"], ["name"], (pool) => pool?.name, "the pool"),
  ];
}

function hostProblems(site: PartialSite): Problem[] {
  const { hosts, occupancy } = site;
  const problems = [
    ...repeated(hosts, ["hosts"], ["name"], (host) => host.name?.toLowerCase(), "the host"),
    // Case counts in an NQN, but no two hosts differ in it alone.
    ...repeated(hosts, ["hosts"], ["nqn"], (host) => host.nqn?.toLowerCase(), "the NQN"),
  ];
  if (!hasSharedEntries(site.array.family ?? "ontap")) {
    const what = "one entry is one host, and the entry";
    problems.push(...repeated(hosts, ["hosts"], ["entry", "name"], (host) => host.entry, what));
  }
  hosts.forEach((host, index) => {
    const path = ["hosts", index];
    problems.push(
      ...repeated(
        host.hbas,
        [...path, "hbas"],
        ["adapter"],
        (port) => port?.adapter,
        "the adapter",
      ),
    );
    const { clusters } = site.hypervisor;
    if (host.cluster !== undefined && !clusters.includes(host.cluster)) {
      problems.push({
        path: problemPath([...path, "cluster"]),
        message: `${quoted(host.cluster)} is no cluster of this site`,
        remedy: `hypervisor.clusters are ${clusters.map(quoted).join(", ") || "none"}`,
      });
    }
  });
  for (const name of Object.keys(occupancy?.luns ?? {})) {
    if (hosts.some((host) => host.name === name)) continue;
    problems.push({
      path: problemPath(["occupancy", "luns", name]),
      message: `the site has no host ${quoted(name)}`,
    });
  }
  return problems;
}

function hypervisorProblems(site: PartialSite): Problem[] {
  const { device, clusters, siteDatastore, datastores } = site.hypervisor;
  const problems = reference(
    site,
    "hypervisor.device",
    device,
    (kind) => kind === "vcenter",
    "vCenter",
  );
  problems.push(
    ...repeated(clusters, ["hypervisor", "clusters"], [], (name) => name, "the cluster"),
  );
  if (datastores !== undefined && siteDatastore !== undefined) {
    problems.push(
      ...repeated(
        datastores,
        ["hypervisor", "datastores"],
        ["name"],
        (name) => name,
        "the datastore",
      ),
    );
    if (!datastores.includes(siteDatastore)) {
      problems.push({
        path: "hypervisor.siteDatastore",
        message: `${quoted(siteDatastore)} is not among hypervisor.datastores`,
        remedy: `they are ${datastores.map(quoted).join(", ")}`,
      });
    }
  }
  return problems;
}

/** A device that is named somewhere must be there and of a fitting kind. */
function reference(
  site: PartialSite,
  path: string,
  name: string | undefined,
  fits: (kind: string) => boolean,
  what: string | undefined,
): Problem[] {
  if (name === undefined || what === undefined) return [];
  const device = site.devices.get(name);
  // One with mistakes of its own is told there.
  if (device === undefined && site.deviceNames.includes(name)) return [];
  if (device !== undefined && fits(device.kind)) return [];
  return [
    {
      path,
      message: `${quoted(name)} is no ${what} of this site`,
      remedy: `devices are ${site.deviceNames.map(quoted).join(", ") || "none"}`,
    },
  ];
}
