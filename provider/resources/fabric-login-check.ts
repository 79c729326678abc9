import type { Wwpn } from "../../bed/identities";
import type { FabricLogin } from "../devices/fabric-switch";

/** What one fabric's name server lists. */
export interface FabricLogins {
  /** Key of the fabric in the bed, `A`. */
  readonly fabric: string;
  readonly device: string;
  readonly logins: readonly FabricLogin[];
}

export interface LoginProblem {
  readonly role: "initiator" | "target";
  readonly wwpn: Wwpn;
  readonly reason: string;
  readonly remedy: string;
  /** It may come right by itself: a port that logs in late. */
  readonly maybeLate: boolean;
}

/**
 * Checks that the initiators and targets of a zone are logged in on its fabric, and are what they
 * should be. Zoning a port that is not there gives a bed without paths. Pure.
 */
export function checkLogins(
  planned: { readonly initiators: readonly Wwpn[]; readonly targets: readonly Wwpn[] },
  here: FabricLogins,
  others: readonly FabricLogins[],
): LoginProblem[] {
  const sound = new Set([...planned.initiators, ...planned.targets]);
  const check = (role: Role) => (wwpn: Wwpn) => checkOne(role, wwpn, here, others, sound);
  return [
    ...planned.initiators.flatMap(check("initiator")),
    ...planned.targets.flatMap(check("target")),
  ];
}

/**
 * What the problems of one host tell together. A controller's ports go off every fabric at once; one port or cable does not.
 * Undefined: nothing more than each of them. Pure.
 *
 * @param sides - the problems of each fabric that the host is zoned on
 */
export function commonCause(sides: readonly (readonly LoginProblem[])[]): string | undefined {
  const gone = sides.map((problems) => problems.filter((p) => p.role === "target" && p.maybeLate));
  if (gone.length < 2 || gone.some((problems) => problems.length === 0)) return undefined;
  return (
    "Target ports are missing on every fabric: a controller (node) of the array is probably down or taken over, and its " +
    "ports are offline. Check that first, and give it back."
  );
}

type Role = LoginProblem["role"];

function checkOne(
  role: Role,
  wwpn: Wwpn,
  here: FabricLogins,
  others: readonly FabricLogins[],
  sound: ReadonlySet<Wwpn>,
): LoginProblem[] {
  const behind = virtualPortsOf(wwpn, here);
  if (role === "target" && behind.length > 0) {
    const list = behind.map((login) => `${login.wwpn}${nameOf(login)}`).join(", ");
    return [
      {
        role,
        wwpn,
        reason: `target ${wwpn} is a physical port of the array; hosts must be zoned with the virtual ports behind it: ${list}`,
        remedy:
          "Give the WWPNs of the target ports (LIFs), as the array's Targets output has them.",
        maybeLate: false,
      },
    ];
  }
  const login = here.logins.find((candidate) => candidate.wwpn === wwpn);
  if (login === undefined) return [missing(role, wwpn, here, others, sound)];
  const opposite = role === "initiator" ? "target" : "initiator";
  if (login.role !== opposite) return [];
  return [
    {
      role,
      wwpn,
      reason: `${role} ${wwpn} is logged in on fabric ${here.fabric}, but as ${opposite}`,
      remedy: "Check which port this WWPN belongs to.",
      maybeLate: false,
    },
  ];
}

function missing(
  role: Role,
  wwpn: Wwpn,
  here: FabricLogins,
  others: readonly FabricLogins[],
  /** Ports of the plan: that one of them is there does not tell that another is mistyped. */
  sound: ReadonlySet<Wwpn>,
): LoginProblem {
  const elsewhere = others.find((other) => other.logins.some((login) => login.wwpn === wwpn));
  if (elsewhere !== undefined) {
    return {
      role,
      wwpn,
      reason: `${role} ${wwpn} is not logged in on fabric ${here.fabric} (${here.device}) but on fabric ${elsewhere.fabric} (${elsewhere.device})`,
      remedy: "Cables or the site's fabric assignment are crossed: correct the one that is wrong.",
      maybeLate: false,
    };
  }
  const near = here.logins.filter(
    (login) => !sound.has(login.wwpn) && distance(login.wwpn, wwpn) <= 2,
  );
  const hint = near.map((login) => `${login.wwpn}${nameOf(login)}`).join(", ");
  return {
    role,
    wwpn,
    reason: `${role} ${wwpn} is not logged in on fabric ${here.fabric} (${here.device}), which lists ${here.logins.length.toString()} ports${hint === "" ? "" : `; close to it are ${hint}`}`,
    remedy:
      role === "target"
        ? "Check that the array's controller (node) with this port is up and not taken over, the port online, the cable, and the WWPN."
        : "Check the WWPN, the cable, and that the port is online.",
    maybeLate: true,
  };
}

/** Logins through a physical port other than the port's own. */
function virtualPortsOf(wwpn: Wwpn, here: FabricLogins): readonly FabricLogin[] {
  return here.logins.filter((login) => login.physicalWwpn === wwpn && login.wwpn !== wwpn);
}

function nameOf(login: FabricLogin): string {
  return login.symbolicName === "" ? "" : ` (${login.symbolicName})`;
}

/** Hex digits that differ: a mistyped WWPN has one or two. */
function distance(left: string, right: string): number {
  return Array.from(left).filter((char, index) => char !== right.charAt(index)).length;
}
