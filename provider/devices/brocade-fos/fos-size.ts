import { DeviceError } from "../../../bed/errors";
import type { ZoningEdit } from "../zoning-edit";
import type { FosDatabase } from "./zoning-database";

/**
 * Bytes that an edit adds to the database: names and members as text with separators, each name of a zone
 * once more in its configuration. An estimate from above; what the switch counts is not published. Pure.
 */
function estimatedBytes(edit: ZoningEdit): number {
  const objects = [
    ...edit.createAliases,
    ...edit.createZones,
    ...edit.replaceAliases,
    ...edit.replaceZones,
  ].map(([name, members]) => name.length + 8 + members.join(";").length);
  const joining = edit.join.map((name) => name.length + 1);
  return [...objects, ...joining].reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * Checked before anything is staged: a database that is full fails at the commit, on every switch of the
 * fabric (limits: YANG brocade-zone, db-max and db-avail). What is removed in the same edit counts for
 * nothing: it is free only afterwards.
 * @throws {DeviceError} `refused` with both figures.
 */
export function refuseOversize(device: string, base: FosDatabase, edit: ZoningEdit): void {
  const needed = estimatedBytes(edit);
  if (base.availableBytes === undefined || needed <= base.availableBytes) return;
  throw new DeviceError({
    kind: "refused",
    device,
    operation: "change the zoning in",
    object: edit.enable,
    reason: `the zoning database has ${base.availableBytes.toString()} bytes left`,
    expected: `about ${needed.toString()} bytes`,
    remedy: "Remove aliases and zones that nobody uses (cfgsize shows the sizes).",
  });
}
