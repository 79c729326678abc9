import { parseWwpn, type Wwpn } from "../../bed/identities";
import type { FabricLogin, ZoningState } from "../devices/fabric-switch";
import type { HostAdapter } from "../devices/host-storage";
import type { LackingDevice } from "./host-path-check";
import { withoutPath } from "./host-path-check";

/** What one fabric says, as far as it can be read. */
export interface FabricView {
  readonly fabric: string;
  readonly logins: readonly FabricLogin[];
  readonly zoning: ZoningState;
}

/** How an adapter stands on the fabrics. */
export type AdapterStanding =
  | { readonly kind: "offline" }
  | { readonly kind: "notLoggedIn" }
  | { readonly kind: "notZoned"; readonly fabric: string }
  /** Zoned, but with nothing that is logged in as a target. */
  | {
      readonly kind: "noTarget";
      readonly fabric: string;
      readonly zonedWith: readonly string[];
      /** Zoned names that are physical ports behind virtual ones, and the virtual ones. */
      readonly physical: readonly { readonly zoned: string; readonly virtual: string }[];
    }
  | { readonly kind: "zoned"; readonly fabric: string; readonly targets: readonly string[] };

/** Where an adapter stands, from the fabrics' name servers and effective configurations. Pure. */
export function adapterStanding(
  adapter: HostAdapter,
  fabrics: readonly FabricView[],
): AdapterStanding {
  const view = fabrics.find(({ logins }) => logins.some((login) => login.wwpn === adapter.wwpn));
  if (view === undefined) return adapter.online ? { kind: "notLoggedIn" } : { kind: "offline" };
  const { fabric, logins } = view;
  const zonedWith = zoneMates(view.zoning, adapter.wwpn);
  if (zonedWith.length === 0) return { kind: "notZoned", fabric };
  const targets = zonedWith.filter((wwpn) =>
    logins.some((login) => login.wwpn === wwpn && login.role !== "initiator"),
  );
  const physical = zonedWith.flatMap((zoned) => {
    const behind = logins.find((l) => l.physicalWwpn === zoned && l.wwpn !== zoned);
    return behind === undefined ? [] : [{ zoned, virtual: behind.wwpn }];
  });
  const reachable = targets.filter((wwpn) => !physical.some(({ zoned }) => zoned === wwpn));
  if (reachable.length > 0) return { kind: "zoned", fabric, targets: reachable };
  return { kind: "noTarget", fabric, zonedWith, physical };
}

/** Port names that share an effective zone with a port. */
function zoneMates(zoning: ZoningState, wwpn: Wwpn): readonly string[] {
  const mates = new Set<string>();
  for (const members of zoning.effective?.zones.values() ?? []) {
    const names = members
      .flatMap((member) => zoning.aliases.get(member) ?? [member])
      .map((member) => parseWwpn(member) ?? member);
    if (names.includes(wwpn)) for (const name of names) mates.add(name);
  }
  mates.delete(wwpn);
  return [...mates];
}

/**
 * A sentence for each adapter that explains missing paths; empty when the fabrics explain nothing.
 * @param expected - target ports that paths should lead to, where they are known
 */
export function explain(
  host: string,
  lacking: readonly LackingDevice[],
  adapters: readonly HostAdapter[],
  fabrics: readonly FabricView[],
  expected: readonly string[] = [],
): readonly string[] {
  const unseen = lacking.some((device) => device.found === 0);
  const short = adapters.filter(
    (adapter) =>
      unseen || lacking.some((device) => withoutPath(device, adapters).includes(adapter)),
  );
  const suspects = short.length > 0 ? short : adapters;
  const said = suspects.flatMap((adapter) => {
    const standing = adapterStanding(adapter, fabrics);
    return standing.kind === "zoned"
      ? zoned(host, adapter, lacking, standing, onFabric(standing.fabric, fabrics, expected))
      : [sentence(host, adapter, standing, fabrics)];
  });
  const everywhere = fabrics.flatMap(({ logins }) => logins.map(({ wwpn }) => wwpn as string));
  const lost = fabrics.length < 2 ? [] : expected.filter((wwpn) => !everywhere.includes(wwpn));
  return lost.length === 0
    ? said
    : [...said, `Target ports ${lost.join(", ")} are logged in nowhere: check them on the array.`];
}

function onFabric(
  fabric: string,
  fabrics: readonly FabricView[],
  wwpns: readonly string[],
): readonly string[] {
  const logins = fabrics.find((view) => view.fabric === fabric)?.logins ?? [];
  return wwpns.filter((wwpn) => logins.some((login) => login.wwpn === wwpn));
}

/** An adapter in a zone with targets. Nothing is said of one that sees all that it should. */
function zoned(
  host: string,
  { name, wwpn, protocol }: HostAdapter,
  lacking: readonly LackingDevice[],
  { fabric, targets }: Extract<AdapterStanding, { kind: "zoned" }>,
  expected: readonly string[],
): readonly string[] {
  const who = `${fabric}: ${name} (${wwpn}) is zoned with ${targets.join(", ")}`;
  const notZoned = expected.filter((target) => !targets.includes(target));
  if (notZoned.length > 0) {
    return [`${who}, but not with ${notZoned.join(", ")}: a target port is missing in the zone.`];
  }
  const seesAll = targets.every((target) =>
    lacking.every(({ through }) => through.get(name)?.includes(target) === true),
  );
  if (seesAll && expected.length > 0) return [];
  const notMapped =
    protocol === "nvme"
      ? `the namespace is not mapped (the NQN of host ${host} is missing in the subsystem, or the mapping is)`
      : `the volume is not mapped to this port (host ${host} is missing in the array's host group, or the mapping is)`;
  return expected.length > 0
    ? [`${who}: so ${notMapped}.`]
    : [`${who}: so either ${notMapped}, or a target port is missing in the zone.`];
}

function sentence(
  host: string,
  adapter: HostAdapter,
  standing: Exclude<AdapterStanding, { kind: "zoned" }>,
  fabrics: readonly FabricView[],
): string {
  const who = `${adapter.name} (${adapter.wwpn})`;
  switch (standing.kind) {
    case "offline":
      return `${who} is offline: check cable and switch port.`;
    case "notLoggedIn":
      return fabrics.length === 0
        ? `${who} has no path: no zone joins it with the array's ports on its fabric, or the volume is not mapped to it.`
        : `${who} is logged in to none of ${fabrics.map((f) => f.fabric).join(", ")}: check cabling.`;
    case "notZoned":
      return `${standing.fabric}: ${who} is in no zone of the effective configuration: a zone for host ${host} is missing there.`;
    case "noTarget":
      return noTarget(who, standing);
  }
}

function noTarget(who: string, standing: Extract<AdapterStanding, { kind: "noTarget" }>): string {
  const physical = standing.physical.map(
    ({ zoned, virtual }) => `${zoned} is the physical port, its virtual port is ${virtual}`,
  );
  const reason =
    physical.length > 0
      ? `${physical.join("; ")}: zone the virtual port`
      : "none of them is logged in as a target: check the port names in the zone";
  return `${standing.fabric}: ${who} is zoned with ${standing.zonedWith.join(", ")}, but ${reason}.`;
}
