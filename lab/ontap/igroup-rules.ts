import { parseWwpn, type Wwpn } from "../../bed/identities";
import type { ArrayContext } from "./context";
import { NotModelled, OntapFault } from "./faults";

/**
 * A WWPN of an initiator: 16 hex digits in any usual spelling, stored in lower case with colons
 * (netapp.ontap#191).
 * @throws {OntapFault} for anything else.
 */
export function initiatorName(given: string): Wwpn {
  if (/^(?:iqn|eui)\./i.test(given)) throw new NotModelled("iSCSI initiators");
  const wwpn = parseWwpn(given);
  if (wwpn !== undefined) return wwpn;
  const digits = /^[0-9a-f:. -]+$/i.test(given);
  throw new OntapFault(
    digits ? "5373983" : "5373993",
    digits
      ? `"${given}" is not a valid WWPN: eight pairs of hexadecimal digits are expected.`
      : `The initiator name "${given}" has an unknown format.`,
    "name",
  );
}

/** @throws {OntapFault} when a request names an initiator twice. */
export function initiatorNames(given: readonly string[]): Wwpn[] {
  const names = given.map(initiatorName);
  if (new Set(names).size < names.length) {
    throw new OntapFault("5374917", "The request names an initiator more than once.", "initiators");
  }
  return names;
}

/**
 * An initiator sees a LUN through one initiator group only, and one LUN per number.
 * @throws {OntapFault} when the groups in `maps` of one initiator would break that.
 */
export function checkViews(
  ctx: ArrayContext,
  initiators: readonly Wwpn[],
  groupId: string,
  added: readonly { readonly volumeId: string; readonly lun: number }[],
): void {
  for (const map of ctx.view.maps) {
    if (map.groupId === groupId) continue;
    const group = ctx.view.groups[map.groupId];
    const shared = group?.initiators.find((wwpn) => initiators.includes(wwpn));
    if (group === undefined || shared === undefined) continue;
    if (added.some((add) => add.volumeId === map.volumeId)) {
      throw new OntapFault(
        "1254193",
        `The initiator "${shared}" already has the LUN through initiator group "${group.name}".`,
      );
    }
    if (added.some((add) => add.lun === map.lun)) {
      throw new OntapFault(
        "1254324",
        `LUN number ${map.lun.toString()} of initiator "${shared}" is in use by initiator group "${group.name}".`,
      );
    }
  }
}
