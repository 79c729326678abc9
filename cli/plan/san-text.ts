import type { BedPlan } from "../../bed/bed-plan";
import { formatBytes } from "../../bed/units";
import { columns } from "./columns";
import type { SizeText } from "./sizes";

export function hostLines(plan: BedPlan): string[] {
  const estimates = new Map(plan.estimates.hosts.map((one) => [one.host, one]));
  const zoning = new Map(plan.zoning.map((one) => [one.host, one]));
  const ports = (host: string, fabric: "A" | "B"): string =>
    Object.entries(zoning.get(host)?.fabrics[fabric].initiators ?? {})
      .map(([adapter, wwpn]) => `${adapter} ${wwpn}`)
      .join(" ");
  const { A, B } = plan.site.fabrics;
  const zones = plan.zoning.flatMap(({ fabrics }) => [
    ...Object.keys(fabrics.A.initiators),
    ...Object.keys(fabrics.B.initiators),
  ]).length;
  const figure = (host: string, key: "guests" | "guestVcpus"): string =>
    (estimates.get(host)?.[key] ?? 0).toString();
  return [
    ...columns(plan.hosts, [
      { head: "host", cell: ({ name }) => name },
      { head: "cluster", cell: ({ cluster }) => cluster },
      { head: `fabric A (${A.device})`, cell: ({ name }) => ports(name, "A") },
      { head: `fabric B (${B.device})`, cell: ({ name }) => ports(name, "B") },
      {
        head: "paths/device",
        cell: ({ name }) => (zoning.get(name)?.expectedPaths ?? 0).toString(),
        right: true,
      },
      { head: "guests", cell: ({ name }) => figure(name, "guests"), right: true },
      { head: "vCPUs", cell: ({ name }) => figure(name, "guestVcpus"), right: true },
      {
        head: "memory",
        // Memory is counted in binary units whatever disks are counted in.
        cell: ({ name }) => formatBytes(estimates.get(name)?.guestMemoryBytes ?? 0n),
        right: true,
      },
    ]),
    `${zones.toString()} zones with one initiator each; ${plan.hostSettings.pathPolicy}, ` +
      `${plan.hostSettings.queueDepth.toString()} outstanding requests per device`,
    ...plan.hostGroups.map(
      ({ key, name, hosts }) => `host group ${key}: ${name}, ${hosts.length.toString()} hosts`,
    ),
  ];
}

export function targetLines(plan: BedPlan): string[] {
  const unused = new Map(plan.unusedTargetPorts.map(({ key, reason }) => [key, reason]));
  const { model, protocol } = plan.bed.array;
  return [
    `${model} (${plan.site.array.device}), ${protocol}; ${tenant(plan)}`,
    ...columns(plan.site.array.ports, [
      { head: "port", cell: ({ key }) => key },
      { head: "controller", cell: ({ controller }) => controller },
      { head: "on", cell: ({ port }) => port },
      { head: "fabric", cell: ({ fabric }) => fabric },
      {
        head: "",
        cell: ({ key }) => (unused.has(key) ? `stays out: ${unused.get(key) ?? ""}` : ""),
      },
    ]),
  ];
}

function tenant({ target, site }: BedPlan): string {
  if (target.mode === "create") return `ports are made for the bed in ${target.name}`;
  const named = "name" in site.array.target && site.array.target.name !== undefined;
  return named ? `ports of ${target.name} are used` : "its own ports are used";
}

export function poolLines(plan: BedPlan, size: SizeText): string[] {
  const controllers = new Map(plan.pools.map(({ name, controller }) => [name, controller]));
  return columns(plan.estimates.pools, [
    { head: "pool", cell: ({ pool }) => pool },
    { head: "controller", cell: ({ pool }) => controllers.get(pool) ?? "" },
    { head: "capacity", cell: (one) => size(one.capacityBytes), right: true },
    { head: "volumes", cell: (one) => one.volumes.toString(), right: true },
    { head: "provisioned", cell: (one) => size(one.provisionedBytes), right: true },
    { head: "reserved", cell: (one) => size(one.reservedBytes), right: true },
    { head: "will hold", cell: (one) => size(one.expectedBytes), right: true },
    { head: "left", cell: (one) => size(one.freeBytes), right: true },
  ]);
}
