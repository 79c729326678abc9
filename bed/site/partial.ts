import type { z } from "zod";
import { arrayFamily, type DeviceConnection, deviceConnection } from "./device";
import { occupancy } from "./occupancy";
import { hba, host, pool, targetPort } from "./san";
import type { Site } from "./schema";
import { guests } from "./virtual";

/**
 * The sound parts of a site that may have mistakes elsewhere, so that what contradicts each other in
 * them is told together with the mistakes. What is not sound is undefined; places stay as they are.
 */
export interface PartialSite {
  readonly deviceNames: readonly string[];
  readonly devices: ReadonlyMap<string, DeviceConnection>;
  readonly fabrics: { readonly A: string | undefined; readonly B: string | undefined };
  readonly array: {
    readonly device: string | undefined;
    readonly family: string | undefined;
    readonly target: { readonly mode: unknown; readonly name: unknown } | undefined;
    readonly ports: readonly (Site["array"]["ports"][number] | undefined)[];
    readonly pools: readonly (Site["array"]["pools"][number] | undefined)[];
  };
  readonly hypervisor: {
    readonly device: string | undefined;
    readonly clusters: readonly string[];
    readonly siteDatastore: string | undefined;
    readonly datastores: readonly string[] | undefined;
  };
  readonly hosts: readonly PartialHost[];
  readonly guests: Site["guests"] | undefined;
  readonly occupancy: Site["occupancy"];
}

interface PartialHost {
  readonly name: string | undefined;
  readonly cluster: string | undefined;
  readonly nqn: string | undefined;
  /** Name of the entry on the array that is the site's. */
  readonly entry: string | undefined;
  readonly hbas: readonly (Site["hosts"][number]["hbas"][number] | undefined)[];
}

export function partialSite(input: unknown): PartialSite {
  const site = map(input);
  const fabrics = map(site["fabrics"]);
  const virtual = map(site["hypervisor"]);
  const devices = map(site["devices"]);
  const datastores = virtual["datastores"];
  return {
    deviceNames: Object.keys(devices),
    devices: new Map(
      Object.entries(devices).flatMap(([name, entry]) => {
        const device = sound(deviceConnection, entry);
        return device === undefined ? [] : [[name, device] as const];
      }),
    ),
    fabrics: { A: text(map(fabrics["A"])["device"]), B: text(map(fabrics["B"])["device"]) },
    array: partialArray(map(site["array"])),
    hypervisor: {
      device: text(virtual["device"]),
      clusters: list(virtual["clusters"]).filter((one) => typeof one === "string"),
      siteDatastore: text(virtual["siteDatastore"]),
      datastores: Array.isArray(datastores)
        ? datastores.map((one) => text(map(one)["name"]) ?? "")
        : undefined,
    },
    hosts: list(site["hosts"]).map(partialHost),
    guests: sound(guests, site["guests"]),
    occupancy: sound(occupancy, site["occupancy"]),
  };
}

function partialArray(array: Readonly<Record<string, unknown>>): PartialSite["array"] {
  const target = array["target"];
  return {
    device: text(array["device"]),
    family: sound(arrayFamily, array["family"]),
    target:
      target === undefined ? undefined : { mode: map(target)["mode"], name: map(target)["name"] },
    ports: list(array["ports"]).map((entry) => sound(targetPort, entry)),
    pools: list(array["pools"]).map((entry) => sound(pool, entry)),
  };
}

function partialHost(entry: unknown): PartialHost {
  const one = map(entry);
  return {
    name: text(one["name"]),
    cluster: text(one["cluster"]),
    nqn: sound(host.shape.nqn, one["nqn"]),
    entry: text(map(one["entry"])["name"]),
    hbas: list(one["hbas"]).map((port) => sound(hba, port)),
  };
}

function sound<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  const result = schema.safeParse(value);
  return result.success ? result.data : undefined;
}

function map(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
