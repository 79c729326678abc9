import { parseWwpn, type DeviceName, type Nqn } from "../../bed/identities";
import { markName } from "../../bed/mark";
import type { TargetPort, VolumeInfo } from "../../provider/devices/block-array";
import type { ZoningChange } from "../../provider/devices/fabric-switch";
import type { HostStorage } from "../../provider/devices/host-storage";
import { RequestLog } from "../../provider/devices/request-log";
import { openVcenter, vcenterConfig } from "../../provider/devices/vcenter/config";
import { environment } from "./device-environment";
import { call, openArray, openSwitch, testBedId } from "./device-rig";
import type { TestLab } from "./lab";

/** Tests that need the lab's vCenter run where its program is named (`npm test` names it). */
export const sanBinary = process.env["SANBED_SAN_BINARY"];
export const withVcenter = sanBinary === undefined ? describe.skip : describe;

const gib = 1024n ** 3n;
const target = markName(testBedId, "svm");
const group = markName(testBedId, "hosts");
const scope = { bedId: testBedId, target };

/** The driver of the lab's vCenter, as a bed would configure it. */
export function openHosts(lab: TestLab, log = new RequestLog()): HostStorage {
  const config = vcenterConfig.parse(lab.site.devices["vcenter"]);
  return openVcenter("vcenter", config, environment(log));
}

export interface Presented {
  readonly volumes: readonly VolumeInfo[];
  readonly devices: readonly DeviceName[];
  /** Target ports by fabric. */
  readonly targets: Readonly<Record<"A" | "B", readonly string[]>>;
  /** What a host is told when it does not find a namespace. */
  readonly ports: Readonly<Record<string, TargetPort>>;
  /** NVMe: the subsystem that the namespaces are mapped to. */
  readonly subsystemNqn: string | undefined;
  /** Takes the mapping away; volumes and zones stay. */
  unmap(): Promise<void>;
  /** Adds or removes the zones of hosts on one fabric. */
  zone(fabric: "A" | "B", hosts: readonly string[], present: boolean): Promise<void>;
  close(): Promise<void>;
}

/**
 * Zones hosts on both fabrics and maps new volumes to them, by the real drivers. With `nqns` (by host) over
 * NVMe.
 */
export async function present(
  lab: TestLab,
  hosts: readonly string[],
  count: number,
  nqns?: ReadonlyMap<string, Nqn>,
): Promise<Presented> {
  const array = openArray(lab);
  const ports = await array.targets.ensure(call(60_000), {
    ...scope,
    protocol: nqns === undefined ? "fcp" : "nvme-fc",
    ports: Object.fromEntries(
      lab.site.array.ports.map(({ key, controller, port }) => [
        key,
        { name: `sanbed_${key}`, controller, port },
      ]),
    ),
    pools: lab.site.array.pools.map((pool) => pool.name),
  });
  const on = (fabric: "A" | "B"): string[] =>
    lab.site.array.ports
      .filter((port) => port.fabric === fabric)
      .flatMap((port) => ports[port.key]?.wwpn ?? []);
  const targets = { A: on("A"), B: on("B") };
  const zone: Presented["zone"] = (fabric, names, wanted) =>
    changeZones(lab, fabric, names, targets[fabric], wanted);
  await Promise.all([zone("A", hosts, true), zone("B", hosts, true)]);
  const pool = lab.site.array.pools[0]?.name ?? "";
  const face = nqns === undefined ? array : array.nvme;
  const volumes = await face.volumes.ensure(
    call(60_000),
    scope,
    Array.from({ length: count }, (_, index) => ({
      name: `${markName(testBedId, "v")}${index.toString()}`,
      sizeBytes: 20n * gib,
      pool,
      thin: true,
    })),
  );
  await face.hosts.ensureGroup(call(), scope, group);
  const entries = lab.site.hosts
    .filter(({ name }) => hosts.includes(name))
    .map(({ name, hbas }) => ({
      name,
      initiators:
        nqns === undefined ? hbas.flatMap((h) => parseWwpn(h.wwpn) ?? []) : nqnOf(nqns, name),
    }));
  await face.hosts.ensureHosts(call(), scope, group, entries);
  const maps = volumes.map((volume, index) => ({ volume: volume.name, group, lun: 10 + index }));
  await face.maps.ensure(call(60_000), scope, maps);
  return {
    volumes,
    devices: volumes.map((volume) => volume.deviceName),
    targets,
    ports,
    subsystemNqn: (await face.hosts.get(call(), scope, group))?.subsystemNqn,
    unmap: () => face.maps.remove(call(60_000), scope, maps),
    zone,
    close: () => array.close(),
  };
}

function nqnOf(nqns: ReadonlyMap<string, Nqn>, host: string): Nqn[] {
  const nqn = nqns.get(host);
  return nqn === undefined ? [] : [nqn];
}

async function changeZones(
  lab: TestLab,
  fabric: "A" | "B",
  hosts: readonly string[],
  targets: readonly string[],
  wanted: boolean,
): Promise<void> {
  const device = openSwitch(lab, lab.site.fabrics[fabric].device);
  const entries = lab.site.hosts
    .filter(({ name }) => hosts.includes(name))
    .flatMap(({ name, hbas }) =>
      hbas
        .filter((hba) => hba.fabric === fabric)
        .map((hba) => {
          const short = `${name.split(".")[0] ?? name}_${hba.adapter}`;
          const alias = markName(testBedId, short);
          return { alias, zone: `zt_${short}`, wwpn: hba.wwpn };
        }),
    );
  const plan = (): ZoningChange => ({
    upsertAliases: new Map(wanted ? entries.map((e) => [e.alias, [e.wwpn]]) : []),
    upsertZones: new Map(wanted ? entries.map((e) => [e.zone, [e.alias, ...targets]]) : []),
    removeAliases: wanted ? [] : entries.map((e) => e.alias),
    removeZones: wanted ? [] : entries.map((e) => e.zone),
  });
  const transaction = await device.stage(call(), plan);
  await transaction?.commit(call());
  await device.close();
}
