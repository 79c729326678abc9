import { DeviceError } from "../../../bed/errors";
import type { ZoningEdit } from "../zoning-edit";
import { isNxosName } from "./cli-line";
import { kindsAfter, wwpnsOfDeviceAliases, type AliasChoice } from "./mds-commands";
import type { MdsDatabase } from "./mds-database";
import { memberOf } from "./mds-members";

/**
 * Of the whole physical fabric (Cisco MDS NX-OS Configuration Limits, Release 8.x and 9.x). Only this VSAN
 * is counted here: the switch itself refuses what is too much with the others.
 */
const maxZones = 16_000;
const maxMembers = 32_000;
const maxDeviceAliases = 20_000;
/** Once in the full and once in the active database. */
const copies = 2;

/**
 * What NX-OS would refuse, or could not be undone, found before anything is sent. All of it at once.
 * @throws {DeviceError} `refused`.
 */
export function refuseBeyondLimits(
  device: string,
  database: MdsDatabase,
  edit: ZoningEdit,
  choice: AliasChoice,
): void {
  const problems = [
    ...nameProblems(database, edit, choice),
    ...memberProblems(database, edit, choice),
    ...aliasProblems(database, edit, choice),
    ...countProblems(database, edit),
    ...sizeProblems(database, edit),
  ];
  if (problems.length === 0) return;
  throw new DeviceError({
    kind: "refused",
    device,
    operation: "change the zoning",
    object: edit.enable === undefined ? undefined : `in zoneset ${edit.enable}`,
    reason: problems.join("; "),
    remedy: "Nothing was sent to the switch.",
  });
}

function nameProblems(database: MdsDatabase, edit: ZoningEdit, choice: AliasChoice): string[] {
  const kinds = kindsAfter(database, edit, choice);
  const zones = [
    ...edit.createZones.keys(),
    ...edit.replaceZones.keys(),
    ...edit.removeZones,
    ...edit.join,
  ];
  const zonesets = [...edit.leave.keys(), ...(edit.enable === undefined ? [] : [edit.enable])];
  const aliases = [
    ...edit.createAliases.keys(),
    ...edit.replaceAliases.keys(),
    ...edit.removeAliases,
  ];
  const wrong = [
    ...zones.filter((name) => !isNxosName("zone", name)).map((name) => `zone ${name}`),
    ...zonesets.filter((name) => !isNxosName("zoneset", name)).map((name) => `zoneset ${name}`),
    ...aliases
      .filter((name) => !isNxosName(kinds.get(name) ?? "fcalias", name.replace(/^fcalias /, "")))
      .map((name) => `alias ${name}`),
  ];
  return [...new Set(wrong)].map(
    (what) => `${what} is no name for NX-OS (up to 64 letters, digits and $ - ^ _, a letter first)`,
  );
}

function memberProblems(database: MdsDatabase, edit: ZoningEdit, choice: AliasChoice): string[] {
  const kinds = kindsAfter(database, edit, choice);
  return [...edit.createZones, ...edit.replaceZones].flatMap(([zone, wanted]) => {
    const was = database.state.zones.get(zone)?.members ?? [];
    return [...wanted, ...was]
      .filter((member) => wanted.includes(member) !== was.includes(member))
      .filter((member) => memberOf(member, kinds) === undefined)
      .map(
        (member) =>
          `zone ${zone} would gain or lose the member "${member}", which is not an alias, WWN or FC ID of this fabric`,
      );
  });
}

function aliasProblems(database: MdsDatabase, edit: ZoningEdit, choice: AliasChoice): string[] {
  const kinds = kindsAfter(database, edit, choice);
  const taken = wwpnsOfDeviceAliases(database);
  const problems: string[] = [];
  for (const [name, members] of [...edit.createAliases, ...edit.replaceAliases]) {
    if (kinds.get(name) !== "device-alias") {
      if (!database.hasFcaliases) {
        problems.push(`alias ${name} can only be an fcalias here, and the switch has none`);
      }
      continue;
    }
    const [wwpn] = members;
    if (members.length !== 1 || wwpn === undefined) {
      problems.push(
        `device alias ${name} would have ${members.length.toString()} WWPNs: it has exactly one`,
      );
      continue;
    }
    const owner = taken.get(wwpn);
    if (owner !== undefined && owner !== name && !edit.removeAliases.includes(owner)) {
      problems.push(
        `${wwpn} already has the device alias ${owner}, and can have no second one: set aliases to fcalias for this device`,
      );
    }
    if (!database.aliasStatus.enhanced) {
      problems.push(
        `device alias ${name} would not stay in its zone: the fabric's device aliases are in basic mode. Set aliases to fcalias for this device`,
      );
    }
  }
  return problems;
}

function countProblems(database: MdsDatabase, edit: ZoningEdit): string[] {
  const { zones, aliases } = database.state;
  const zonesAfter = zones.size + edit.createZones.size - edit.removeZones.length;
  const changed = new Map([...edit.createZones, ...edit.replaceZones]);
  const removed = new Set(edit.removeZones);
  let members = [...changed.values()].reduce((sum, list) => sum + list.length, 0);
  for (const [name, zone] of zones) {
    if (!changed.has(name) && !removed.has(name)) members += zone.members.length;
  }
  const deviceAliases = [...aliases.keys()].filter(
    (n) => database.kinds.get(n) === "device-alias",
  ).length;
  const grows = edit.createZones.size > 0;
  const over = (what: string, count: number, limit: number): string[] =>
    grows && count > limit
      ? [`the VSAN would have ${count.toString()} ${what}, the fabric takes ${limit.toString()}`]
      : [];
  return [
    ...over("zones", zonesAfter, maxZones),
    ...over("zone members", members, maxMembers),
    ...over("device aliases", deviceAliases + edit.createAliases.size, maxDeviceAliases),
  ];
}

/** The switch tells what is used of what there is; how much an object takes is estimated on the safe side. */
function sizeProblems(database: MdsDatabase, edit: ZoningEdit): string[] {
  const { usedBytes, maxBytes } = database.status;
  if (usedBytes === undefined || maxBytes === undefined) return [];
  const needed = BigInt(estimatedBytes(edit) * copies);
  const left = maxBytes - usedBytes;
  if (needed <= left) return [];
  return [
    `the zoning database has ${left.toString()} of ${maxBytes.toString()} bytes left, the change needs about ${needed.toString()}`,
  ];
}

function estimatedBytes(edit: ZoningEdit): number {
  return [...edit.createAliases, ...edit.createZones]
    .map(([name, members]) => name.length + 24 + members.length * 72)
    .reduce((sum, bytes) => sum + bytes, 0);
}
