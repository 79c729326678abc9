import { memberOf } from "./members";
import type { ZoneControl } from "./zone-control";
import type { ZoneState } from "./vsan-state";

/** `show zone pending`: the full database as it will be. */
export function pendingZones(zoning: ZoneControl): string[] {
  const staged = zoning.session?.staged;
  if (staged === undefined) return ["No pending info found"];
  const vsan = vsanOf(zoning);
  return [...objects(staged, vsan).entries()].flatMap(([head, body]) => [head, ...body, ""]);
}

/**
 * `show zone pending-diff`: lines that go with `-`, lines that come with `+`, below their object. That
 * there are such signs is documented, the exact form is assumed.
 */
export function pendingDiff(zoning: ZoneControl): string[] {
  const { session } = zoning;
  if (session === undefined) return ["No pending info found"];
  const vsan = vsanOf(zoning);
  const [from, to] = [objects(zoning.committed, vsan), objects(session.staged, vsan)];
  const heads = [...new Set([...from.keys(), ...to.keys()])];
  const zonesFirst = (head: string): number => (head.startsWith("zoneset") ? 1 : 0);
  const diff = heads
    .sort((a, b) => zonesFirst(a) - zonesFirst(b))
    .flatMap((head) => objectDiff(head, from.get(head), to.get(head)));
  if (typeof session.activate === "string") {
    diff.push(`+zoneset activate name ${session.activate} vsan ${vsan}`);
  }
  if (session.activate === null) diff.push(`-zoneset activate vsan ${vsan}`);
  return diff;
}

function objectDiff(
  head: string,
  from: readonly string[] | undefined,
  to: readonly string[] | undefined,
): string[] {
  if (to === undefined) return [`-${head}`, ...(from ?? []).map((line) => `-${line}`)];
  if (from === undefined) return [`+${head}`, ...to.map((line) => `+${line}`)];
  const gone = from.filter((line) => !to.includes(line)).map((line) => `-${line}`);
  const come = to.filter((line) => !from.includes(line)).map((line) => `+${line}`);
  return gone.length + come.length === 0 ? [] : [` ${head}`, ...gone, ...come];
}

function objects(state: ZoneState, vsan: string): Map<string, string[]> {
  const zones = Object.entries(state.zones).map(([name, members]): [string, string[]] => [
    `zone name ${name} vsan ${vsan}`,
    members.map((text) => {
      const { type, value } = memberOf(text);
      const role = memberOf(text).deviceType;
      return `  ${type} ${value}${role === undefined ? "" : ` ${role}`}`;
    }),
  ]);
  const sets = Object.entries(state.zoneSets).map(([name, members]): [string, string[]] => [
    `zoneset name ${name} vsan ${vsan}`,
    members.map((zone) => `  zone name ${zone} vsan ${vsan}`),
  ]);
  return new Map([...zones, ...sets]);
}

function vsanOf(zoning: ZoneControl): string {
  return (zoning.fabric.id ?? 1).toString();
}
