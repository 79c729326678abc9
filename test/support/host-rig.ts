import { parseWwpn, type DeviceName } from "../../bed/identities";
import { markName } from "../../bed/mark";
import type { VolumeInfo } from "../../provider/devices/block-array";
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
  /** Takes the mapping away; volumes and zones stay. */
  unmap(): Promise<void>;
  /** Adds or removes the zones of hosts on one fabric. */
  zone(fabric: "A" | "B", hosts: readonly string[], present: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Zones hosts on both fabrics and maps new volumes to them, by the real drivers. */
export async function present(
  lab: TestLab,
  hosts: readonly string[],
  count: number,
): Promise<Presented> {
  const array = openArray(lab);
  const ports = await array.targets.ensure(call(60_000), {
    ...scope,
    protocol: "fcp",
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
  const volumes = await array.volumes.ensure(
    call(60_000),
    scope,
    Array.from({ length: count }, (_, index) => ({
      name: `${markName(testBedId, "v")}${index.toString()}`,
      sizeBytes: 20n * gib,
      pool,
      thin: true,
    })),
  );
  await array.hosts.ensureGroup(call(), scope, group);
  const entries = lab.site.hosts
    .filter(({ name }) => hosts.includes(name))
    .map(({ name, hbas }) => ({ name, initiators: hbas.flatMap((h) => parseWwpn(h.wwpn) ?? []) }));
  await array.hosts.ensureHosts(call(), scope, group, entries);
  const maps = volumes.map((volume, index) => ({ volume: volume.name, group, lun: 10 + index }));
  await array.maps.ensure(call(60_000), scope, maps);
  return {
    volumes,
    devices: volumes.map((volume) => volume.deviceName),
    targets,
    unmap: () => array.maps.remove(call(60_000), scope, maps),
    zone,
    close: () => array.close(),
  };
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
