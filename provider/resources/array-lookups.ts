import { z } from "zod";
import { DeviceError } from "../../bed/errors";
import { fn } from "../kit/handler";
import type { BedContext } from "./context";

const byDevice = z.object({ device: z.string().describe("Name of the array in the bed.") });

const facts = z.object({
  vendor: z.string(),
  model: z.string(),
  name: z.string(),
  software: z.string().describe("Release, as the array prints it."),
  controllers: z.record(z.string(), z.string()).describe("State of each controller, by name."),
  licences: z.array(z.string()).describe("Licensed packages, as far as the array tells."),
});

/** What the array is. */
export const getArrayFacts = fn<BedContext, typeof byDevice, typeof facts>({
  token: "sanbed:array:getArrayFacts",
  description: "Model, release, controllers and licences of an array.",
  inputs: byDevice,
  outputs: facts,
  async invoke(call, args) {
    const { controllers, licences, ...rest } = await call.context.array(args.device).facts(call);
    return {
      ...rest,
      licences: [...licences],
      controllers: Object.fromEntries(controllers.map((one) => [one.name, one.state])),
    };
  },
});

const byTenant = byDevice.extend({ target: z.string().describe("Storage tenant.") });

const port = z
  .object({
    name: z.string(),
    wwpn: z.string(),
    wwnn: z.string(),
    controller: z.string(),
    port: z.string().describe("Physical port behind it."),
    online: z.boolean(),
  })
  .meta({ id: "TargetPortInfo" });

const ports = z.object({ ports: z.record(z.string(), port).describe("The ports, by name.") });

/** The target ports of a tenant. */
export const getTargetPorts = fn<BedContext, typeof byTenant, typeof ports>({
  token: "sanbed:array:getTargetPorts",
  description: "Target ports of a storage tenant.",
  inputs: byTenant,
  outputs: ports,
  async invoke(call, args) {
    const scope = { bedId: call.context.bedId, target: args.target };
    const list = await call.context.array(args.device).targets.list(call, scope);
    return {
      ports: Object.fromEntries(
        list.map(({ name, wwpn, wwnn, controller, physicalPort, online }) => [
          name,
          { name, wwpn, wwnn, controller, port: physicalPort, online },
        ]),
      ),
    };
  },
});

const byPool = byDevice.extend({ name: z.string().describe("Name of the pool on the array.") });

const poolFacts = z.object({
  name: z.string(),
  controller: z.string().optional(),
  sizeBytes: z.string().describe("Usable size in bytes."),
  freeBytes: z.string().describe("Free space in bytes, now."),
});

/** A pool that exists. */
export const getPool = fn<BedContext, typeof byPool, typeof poolFacts>({
  token: "sanbed:array:getPool",
  description: "A pool that exists on an array.",
  inputs: byPool,
  outputs: poolFacts,
  async invoke(call, args) {
    const pools = await call.context.array(args.device).pools(call);
    const found = pools.find((one) => one.name === args.name);
    if (found === undefined) {
      throw new DeviceError({
        kind: "notFound",
        device: args.device,
        operation: "read pool",
        object: args.name,
        reason: "the array has no such pool",
        expected: `one of ${pools.map((one) => one.name).join(", ")}`,
        remedy: "Correct the name.",
      });
    }
    return {
      name: found.name,
      ...(found.controller === undefined ? {} : { controller: found.controller }),
      sizeBytes: found.sizeBytes.toString(),
      freeBytes: found.freeBytes.toString(),
    };
  },
});
