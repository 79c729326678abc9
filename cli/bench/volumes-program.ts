import { readFileSync } from "node:fs";
import type { Site } from "../../bed/site";
import * as sanbed from "../../provider/sdk";
import { programInput } from "./program-input";

export interface VolumesWanted {
  readonly bedId: string;
  readonly folder: string;
  readonly site: Pick<Site, "devices" | "array">;
  readonly volumes: number;
}

/** Pulumi program that makes many volumes in one set, and nothing else. */
const wanted = JSON.parse(readFileSync(programInput, "utf8")) as VolumesWanted;
const { bedId, folder, site, volumes } = wanted;
const { device, ports, pools } = site.array;
const provider = new sanbed.Provider("bed", {
  bedId,
  folder,
  devices: { [device]: site.devices[device] },
});
const targets = new sanbed.array.Targets(
  "targets",
  {
    device,
    target: "bench_volumes",
    mode: "create",
    protocol: "fcp",
    ports: Object.fromEntries(
      ports.map(({ key, controller, port }) => [key, { name: key, controller, port }]),
    ),
    pools: pools.map((pool) => pool.name),
  },
  { provider },
);
new sanbed.array.VolumeSet(
  "volumes",
  {
    device,
    target: targets.target,
    thin: true,
    volumes: Object.fromEntries(
      Array.from({ length: volumes }, (_, index) => [
        `v${index.toString()}`,
        {
          name: `bench_${index.toString().padStart(4, "0")}`,
          sizeBytes: (1024 ** 3).toString(),
          pool: pools[index % pools.length]?.name ?? "",
        },
      ]),
    ),
  },
  { provider, customTimeouts: { create: "10m" } },
);
