import { labError } from "../emulator/lab-error";
import type { Args } from "../emulator/tamper-ports";
import type { LogicalSwitch } from "./logical-switches";
import { zoneMember } from "./members";
import type { FosParts } from "./parts";

/** Logical switch of an action: the one that `fid` names, else the bed's. */
export function logicalOf({ logical }: FosParts, args: Args): LogicalSwitch {
  const { fid } = args;
  if (fid === undefined) return logical.first();
  const found = logical.all().find((one) => one.fid === fid);
  if (found === undefined)
    throw labError(`no logical switch with fabric id ${JSON.stringify(fid)}`);
  return found;
}

export function members(args: Args): string[] {
  const list = args["members"];
  if (!Array.isArray(list)) throw labError('the action needs "members"');
  return list.map((member) => zoneMember(typeof member === "string" ? member : ""));
}
