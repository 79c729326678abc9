import { z } from "zod";
import type { LabStatus, RunningLab } from "../running-lab";
import type { Route, ControlRequest } from "./route";
import { ControlError } from "./control-error";
import { faultRoutes } from "./fault-routes";
import { parsed } from "./parsed";
import { sanCall } from "./san-call";
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
    shape: lab.shape,
    vsphere: lab.profiles.get("vcenter") ?? "",
    processes: { daemon: lab.pid, san: lab.san?.pid ?? null },
    endpoints: Object.fromEntries(
      served.map(([device, port]) => [device, `https://127.0.0.1:${port.toString()}`]),
    ),
    emulators: Object.fromEntries(
      lab.emulators.map(({ emulator }) => [
        emulator.device,
        {
          kind: emulator.kind,
          profile: lab.profiles.get(emulator.device) ?? "",
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
        const since = Number(query.get("since") ?? 0);
        const known = [...lab.emulators.map(({ emulator }) => emulator.device), "vcenter"];
        if (device !== undefined && !known.includes(device)) {
          throw new ControlError(404, `no device "${device}"; there are ${known.join(", ")}`);
        }
        return device === "vcenter"
          ? sanCall(lab, "GET", `requests?since=${since.toString()}`)
          : lab.requests.list(device, since);
      },
    },
    { method: "GET", path: "/san/*", run: (request) => handOn(lab, "GET", request) },
    { method: "POST", path: "/san/*", run: (request) => handOn(lab, "POST", request) },
    { method: "DELETE", path: "/san/*", run: (request) => handOn(lab, "DELETE", request) },
  ];
}

function handOn(lab: RunningLab, method: string, request: ControlRequest): Promise<unknown> {
  const query = request.query.size === 0 ? "" : `?${request.query.toString()}`;
  return sanCall(lab, method, `${request.params["*"] ?? ""}${query}`, request.body);
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
