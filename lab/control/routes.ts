import { z } from "zod";
import { ConfigError } from "../../bed/errors";
import { faultRuleSchema } from "../emulator/faults";
import type { LabStatus, RunningLab } from "../running-lab";
import type { Route, ControlRequest } from "./route";
import type { Json } from "../world/state";
import { ControlError } from "./control-error";
import { worldRoutes } from "./world-routes";

export function controlRoutes(lab: RunningLab): readonly Route[] {
  return [...labRoutes(lab), ...faultRoutes(lab), ...guestRoutes(lab), ...worldRoutes(lab)];
}

function status(lab: RunningLab): LabStatus {
  const served = lab.emulators.map(({ emulator, port }): [string, number] => [
    emulator.device,
    port,
  ]);
  if (lab.san !== undefined) served.push(["vcenter", lab.ports.devices["vcenter"] ?? 0]);
  return {
    level: lab.level,
    missing: lab.probe.missing,
    startedAt: lab.startedAt,
    dir: lab.folder.path,
    processes: { daemon: process.pid, san: lab.san?.pid ?? null },
    endpoints: Object.fromEntries(
      served.map(([device, port]) => [device, `https://127.0.0.1:${port.toString()}`]),
    ),
    emulators: Object.fromEntries(
      lab.emulators.map(({ emulator }) => [
        emulator.device,
        {
          kind: emulator.kind,
          unknownRoutes: lab.requests.unknownRoutes(emulator.device),
          state: emulator.status(),
        },
      ]),
    ),
    guests: lab.guests?.status() ?? [],
    revision: lab.world.revision,
  };
}

function labRoutes(lab: RunningLab): Route[] {
  return [
    { method: "GET", path: "/status", run: () => status(lab) },
    { method: "GET", path: "/inventory", run: () => lab.inventory() },
    { method: "POST", path: "/reset", run: () => lab.reset() },
    { method: "POST", path: "/down", run: () => undefined },
    {
      method: "GET",
      path: "/requests",
      run: ({ query }) => {
        const device = query.get("device") ?? undefined;
        return lab.requests.list(device, Number(query.get("since") ?? 0));
      },
    },
    { method: "GET", path: "/san/*", run: (request) => sanCall(lab, "GET", request) },
    { method: "POST", path: "/san/*", run: (request) => sanCall(lab, "POST", request) },
    { method: "DELETE", path: "/san/*", run: (request) => sanCall(lab, "DELETE", request) },
  ];
}

async function sanCall(lab: RunningLab, method: string, request: ControlRequest): Promise<unknown> {
  if (lab.san === undefined) throw new ControlError(501, "this lab has no SAN process");
  const answer = await lab.san.call(method, request.params["*"] ?? "", request.body);
  if (answer.status >= 400) {
    const body = answer.body as { error?: unknown } | string;
    const text = typeof body === "string" ? body : body.error;
    throw new ControlError(answer.status, typeof text === "string" ? text : "refused");
  }
  return answer.body;
}

const tamperSchema = z.looseObject({ device: z.string(), action: z.string() });

function faultRoutes(lab: RunningLab): Route[] {
  return [
    { method: "GET", path: "/faults", run: () => lab.faults.list() },
    {
      method: "POST",
      path: "/faults",
      run: ({ body }) => {
        const rule = parsed(faultRuleSchema, body, "the fault rule");
        const known = lab.emulators.map(({ emulator }) => emulator.device);
        if (rule.device !== "*" && !known.includes(rule.device)) {
          throw new ControlError(
            404,
            `no emulator "${rule.device}"; there are ${known.join(", ")}`,
          );
        }
        return { id: lab.faults.add(rule) };
      },
    },
    {
      method: "DELETE",
      path: "/faults/:id",
      run: ({ params }) => {
        if (!lab.faults.remove(params["id"] ?? "")) throw new ControlError(404, "no such rule");
      },
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

const powerOffSchema = z.object({ hard: z.boolean().default(false) });

function guestRoutes(lab: RunningLab): Route[] {
  const guests = (): NonNullable<RunningLab["guests"]> => {
    if (lab.guests === undefined) {
      throw new ControlError(501, `a lab of level ${lab.level} runs no guests`);
    }
    return lab.guests;
  };
  return [
    {
      method: "POST",
      path: "/guests/:vm/power-on",
      run: ({ params, body }) => guests().powerOn(params["vm"] ?? "", body),
    },
    {
      method: "POST",
      path: "/guests/:vm/power-off",
      run: ({ params, body }) => {
        const { hard } = parsed(powerOffSchema, body ?? {}, "the request");
        return guests().powerOff(params["vm"] ?? "", hard);
      },
    },
    {
      method: "DELETE",
      path: "/guests/:vm",
      run: ({ params }) => guests().remove(params["vm"] ?? ""),
    },
  ];
}

function parsed<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message })),
    `${what} has problems`,
  );
}
