import type { Wwnn, Wwpn } from "../../bed/identities";
import type { Cable, Fabric, SwitchPort, ZoneBody } from "./state";
import type { DeepReadonly, WorldView } from "./world";

/** A port that is logged in to a fabric, as the name server holds it. */
export interface Login {
  readonly fabric: string;
  readonly switch: string;
  readonly switchPort: DeepReadonly<SwitchPort>;
  readonly domain: number;
  readonly wwpn: Wwpn;
  readonly wwnn: Wwnn;
  /** Six hex digits: domain, port index, 00 or the NPIV index. */
  readonly fcId: string;
  /** WWPN of the physical port that the login came through; its own unless NPIV. */
  readonly permanentWwpn: Wwpn;
  readonly kind: "initiator" | "target" | "silent";
  readonly owner: LoginOwner;
}

type LoginOwner =
  | { readonly type: "other"; readonly label: string }
  | { readonly type: "hba"; readonly host: string; readonly hba: string }
  | { readonly type: "arrayPort"; readonly array: string; readonly portId: string }
  | { readonly type: "targetPort"; readonly array: string; readonly targetPortId: string };

interface Place {
  readonly fabric: string;
  readonly switch: string;
  readonly domain: number;
  readonly port: DeepReadonly<SwitchPort>;
}

/** Every login of every fabric, in the order of their addresses. Follows from the cabling alone. */
export function logins(world: WorldView): Login[] {
  return [...hbaLogins(world), ...arrayLogins(world), ...otherLogins(world)].sort((a, b) =>
    a.fabric === b.fabric ? a.fcId.localeCompare(b.fcId) : a.fabric.localeCompare(b.fabric),
  );
}

/** Where a cable ends, if the switch and its port are up. */
export function place(world: WorldView, cable: DeepReadonly<Cable> | undefined): Place | undefined {
  if (cable === undefined) return undefined;
  for (const fabric of Object.values(world.fabrics)) {
    const device = fabric.switches[cable.switch];
    const port = device?.ports[cable.port];
    if (device === undefined || port === undefined) continue;
    if (!device.enabled || !port.enabled || port.failed) return undefined;
    return { fabric: fabric.name, switch: device.device, domain: device.domain, port };
  }
  return undefined;
}

/**
 * Whether two logins may talk: in one zone of the effective configuration, or by the default access
 * when no configuration is in force. A member names a port by WWPN, by WWNN, by `domain,index`, by
 * `fabric address` in six hex digits, or by the WWN of the switch port (`fwwn ...`).
 */
export function mayTalk(world: WorldView, a: Login, b: Login): boolean {
  const fabric = world.fabrics[a.fabric];
  if (fabric === undefined || a.fabric !== b.fabric) return false;
  const { effective, defaultAccess, defaultCoversUnzoned } = fabric.zoning;
  if (effective === undefined) return defaultAccess === "all";
  const zones = Object.values(effective.zones);
  if (zones.some((zone) => zoneJoins(zone, a, b))) return true;
  const zoned = (login: Login): boolean =>
    zones.some((zone) => names(zone.members, login) || names(zone.principals, login));
  return defaultAccess === "all" && defaultCoversUnzoned === true && !zoned(a) && !zoned(b);
}

function zoneJoins(zone: DeepReadonly<ZoneBody>, a: Login, b: Login): boolean {
  if (zone.type === 0) return names(zone.members, a) && names(zone.members, b);
  return (
    (names(zone.principals, a) && names(zone.members, b)) ||
    (names(zone.principals, b) && names(zone.members, a))
  );
}

function names(members: readonly string[], login: Login): boolean {
  const domainIndex = `${login.domain.toString()},${login.switchPort.index.toString()}`;
  const fabricPort = `fwwn ${login.switchPort.wwn}`;
  const own: readonly string[] = [login.wwpn, login.wwnn, domainIndex, login.fcId, fabricPort];
  return members.some((member) => own.includes(member));
}

function hbaLogins(world: WorldView): Login[] {
  return Object.values(world.hosts).flatMap((host) =>
    Object.values(host.hbas).flatMap((hba) => {
      const at = hba.online ? place(world, hba.cable) : undefined;
      if (at === undefined) return [];
      const owner: LoginOwner = { type: "hba", host: host.name, hba: hba.device };
      return [login(at, { ...hba, permanent: hba.wwpn, npiv: 0, kind: "initiator", owner })];
    }),
  );
}

function arrayLogins(world: WorldView): Login[] {
  return Object.values(world.arrays).flatMap((array) =>
    Object.values(array.ports).flatMap((port) => {
      const up = port.enabled && array.controllers[port.controller]?.up === true;
      const at = up ? place(world, port.cable) : undefined;
      if (at === undefined) return [];
      const virtual = Object.values(array.targetPorts).filter(
        (target) => target.portId === port.id && target.enabled,
      );
      const kind = port.servesVolumes ? "target" : "silent";
      const own: LoginOwner = { type: "arrayPort", array: array.name, portId: port.id };
      return [
        login(at, { ...port, permanent: port.wwpn, npiv: 0, kind, owner: own }),
        ...virtual.map((target) =>
          login(at, {
            ...target,
            permanent: port.wwpn,
            npiv: target.npivIndex,
            kind: "target",
            owner: { type: "targetPort", array: array.name, targetPortId: target.id },
          }),
        ),
      ];
    }),
  );
}

function otherLogins(world: WorldView): Login[] {
  return Object.values(world.others).flatMap((other) => {
    const at = place(world, other.cable);
    if (at === undefined) return [];
    const owner: LoginOwner = { type: "other", label: other.label };
    return [login(at, { ...other, permanent: other.wwpn, npiv: 0, kind: other.role, owner })];
  });
}

interface LoginParts {
  readonly wwpn: Wwpn;
  readonly wwnn: Wwnn;
  readonly permanent: Wwpn;
  readonly npiv: number;
  readonly kind: Login["kind"];
  readonly owner: LoginOwner;
}

function login(at: Place, parts: LoginParts): Login {
  return {
    fabric: at.fabric,
    switch: at.switch,
    switchPort: at.port,
    domain: at.domain,
    wwpn: parts.wwpn,
    wwnn: parts.wwnn,
    fcId: [at.domain, at.port.index, parts.npiv].map(hexByte).join(""),
    permanentWwpn: parts.permanent,
    kind: parts.kind,
    owner: parts.owner,
  };
}

function hexByte(value: number): string {
  return value.toString(16).padStart(2, "0");
}

/** The first fabric that a switch (by device name) belongs to. */
export function fabricOf(world: WorldView, device: string): DeepReadonly<Fabric> | undefined {
  return fabricsOf(world, device)[0];
}

/** Every fabric that a switch carries: its VSANs or virtual fabrics, the bed's own first. */
export function fabricsOf(world: WorldView, device: string): DeepReadonly<Fabric>[] {
  return Object.values(world.fabrics).filter((fabric) => device in fabric.switches);
}

/** The fabric of the switch port where a cable ends. */
export function fabricAt(
  world: WorldView,
  cable: DeepReadonly<Cable> | undefined,
): DeepReadonly<Fabric> | undefined {
  if (cable === undefined) return undefined;
  return Object.values(world.fabrics).find(
    (fabric) => fabric.switches[cable.switch]?.ports[cable.port] !== undefined,
  );
}
