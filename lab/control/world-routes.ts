import { z } from "zod";
import { ControlError } from "./control-error";
import type { RunningLab } from "../running-lab";
import { fabricAt, place } from "../world/fabric";
import type { VmfsSignature } from "../world/state";
import { canonical } from "../world/inventory";
import { hostDevices } from "../world/visibility";
import type { ControlRequest, Route } from "./route";

const maxWaitMs = 60_000;
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
    hbas: Object.values(host.hbas).map((hba) => ({
      device: hba.device,
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
