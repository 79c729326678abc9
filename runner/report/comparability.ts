import type { Declaration, Environment, Platform } from "../results/run-folder";
import { sameArray, type Published } from "./published";

/**
 * How far a figure may be set beside a published one.
 * `notComparable`: side by side only as a reminder of what was published.
 * `indicative`: the protocol is the same, but what it ran on differs in the ways listed.
 * `comparable`: nothing that is known differs but the laboratory.
 */
type Grade = "notComparable" | "indicative" | "comparable";

export interface Comparability {
  readonly grade: Grade;
  /** Every known difference, the gravest first. */
  readonly differences: readonly string[];
}

/** Grades one run against the published protocol. Never tested statistically: two laboratories. */
export function compareProtocol(
  published: Published,
  platform: Platform,
  declaration: Declaration,
  environment: Environment,
): Comparability {
  const { protocol } = published;
  const spec = declaration.spec;
  const grave: string[] = [];
  if (platform.kind === "lab") {
    grave.push(`measured on the embedded lab (${platform.label}): no array was involved`);
  }
  const settings: [name: string, label: string, value: number][] = [
    ["tables", "tables", protocol.tables],
    ["rows", "rows in a table", protocol.rows],
    ["threads", "threads of a guest", protocol.threads],
    ["preconditionSeconds", "seconds of preconditioning", protocol.preconditionSeconds],
    ["measureSeconds", "seconds of measurement", protocol.measureSeconds],
  ];
  for (const [name, label, value] of settings) {
    const own = spec[name];
    if (own !== value) grave.push(`${show(own)} ${label} instead of ${show(value)}`);
  }
  if (spec["randType"] !== "special") {
    grave.push(`distribution ${show(spec["randType"])} instead of special`);
  }
  const minor = serverDifferences(published, environment);
  const expected = published.software.find(
    (s) => sameArray(s.array, platform.array) && s.mode === platform.protocol,
  )?.software;
  if (expected !== undefined && !expected.endsWith(platform.software)) {
    minor.push(`array software ${platform.software} instead of ${expected}`);
  }
  const differences = [...grave, ...minor];
  const grade = grave.length > 0 ? "notComparable" : minor.length > 0 ? "indicative" : "comparable";
  return { grade, differences };
}

function serverDifferences(published: Published, environment: Environment): string[] {
  const differences: string[] = [];
  const server = environment.tools["server"] ?? "an unknown server";
  if (!published.protocol.server.includes(server)) {
    differences.push(`database server ${server} instead of ${published.protocol.server}`);
  }
  const pools = Object.values(environment.guests).map(
    (guest) => guest.variables?.["innodb_buffer_pool_size"],
  );
  const pool = pools[0];
  if (pool !== undefined && pool !== published.protocol.bufferPoolBytes) {
    differences.push(
      `buffer pool of ${pool} bytes instead of ${published.protocol.bufferPoolBytes}`,
    );
  }
  return differences;
}

function show(value: unknown): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : String(value);
}
