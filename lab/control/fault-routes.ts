import { z } from "zod";
import { type FaultRule, faultRuleSchema } from "../emulator/faults";
import type { RunningLab } from "../running-lab";
import type { Json } from "../world/state";
import { ControlError } from "./control-error";
import { parsed } from "./parsed";
import type { Route } from "./route";
import { sanCall } from "./san-call";

const tamperSchema = z.looseObject({ device: z.string(), action: z.string() });

/** Faults, latency and tampering. Rules for the vCenter are kept by the SAN process. */
export function faultRoutes(lab: RunningLab): Route[] {
  return [
    { method: "GET", path: "/faults", run: () => listFaults(lab) },
    { method: "POST", path: "/faults", run: ({ body }) => addFault(lab, body) },
    {
      method: "DELETE",
      path: "/faults/:id",
      run: ({ params }) => removeFault(lab, params["id"] ?? ""),
    },
    {
      method: "GET",
      path: "/tamper",
      run: () =>
        Object.entries(lab.tamperActions()).flatMap(([device, actions]) =>
          Object.entries(actions).map(([action, { description }]) => ({
            device,
            action,
            description,
          })),
        ),
    },
    {
      method: "POST",
      path: "/tamper",
      run: ({ body }) => {
        const request = parsed(tamperSchema, body, "the request");
        const action = lab.tamperActions()[request.device]?.[request.action];
        if (action === undefined) {
          throw new ControlError(404, `"${request.device}" has no action "${request.action}"`);
        }
        return action.run(request as Record<string, Json>);
      },
    },
  ];
}

async function listFaults(lab: RunningLab): Promise<unknown> {
  const theirs = lab.san === undefined ? [] : ((await sanCall(lab, "GET", "faults")) as unknown[]);
  return [...lab.faults.list(), ...theirs];
}

/** A rule for `*` is one rule in each of the two processes; its id names both. */
async function addFault(lab: RunningLab, body: unknown): Promise<{ id: string }> {
  const rule = parsed<FaultRule>(faultRuleSchema, body, "the fault rule");
  const known = lab.emulators.map(({ emulator }) => emulator.device);
  if (lab.san !== undefined) known.push("vcenter");
  if (rule.device !== "*" && !known.includes(rule.device)) {
    throw new ControlError(404, `no device "${rule.device}"; there are ${known.join(", ")}`);
  }
  const ids: string[] = [];
  if (lab.san !== undefined && (rule.device === "*" || rule.device === "vcenter")) {
    const { id } = (await sanCall(lab, "POST", "faults", rule)) as { id: string };
    ids.push(id);
  }
  if (rule.device !== "vcenter") ids.push(lab.faults.add(rule));
  return { id: ids.join("+") };
}

async function removeFault(lab: RunningLab, id: string): Promise<void> {
  for (const part of id.split("+")) {
    if (part.startsWith("vcenter-")) await sanCall(lab, "DELETE", `faults/${part}`);
    else if (!lab.faults.remove(part)) throw new ControlError(404, `no fault rule "${part}"`);
  }
}
