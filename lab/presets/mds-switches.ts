import type { Fabric, Switch, SwitchPort, WorldState } from "../world/state";
import { cables } from "./cables";
import { hex2, wwnn, wwpn } from "./names";

/** A Cisco MDS 9148T has 48 ports, fc1/1 to fc1/48. */
const portCount = 48;
/** VSANs of the bed's fabrics, one in each mode. Others use VSAN 1, as switches come. */
const vsans: Readonly<Record<string, { id: number; mode: "basic" | "enhanced" }>> = {
  A: { id: 101, mode: "enhanced" },
  B: { id: 102, mode: "basic" },
};
/** Name of the fabric of VSAN 1 on the switches of a fabric. */
const defaultVsan = (fabric: string): string => `${fabric}-vsan1`;

/**
 * Puts MDS switches in the place of the Brocade ones: same cabling (`0/5` becomes `fc1/6`), same names
 * and zones of other people, every port that is cabled or in a zone in the fabric's VSAN, the free ones in VSAN 1.
 */
export function mdsSwitches(world: WorldState): WorldState {
  const used = usedPorts(world);
  for (const fabric of Object.values(world.fabrics)) convert(world, fabric, used);
  for (const cable of cables(world)) cable.port = fcName(cable.port);
  return world;
}

function convert(world: WorldState, fabric: Fabric, used: ReadonlySet<string>): void {
  const vsan = vsans[fabric.name];
  const device = Object.keys(fabric.switches)[0];
  if (vsan === undefined || device === undefined) return;
  const own = mdsSwitch(fabric.name, device);
  const zoned = zonedPorts(fabric);
  const [inside, free] = split(
    own.ports,
    (port) => used.has(`${device} ${port.name}`) || zoned.has(port.name),
  );
  const modes = { zoneMode: vsan.mode, aliasMode: vsan.mode };
  fabric.id = vsan.id;
  fabric.attributes = { vsanName: `bed_${fabric.name.toLowerCase()}`, ...modes };
  fabric.switches = { [device]: { ...own, ports: inside } };
  convertZoning(fabric, own);
  world.fabrics[defaultVsan(fabric.name)] = {
    name: defaultVsan(fabric.name),
    id: 1,
    switches: { [device]: { ...own, ports: free } },
    zoning: {
      defined: { aliases: structuredClone(fabric.zoning.defined.aliases), zones: {}, configs: {} },
      effective: undefined,
      defaultAccess: "none",
      defaultCoversUnzoned: true,
    },
    attributes: { vsanName: "VSAN0001", ...modes },
  };
}

/**
 * Members by `domain,index` become members by interface, the nearest that an MDS has. In basic device
 * alias mode zones hold WWNs only.
 */
function convertZoning(fabric: Fabric, own: Switch): void {
  const { zoning } = fabric;
  const named = fabric.attributes?.["aliasMode"] === "enhanced";
  zoning.defaultCoversUnzoned = true;
  for (const zone of Object.values(zoning.defined.zones)) {
    zone.members = zone.members
      .flatMap((member) => (named ? [member] : (zoning.defined.aliases[member] ?? [member])))
      .map((member) => interfaceMember(member, own.wwn));
  }
  const name = zoning.effective?.name;
  if (name === undefined || fabric.attributes === undefined) return;
  const zones = (zoning.defined.configs[name] ?? []).map((zone) => [
    zone,
    zoning.defined.zones[zone]?.members ?? [],
  ]);
  fabric.attributes["active"] = Object.fromEntries(zones) as Record<string, string[]>;
}

function interfaceMember(member: string, switchWwn: string): string {
  const index = /^\d+,(\d+)$/.exec(member)?.[1];
  if (index === undefined) return member;
  return `interface ${fcName(`0/${index}`)} swwn ${switchWwn}`;
}

function mdsSwitch(fabric: string, device: string): Switch {
  const f = fabric === "A" ? 1 : 2;
  const ports = Array.from({ length: portCount }, (_, index) => switchPort(f, index));
  return {
    device,
    family: "cisco-mds",
    name: `mds9148t-${fabric.toLowerCase()}`,
    wwn: wwnn(`20:00:00:3a:9c:5e:00:${hex2(f)}`),
    domain: f,
    enabled: true,
    ports: Object.fromEntries(ports.map((port) => [port.name, port])),
  };
}

function switchPort(f: number, index: number): SwitchPort {
  return {
    name: `fc1/${(index + 1).toString()}`,
    index,
    wwn: wwpn(`20:${hex2(index + 1)}:00:3a:9c:5e:00:${hex2(f)}`),
    enabled: true,
    failed: false,
    speedGbps: 32,
  };
}

function usedPorts(world: WorldState): Set<string> {
  return new Set(cables(world).map((cable) => `${cable.switch} ${fcName(cable.port)}`));
}

/**
 * Ports that zones in force name, cabled or not: a port of another VSAN would be out of the active zone set from
 * its next activation on, and whoever activated would have changed what is not his.
 */
function zonedPorts({ zoning }: Fabric): Set<string> {
  const members = Object.values(zoning.effective?.zones ?? {}).flatMap((zone) => zone.members);
  return new Set(
    members.flatMap((member) => {
      const index = /^\d+,(\d+)$/.exec(member)?.[1];
      return index === undefined ? [] : [fcName(`0/${index}`)];
    }),
  );
}

function fcName(port: string): string {
  return `fc1/${(Number(port.split("/")[1]) + 1).toString()}`;
}

function split<T>(
  record: Readonly<Record<string, T>>,
  first: (value: T) => boolean,
): [Record<string, T>, Record<string, T>] {
  const entries = Object.entries(record);
  return [
    Object.fromEntries(entries.filter(([, value]) => first(value))),
    Object.fromEntries(entries.filter(([, value]) => !first(value))),
  ];
}
