import type { BedId } from "../bed/identities";
import { parseSite, type Site } from "../bed/site";
import type { LabPorts } from "./folder";
import { guestRoots } from "./guests/level-c-room";
import type { Level } from "./levels";
import { guestAddress } from "./ports";
import type { LabSecrets } from "./secrets";
import { fabricAt, fabricOf } from "./world/fabric";
import type { WorldView } from "./world/world";

const guestCount = 40;

export interface SiteParts {
  readonly world: WorldView;
  readonly ports: LabPorts;
  readonly secrets: LabSecrets;
  readonly level: Level;
  readonly bedId: BedId;
  /** The lab's folder. */
  readonly dir: string;
}

/** The lab's own inventory, as any other site has it. */
export function labSite(parts: SiteParts): Site {
  const { world, ports, secrets, level, bedId } = parts;
  const array = Object.values(world.arrays)[0];
  if (array === undefined) throw new Error("the preset has no array");
  return parseSite({
    name: "lab",
    lab: {
      level,
      guests: level === "D" ? "emulated" : "real",
      bedId,
      ...(level === "C" ? { guestRoots: guestRoots(parts.dir) } : {}),
    },
    devices: Object.fromEntries(
      Object.entries(ports.devices).map(([device, port]) => [
        device,
        {
          ...deviceKind(world, device),
          endpoint: `https://127.0.0.1:${port.toString()}`,
          credentials: `file:${secrets.credentialsFile(device)}`,
          tls: { sha256: secrets.certificate(device).sha256 },
        },
      ]),
    ),
    fabrics: { A: { device: "fabricA" }, B: { device: "fabricB" } },
    array: {
      device: array.name,
      family: array.family,
      target: { mode: "create" },
      ports: sitePorts(world, array),
      pools: Object.values(array.pools).map(({ name, controller, sizeBytes }) => ({
        name,
        controller,
        freeBytes: (sizeBytes - reservedIn(array, name)).toString(),
      })),
    },
    hypervisor: {
      device: "vcenter",
      datacenter: world.vcenter.datacenter,
      clusters: world.vcenter.clusters,
      siteDatastore: world.vcenter.datastore,
      network: world.vcenter.network,
    },
    hosts: siteHosts(world),
    templates: Object.fromEntries(
      world.vcenter.templates.map((name) => [
        templateKind(name),
        { name, user: "root", hostKey: secrets.publicKey(secrets.guestHostKey) },
      ]),
    ),
    guests: guestSettings(parts),
  });
}

/** Kind of a device, with the settings that its driver needs to find the bed's part of it. */
function deviceKind(
  world: WorldView,
  device: string,
): { kind: string; vsan?: number; vfId?: number } {
  const fabric = fabricOf(world, device);
  const family = fabric?.switches[device]?.family ?? "brocade-fos";
  if (fabric !== undefined) {
    if (fabric.id === undefined) return { kind: family };
    return {
      kind: family,
      ...(family === "cisco-mds" ? { vsan: fabric.id } : { vfId: fabric.id }),
    };
  }
  return { kind: world.arrays[device]?.family ?? device };
}

function guestSettings({ ports, secrets }: SiteParts): Site["guests"] {
  return {
    addresses: Array.from({ length: guestCount }, (_, index) =>
      guestAddress(ports.guestNet, index + 11),
    ),
    netmaskBits: 24,
    gateway: guestAddress(ports.guestNet, 1),
    domain: "lab.invalid",
    sshPort: ports.sshPort,
    databasePort: ports.databasePort,
    privateKey: `file:${secrets.guestKey}`,
  };
}

/** What a guest of a template is: the template's name without its ending. */
export function templateKind(template: string): string {
  return template.replace(/-template$/, "");
}

type ArrayView = WorldView["arrays"][string];

/** One port per controller and fabric: the first one cabled there. */
function sitePorts(world: WorldView, array: ArrayView): Site["array"]["ports"] {
  const found = new Map<string, Site["array"]["ports"][number]>();
  Object.keys(array.controllers).forEach((controller, index) => {
    for (const port of Object.values(array.ports)) {
      const fabric = fabricAt(world, port.cable)?.name;
      if (port.controller !== controller || (fabric !== "A" && fabric !== "B")) continue;
      const key = `n${(index + 1).toString()}${fabric.toLowerCase()}`;
      if (!found.has(key)) found.set(key, { key, controller, port: port.name, fabric });
    }
  });
  return [...found.values()];
}

function reservedIn(array: ArrayView, poolName: string): bigint {
  return Object.values(array.containers)
    .filter((one) => one.reserved && array.pools[one.poolId]?.name === poolName)
    .reduce((sum, one) => sum + one.sizeBytes, 0n);
}

function siteHosts(world: WorldView): Site["hosts"] {
  return Object.values(world.hosts).map((host) => ({
    name: host.name,
    cluster: host.cluster,
    ...(host.nqn === undefined ? {} : { nqn: host.nqn }),
    hbas: Object.values(host.hbas).flatMap((hba) => {
      const fabric = fabricAt(world, hba.cable)?.name;
      return fabric === "A" || fabric === "B"
        ? [
            {
              adapter: hba.device,
              wwpn: hba.wwpn,
              fabric,
              ...(hba.nvmeDevice === undefined ? {} : { nvmeAdapter: hba.nvmeDevice }),
            },
          ]
        : [];
    }),
    lunsTaken: [],
  }));
}
