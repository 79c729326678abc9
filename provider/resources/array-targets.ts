import { z } from "zod";
import { DeviceError, isDeviceError, type Problem } from "../../bed/errors";
import type { Scope, TargetPort } from "../devices/block-array";
import { resource, type ResourceCall } from "../kit/handler";
import { unknownValue } from "../kit/values";
import { deleteAfterRemains, emptyTenant } from "./array-remains";
import type { BedContext } from "./context";

const port = z
  .object({
    name: z.string().min(1).describe("Name of the port on the array."),
    controller: z.string().min(1).describe("Controller that it lives on."),
    port: z.string().min(1).describe("Physical port behind it, `2a`."),
  })
  .meta({ id: "TargetsPort" });

const inputs = z.object({
  device: z.string().describe("Name of the array in the bed."),
  target: z.string().min(1).describe("Storage tenant that owns service, ports and volumes."),
  mode: z
    .enum(["create", "use"])
    .describe(
      "`create`: tenant, service and ports are made and removed. `use`: they are the site's.",
    )
    .meta({ id: "TargetsMode" }),
  protocol: z
    .enum(["fcp", "nvme-fc"])
    .describe("Data protocol; a tenant serves one.")
    .meta({ id: "TargetsProtocol" }),
  ports: z.record(z.string(), port).describe("Target ports, by a key of your choice."),
  pools: z.array(z.string()).describe("Pools that the tenant may use; ignored with `use`."),
});

const madePort = z
  .object({
    name: z.string(),
    wwpn: z.string().describe("What hosts are zoned with."),
    wwnn: z.string(),
    controller: z.string(),
    port: z.string(),
  })
  .meta({ id: "TargetPort" });

const state = inputs.extend({
  targetPorts: z.record(z.string(), madePort).describe("The ports, by the same keys."),
});

/** Stands for a text that is not known before it is made. */
const unknownText = unknownValue as unknown as string;

type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;

/** Tenant, service and target ports on an array; or a look at those that the site already has. */
export const targets = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:array:Targets",
  description: "Storage tenant with its service and target ports, made by us or the site's own.",
  inputs,
  state,
  replaceOn: ["device", "target", "mode", "protocol"],
  deleteBeforeReplace: true,
  refuse: movedPorts,
  plan: ({ ports }, olds) =>
    ports === undefined ? {} : { targetPorts: plannedPorts(ports, olds) },
  async create(call, args) {
    const id = `${args.device}/${args.target}`;
    const ports = await ensure(call, args, () => {
      call.began(id, { ...args, targetPorts: {} });
    });
    return { id, state: { ...args, targetPorts: ports } };
  },
  async update(call, id, olds, news) {
    const ports = await ensure(call, news, () => {
      call.began(id, { ...olds, ...news });
    });
    return { ...news, targetPorts: ports };
  },
  async read(call, id, recorded) {
    const [device = "", target = ""] = id.split("/");
    const scope = recorded ?? { device, target };
    const all = await listOrNone(call, scope);
    if (all === undefined) return undefined;
    const args = recorded ?? imported(call, scope, all);
    const present = all.filter((one) => one.protocol === args.protocol);
    const seen: Inputs["ports"] = {};
    const made: State["targetPorts"] = {};
    for (const [key, wanted] of Object.entries(args.ports)) {
      const found = match(args.mode, wanted, present);
      // Switched off behind our back is as good as gone: up switches it on again.
      if (found?.enabled !== true) continue;
      made[key] = toOutput(found);
      seen[key] =
        args.mode === "use"
          ? wanted
          : { name: found.name, controller: found.controller, port: found.physicalPort };
    }
    const read: Inputs = { ...args, ports: seen };
    return { id, inputs: stripOutputs(read), state: { ...stripOutputs(read), targetPorts: made } };
  },
  async delete(call, _id, olds) {
    if (olds.mode === "use") return;
    await deleteAfterRemains(
      () => call.context.array(olds.device).targets.remove(call, scopeOf(call, olds)),
      () => emptyTenant(call, olds.device, olds.target),
    );
  },
});

/** A port keeps its WWPN: adding another one leaves it known in a preview. */
function plannedPorts(
  ports: Inputs["ports"],
  olds: State | undefined,
): Record<string, z.infer<typeof madePort>> {
  return Object.fromEntries(
    Object.entries(ports).map(([key, wanted]) => {
      const old = olds?.targetPorts[key];
      const made = { ...wanted, wwpn: unknownText, wwnn: unknownText };
      return [key, old?.name === wanted.name ? old : made];
    }),
  );
}

