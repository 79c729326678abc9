import { labError } from "../emulator/lab-error";
import type { Args } from "../emulator/tamper-ports";
import type { MdsParts } from "./parts";
import type { ZoneControl } from "./zone-control";

/** VSAN of the action: the one named, else the switch's first with zones (the bed's). */
export function zoningOf(parts: MdsParts, args: Args): ZoneControl {
  const { controls } = parts.context;
  const vsans = controls.vsans();
  const usual = vsans.find((vsan) => controls.zoning(vsan)?.committed.active !== undefined);
  const wanted = typeof args["vsan"] === "number" ? args["vsan"] : (usual ?? vsans.at(-1) ?? 1);
  const zoning = controls.zoning(wanted);
  if (zoning === undefined) throw labError(`no VSAN ${wanted.toString()}`);
  return zoning;
}

export function members(args: Args): string[] {
  const list = args["members"];
  if (!Array.isArray(list) || list.some((member) => typeof member !== "string")) {
    throw labError('the action needs "members"');
  }
  return list as string[];
}
