import type { ReviewBed } from "../../bed/review-bed";
import { parseSite, type Site } from "../../bed/site";
import { exampleSite } from "./example-site";

/** Controllers, pools and target ports of the example array of a family, as its people name them. */
const arrays: Readonly<
  Record<
    ReviewBed["array"]["family"],
    { controllers: readonly [string, string]; pools: readonly [string, string]; freeBytes: string }
  >
> = {
  ontap: {
    controllers: ["node1", "node2"],
    pools: ["aggr1", "aggr2"],
    freeBytes: "16 TB",
  },
  santricity: { controllers: ["A", "B"], pools: ["group_a", "group_b"], freeBytes: "6 TB" },
  eternus: { controllers: ["CM0", "CM1"], pools: ["rg_0", "rg_1"], freeBytes: "12 TB" },
  xcubesan: { controllers: ["c1", "c2"], pools: ["pool_1", "pool_2"], freeBytes: "6 TB" },
};

/**
 * An example site that has the array of a bed: eight hosts in two clusters, two ports each, as many
 * target ports as the bed's review counts (four where it counts none).
 */
export function planSite(bed: ReviewBed, hosts = 8): Site {
  const { family } = bed.array;
  const { controllers, pools, freeBytes } = arrays[family];
  const base = exampleSite(hosts, 64);
  const perController = (bed.array.targetPorts ?? 4) / controllers.length;
  const template = base.templates["sysbench"];
  return parseSite({
    ...base,
    devices: {
      ...base.devices,
      array: { ...base.devices["array"], kind: family },
    },
    array: {
      device: "array",
      family,
      ...(family === "ontap" ? { target: { mode: "create" } } : {}),
      ports: controllers.flatMap((controller) =>
        Array.from({ length: perController }, (_, index) => ({
          key: `${controller.toLowerCase()}_${(index + 1).toString()}`,
          controller,
          port: `p${(index + 1).toString()}`,
          fabric: index % 2 === 0 ? "A" : "B",
        })),
      ),
      pools: controllers.map((controller, index) => ({
        name: pools[index],
        controller,
        freeBytes,
      })),
    },
    hosts: base.hosts.map((host) => ({
      ...host,
      nqn: `nqn.2014-08.com.vmware:nvme:${host.name.split(".")[0] ?? ""}`,
    })),
    templates: Object.fromEntries(
      ["sysbench", "sqlserver", "sqldriver", "vdbench"].map((name) => [name, template]),
    ),
  });
}