async function ensure(
  call: ResourceCall<BedContext>,
  args: Inputs,
  onWrite: () => void,
): Promise<State["targetPorts"]> {
  const array = call.context.array(args.device);
  const scope = scopeOf(call, args);
  if (args.mode === "create") {
    const { protocol, ports, pools } = args;
    const made = await array.targets.ensure(
      { ...call, onWrite },
      { ...scope, protocol, ports, pools },
    );
    return Object.fromEntries(Object.entries(made).map(([key, one]) => [key, toOutput(one)]));
  }
  const all = await array.targets.list(call, scope);
  const present = all.filter((one) => one.protocol === args.protocol);
  return Object.fromEntries(
    Object.entries(args.ports).map(([key, wanted]) => {
      const found = match("use", wanted, present);
      if (found === undefined) throw noSuchPort(args, wanted, present);
      return [key, toOutput(found)];
    }),
  );
}

/** A port of the site may have any name: then the place decides, where only one port is at it. Pure. */
function match(
  mode: Inputs["mode"],
  wanted: z.infer<typeof port>,
  present: readonly TargetPort[],
): TargetPort | undefined {
  const named = present.find((candidate) => candidate.name === wanted.name);
  if (named !== undefined || mode === "create") return named;
  const there = present.filter(
    (candidate) =>
      candidate.controller === wanted.controller && candidate.physicalPort === wanted.port,
  );
  return there.length === 1 ? there[0] : undefined;
}

function noSuchPort(
  args: Inputs,
  wanted: z.infer<typeof port>,
  present: readonly TargetPort[],
): DeviceError {
  const list = present.map((one) => `${one.name} on ${one.controller}:${one.physicalPort}`);
  return new DeviceError({
    kind: "notFound",
    device: args.device,
    operation: `use target port of ${args.target}`,
    object: wanted.name,
    reason: `there is no port of this name, and not exactly one on ${wanted.controller}:${wanted.port}`,
    expected: `one of ${list.join(", ")}`,
    remedy: "Correct the site's list of target ports.",
  });
}

async function listOrNone(
  call: ResourceCall<BedContext>,
  args: { readonly device: string; readonly target: string },
): Promise<readonly TargetPort[] | undefined> {
  try {
    return await call.context.array(args.device).targets.list(call, scopeOf(call, args));
  } catch (error) {
    if (isDeviceError(error, "notFound")) return undefined;
    throw error;
  }
}

/** Import: everything is read-only (`use`) unless the ports carry our mark. */
function imported(
  call: ResourceCall<BedContext>,
  args: { readonly device: string; readonly target: string },
  present: readonly TargetPort[],
): Inputs {
  const ours = present.some((one) => one.bedId === call.context.bedId);
  return {
    device: args.device,
    target: args.target,
    mode: ours ? "create" : "use",
    protocol: present.some((one) => one.protocol === "nvme-fc") ? "nvme-fc" : "fcp",
    pools: [],
    ports: Object.fromEntries(
      present.map((one) => [
        one.name,
        { name: one.name, controller: one.controller, port: one.physicalPort },
      ]),
    ),
  };
}

function stripOutputs(args: Inputs): Inputs {
  const { device, target, mode, protocol, ports, pools } = args;
  return { device, target, mode, protocol, ports, pools };
}

function toOutput(one: TargetPort): State["targetPorts"][string] {
  return {
    name: one.name,
    wwpn: one.wwpn,
    wwnn: one.wwnn,
    controller: one.controller,
    port: one.physicalPort,
  };
}

function scopeOf(call: ResourceCall<BedContext>, args: { readonly target: string }): Scope {
  return { bedId: call.context.bedId, target: args.target };
}

/** A port does not move while hosts use it, and is not taken away from under them. */
function movedPorts(olds: State, news: Inputs): readonly Problem[] {
  if (olds.mode === "use") return [];
  return Object.entries(olds.ports).flatMap(([key, old]) => {
    const now = news.ports[key];
    const path = `ports.${key}`;
    if (now === undefined) {
      return [
        { path, message: "a target port goes only with the whole target", remedy: "keep it" },
      ];
    }
    const same =
      now.name === old.name && now.controller === old.controller && now.port === old.port;
    if (same) return [];
    return [
      {
        path,
        message: `port ${old.name} on ${old.controller}:${old.port} cannot become ${now.name} on ${now.controller}:${now.port}`,
        remedy: "keep it, and give the new port a key of its own",
      },
    ];
  });
}
