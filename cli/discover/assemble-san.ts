import { formatBytes } from "../../bed/units";
import { hasTenants } from "../../bed/site/device";
import type { PhysicalPort } from "../../provider/devices/block-array";
import { Decide, type Draft, Remarked } from "./draft";
import type { Decided } from "./decided";
import type { Findings } from "./findings";
import type { Seed } from "./seed";

export type FabricOf = (wwpn: string) => "A" | "B" | "both" | "none" | "unknown";

/** On which fabric a port name is logged in. Unknown while a fabric did not answer. */
export function fabricIndex(findings: Findings): FabricOf {
  const on = { A: new Set<string>(), B: new Set<string>() };
  for (const fabric of ["A", "B"] as const) {
    for (const login of findings.fabrics[fabric]?.logins ?? []) {
      on[fabric].add(login.wwpn);
      if (login.physicalWwpn !== undefined) on[fabric].add(login.physicalWwpn);
    }
  }
  return (wwpn) => {
    const [a, b] = [on.A.has(wwpn), on.B.has(wwpn)];
    if (a && b) return "both";
    if (a) return "A";
    if (b) return "B";
    return findings.fabrics.A && findings.fabrics.B ? "none" : "unknown";
  };
}

/**
 * A and B that are one fabric: whatever is zoned on "both" goes with it. A fabric tells the same logins on
 * every switch, two that are apart have none in common.
 */
export function fabricFaults({ fabrics: { A, B } }: Findings): string[] {
  if (A === undefined || B === undefined) return [];
  const onB = new Set(B.logins.map(({ wwpn }) => wwpn));
  const shared = A.logins.filter(({ wwpn }) => onB.has(wwpn)).length;
  const fewest = Math.min(A.logins.length, B.logins.length);
  // A cable in the wrong switch gives a few; they are told one by one.
  if (shared === 0 || shared * 2 < fewest) return [];
  const names = [...new Set([A.facts.switchName, B.facts.switchName])].join(" and ");
  return [
    `fabric A and fabric B are one fabric (${names}): ${shared.toString()} of ${fewest.toString()} ports are logged in on both; a bed needs two that share no switch`,
  ];
}

export function fabricsDraft(findings: Findings, seed: Seed, notes: string[]): Draft {
  const side = (name: "A" | "B"): Draft => {
    const device = { device: seed.fabrics[name] };
    const found = findings.fabrics[name];
    if (found === undefined) return device;
    const { facts, logins, effective } = found;
    if (effective === undefined) {
      notes.push(
        `fabric ${name} has no zone configuration in force: beds join one and never make one`,
      );
    }
    const force = effective === undefined ? "" : `, configuration ${effective} in force`;
    return new Remarked(
      device,
      `${facts.switchName}, ${facts.model}, ${facts.firmware}${force}, ${logins.length.toString()} logins`,
    );
  };
  return { A: side("A"), B: side("B") };
}

export function arrayDraft(
  findings: Findings,
  seed: Seed,
  decided: Decided,
  fabricOf: FabricOf,
  notes: string[],
): Draft {
  const family = seed.devices[seed.array]?.kind ?? "";
  const facts = findings.array?.facts;
  const draft = {
    device: seed.array,
    family,
    target: hasTenants(family) ? targetDraft(findings, decided) : undefined,
    ports: portsDraft(findings, decided, fabricOf, notes),
    pools: poolsDraft(findings, decided, notes),
  };
  if (facts === undefined) return draft;
  return new Remarked(draft, `${facts.vendor} ${facts.model} "${facts.name}", ${facts.software}`);
}

function targetDraft(findings: Findings, decided: Decided): Draft {
  if (decided.at("array", "target") !== undefined) return decided.at("array", "target") as Draft;
  const options = ["create: the bed makes a tenant of its own, with service and ports"];
  for (const name of findings.array?.tenants ?? []) options.push(`use, with name: ${name}`);
  return { mode: new Decide("create, or use with a name", options) };
}

function portsDraft(
  findings: Findings,
  decided: Decided,
  fabricOf: FabricOf,
  notes: string[],
): Draft {
  const before = decided.entries("array", "ports");
  const ports = findings.array?.ports;
  if (ports === undefined) {
    const kept = decided.at("array", "ports");
    return kept === undefined
      ? new Decide("target ports: the array does not tell")
      : (kept as Draft);
  }
  const controllers = [...new Set(ports.map((port) => port.controller))].sort();
  const used = new Set<string>();
  const found = [...ports].sort(byPlace).flatMap((port): Draft[] => {
    const name = `${port.name} of ${port.controller}`;
    const fabric = fabricOf(port.wwpn);
    const earlier = before?.find(
      (one) => one["controller"] === port.controller && one["port"] === port.name,
    );
    if (before !== undefined && earlier === undefined) {
      notes.push(`array port ${name} is not in the file and stays out`);
      return [];
    }
    if (fabric !== "A" && fabric !== "B") {
      notes.push(`array port ${name} (${port.wwpn}) ${whyNot(fabric)}: left out`);
      return [];
    }
    const short = `n${(controllers.indexOf(port.controller) + 1).toString()}${fabric.toLowerCase()}`;
    const key = typeof earlier?.["key"] === "string" ? earlier["key"] : unused(short, used);
    const { switchPort } = port;
    return [{ key, controller: port.controller, port: port.name, fabric, switchPort }];
  });
  const question = "decide: leave out ports that a bed must not use";
  return before === undefined ? new Remarked(found, question) : found;
}

function byPlace(a: PhysicalPort, b: PhysicalPort): number {
  return a.controller.localeCompare(b.controller) || a.name.localeCompare(b.name);
}

export function whyNot(fabric: "both" | "none" | "unknown"): string {
  if (fabric === "both") return "is logged in to both fabrics";
  if (fabric === "none") return "is logged in to neither fabric";
  return "is not logged in to the fabric that answered";
}

function unused(short: string, used: Set<string>): string {
  let name = short;
  for (let next = 2; used.has(name); next++) name = `${short}${next.toString()}`;
  used.add(name);
  return name;
}

function poolsDraft(findings: Findings, decided: Decided, notes: string[]): Draft {
  const before = decided.entries("array", "pools");
  const pools = findings.array?.pools;
  if (pools === undefined) return decided.or(["array", "pools"], "pools: the array did not tell");
  const found = pools.flatMap((pool): Draft[] => {
    if (before !== undefined && !before.some((one) => one["name"] === pool.name)) {
      notes.push(`pool ${pool.name} is not in the file and stays out`);
      return [];
    }
    const size = `${formatBytes(pool.freeBytes)} of ${formatBytes(pool.sizeBytes)}`;
    const freeBytes = new Remarked(pool.freeBytes.toString(), size);
    const controller = pool.controller ?? new Decide("which controller serves it");
    return [{ name: pool.name, controller, freeBytes }];
  });
  const question = "decide: leave out pools that a bed must not take space from";
  return before === undefined ? new Remarked(found, question) : found;
}
