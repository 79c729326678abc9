import { labError } from "../emulator/lab-error";
import type { Json } from "../world/state";
import type { LogicalSwitch } from "./logical-switches";
import { zoneMember } from "./members";
import type { FosParts } from "./parts";

export type Args = Readonly<Record<string, Json>>;

/** Logical switch of an action: the one that `fid` names, else the bed's. */
export function logicalOf({ logical }: FosParts, args: Args): LogicalSwitch {
  const { fid } = args;
  if (fid === undefined) return logical.first();
  const found = logical.all().find((one) => one.fid === fid);
  if (found === undefined)
    throw labError(`no logical switch with fabric id ${JSON.stringify(fid)}`);
  return found;
}

export function text(args: Args, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw labError(`the action needs "${name}"`);
  return value;
}

export function members(args: Args): string[] {
  const list = args["members"];
  if (!Array.isArray(list)) throw labError('the action needs "members"');
  return list.map((member) => zoneMember(typeof member === "string" ? member : ""));
}
