import { z } from "zod";
import { ControlError } from "./control-error";
import type { RunningLab } from "../running-lab";
import { fabricAt, place } from "../world/fabric";
import { parseWwpn } from "../../bed/identities";
import { reachableControllers, reachablePorts } from "../world/nvme";
import type { NvmeConnection, VmfsSignature } from "../world/state";
import { canonical } from "../world/inventory";
import { hostDevices } from "../world/visibility";
import type { ControlRequest, Route } from "./route";

const maxWaitMs = 60_000;
const connectionsSchema = z.array(
  z.strictObject({
    adapterWwpn: z.string(),
    targetWwpn: z.string(),
    subsystemNqn: z.string().min(1),
  }),
);
const vmfsSchema = z.strictObject({ uuid: z.string().min(1), label: z.string().min(1) });

/** The world as the SAN process reads it, and the little that it writes. */
export function worldRoutes(lab: RunningLab): Route[] {
  return [
    { method: "GET", path: "/world/vcenter", run: () => lab.world.view.vcenter },
    { method: "GET", path: "/world/hosts", run: () => hosts(lab) },
    {
      method: "GET",
      path: "/world/hosts/:host/devices",
      run: ({ params }) => devices(lab, params["host"] ?? ""),
    },
    {
      method: "GET",
      path: "/world/hosts/:host/nvme",
      run: ({ params }) => nvme(lab, params["host"] ?? ""),
    },
    {
      method: "PUT",
      path: "/world/hosts/:host/controllers",
      run: (request) => {
        connect(lab, request);
      },
    },
    {
      method: "GET",
      path: "/world/revision",
      run: async ({ query }) => {
        const timeoutMs = Math.min(Number(query.get("timeoutMs") ?? 0), maxWaitMs);
        const since = Number(query.get("since") ?? 0);
        return { revision: await lab.world.waitForRevision(since, timeoutMs) };
      },
    },
    {
      method: "PUT",
      path: "/world/volumes/:id/vmfs",
      run: (request) => {
        const result = vmfsSchema.safeParse(request.body);
        if (!result.success) throw new ControlError(400, 'the body must be { "uuid", "label" }');
        setVmfs(lab, request, result.data);
      },
    },
    {
      method: "DELETE",
      path: "/world/volumes/:id/vmfs",
      run: (request) => {
        setVmfs(lab, request, undefined);
      },
    },
  ];
}

function hosts(lab: RunningLab): unknown {
  const world = lab.world.view;
  return Object.values(world.hosts).map((host) => ({
    name: host.name,
    cluster: host.cluster,
    nqn: host.nqn ?? "",
    hbas: Object.values(host.hbas).map((hba) => ({
      device: hba.device,
      nvmeDevice: hba.nvmeDevice ?? "",
      wwpn: hba.wwpn,
      wwnn: hba.wwnn,
      model: hba.model,
      fabric: fabricAt(world, hba.cable)?.name ?? "",
      // Online as the host sees it: the port is up and a switch answers behind the cable.
      online: hba.online && place(world, hba.cable) !== undefined,
      speedGbps: hba.speedGbps,
    })),
  }));
}

function devices(lab: RunningLab, host: string): unknown {
  if (!Object.hasOwn(lab.world.view.hosts, host)) throw new ControlError(404, `no host "${host}"`);
  return hostDevices(lab.world.view, host).map((device) =>
    canonical({ ...device, contentDir: lab.folder.volume(device.volumeId) }),
  );
}

/** What a host's NVMe adapters can reach: ports that serve discovery, and controllers behind them. */
function nvme(lab: RunningLab, host: string): unknown {
  const world = lab.world.view;
  if (!Object.hasOwn(world.hosts, host)) throw new ControlError(404, `no host "${host}"`);
  return {
    ports: reachablePorts(world, host).map(({ adapter, targetWwpn, targetWwnn }) => ({
      ...{ adapter, targetWwpn, targetWwnn },
    })),
    controllers: reachableControllers(world, host).map(
      ({ adapter, adapterWwpn, targetWwpn, targetWwnn, ...one }) => ({
        ...{ adapter, adapterWwpn, targetWwpn, targetWwnn },
        ...{ subsystemNqn: one.subsystemNqn, serial: one.serial },
        ...{ model: one.model, firmware: one.firmware },
      }),
    ),
  };
}

/** Takes over which controllers a host says it is connected to. */
function connect(lab: RunningLab, request: ControlRequest): void {
  const name = request.params["host"] ?? "";
  const result = connectionsSchema.safeParse(request.body);
  const connections: NvmeConnection[] | undefined = result.data?.flatMap((one) => {
    const adapterWwpn = parseWwpn(one.adapterWwpn);
    const targetWwpn = parseWwpn(one.targetWwpn);
    if (adapterWwpn === undefined || targetWwpn === undefined) return [];
    return [{ adapterWwpn, targetWwpn, subsystemNqn: one.subsystemNqn }];
  });
  if (connections === undefined || connections.length < (result.data?.length ?? 0)) {
    throw new ControlError(
      400,
      'the body must be a list of { "adapterWwpn", "targetWwpn", "subsystemNqn" }',
    );
  }
  if (!Object.hasOwn(lab.world.view.hosts, name)) throw new ControlError(404, `no host "${name}"`);
  lab.world.change((state) => {
    const host = state.hosts[name];
    if (host !== undefined) host.nvmeConnections = connections;
  });
}

function setVmfs(lab: RunningLab, request: ControlRequest, vmfs: VmfsSignature | undefined): void {
  const id = request.params["id"] ?? "";
  lab.world.change((state) => {
    const volume = Object.values(state.arrays)
      .map((array) => array.volumes[id])
      .find((found) => found !== undefined);
    if (volume === undefined) throw new ControlError(404, `no volume "${id}"`);
    volume.vmfs = vmfs;
  });
}
