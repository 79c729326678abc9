import { z } from "zod";
import { fn } from "../kit/handler";
import type { BedContext } from "./context";

const login = z
  .object({
    wwpn: z.string(),
    wwnn: z.string(),
    portId: z.string().describe("Fabric address, six hex digits."),
    role: z.string().optional().describe("`initiator`, `target` or `both`, where registered."),
    physicalWwpn: z.string().optional().describe("Port behind a virtual (NPIV) login."),
    symbolicName: z.string(),
  })
  .meta({ id: "FabricLogin" });

const inputs = z.object({ device: z.string().describe("Name of the switch in the bed.") });
const outputs = z.object({
  switchName: z.string(),
  firmware: z.string(),
  logins: z.record(z.string(), login).describe("Everything logged in to the fabric, by WWPN."),
});

/** Who is logged in to a fabric. */
export const getFabricLogins = fn<BedContext, typeof inputs, typeof outputs>({
  token: "sanbed:fabric:getFabricLogins",
  description: "Ports that are logged in to a fabric, from its name server.",
  inputs,
  outputs,
  async invoke(call, args) {
    const fabric = call.context.fabric(args.device);
    const [facts, logins] = await Promise.all([fabric.facts(call), fabric.logins(call)]);
    return {
      switchName: facts.switchName,
      firmware: facts.firmware,
      logins: Object.fromEntries(logins.map((entry) => [entry.wwpn, { ...entry }])),
    };
  },
});
