import { DeviceError } from "../../bed/errors";
import type { ZoningChange, ZoningState } from "./fabric-switch";
import { foreignDrift } from "./zoning-drift";
import { planEdit, type ZoningEdit } from "./zoning-edit";

/**
 * The edit that carries out a change on this database; undefined when everything is so already. Pure.
 * @throws {DeviceError} `refused` where the change may not be made: it would take the last zone, touch a
 * zone of a kind that is never ours, or put edits of somebody else into force.
 */
export function editOrRefusal(
  device: string,
  state: ZoningState,
  change: ZoningChange,
): ZoningEdit | undefined {
  const edit = planEdit(state, change);
  if (edit === undefined) return undefined;
  if ("refusal" in edit) {
    throw new DeviceError({ kind: "refused", device, operation: "change", ...edit.refusal });
  }
  const drift = edit.enable === undefined ? [] : foreignDrift(state, change);
  if (drift.length === 0) return edit;
  throw new DeviceError({
    kind: "refused",
    device,
    operation: "change the zoning in",
    object: edit.enable,
    reason: `its defined form holds edits of somebody else that are not in effect: ${drift.join("; ")}`,
    remedy: "Enable or take back those edits first: enabling ours would put them into force.",
  });
}
