import type { Fabric, OtherPort, Switch, SwitchPort, ZoningDatabase } from "../world/state";
import { hex2, wwnn, wwpn } from "./names";

type FabricName = "A" | "B";

/** A Brocade G620 has 48 SFP+ and four times four QSFP ports: 64, numbered 0/0 to 0/63. */
const portCount = 64;

/** One fabric of one switch, with other people's zoning in force on it. */
export function labFabric(name: FabricName): Fabric {
  const device = `fabric${name}`;
  return {
    name,
    switches: { [device]: labSwitch(name, device) },
    zoning: {
      defined: foreignZoning(name),
      effective: { name: `prod_${name}`, zones: effectiveZones(name) },
      defaultAccess: "none",
    },
  };
}

/** Ports of other people: a database host and its array, and a backup host that is zoned by port. */
export function otherPorts(fabric: FabricName): OtherPort[] {
  const f = fabric === "A" ? 1 : 2;
  const device = `fabric${fabric}`;
  return [
    {
      wwpn: wwpn(erpHost(fabric)),
      wwnn: wwnn(`20:00:00:24:ff:7b:10:${hex2(f)}`),
      role: "initiator",
      label: "QLE2772 FW:v9.10.11 DVR:v10.02.08.300-k",
      cable: { switch: device, port: "0/40" },
    },
    {
      wwpn: wwpn(erpArray(fabric)),
      wwnn: wwnn("50:06:01:60:c7:e0:11:00"),
      role: "target",
      label: "DGC     VRAID",
      cable: { switch: device, port: "0/41" },
    },
    {
      wwpn: wwpn(`21:00:00:24:ff:7b:20:${hex2(f)}`),
      wwnn: wwnn(`20:00:00:24:ff:7b:20:${hex2(f)}`),
      role: "initiator",
      label: "QLE2772 FW:v9.10.11 DVR:v10.02.08.300-k",
      cable: { switch: device, port: "0/44" },
    },
  ];
}

function labSwitch(name: FabricName, device: string): Switch {
  const f = name === "A" ? 1 : 2;
  const ports = Array.from({ length: portCount }, (_, index) => switchPort(f, index));
  return {
    device,
    name: `g620-${name.toLowerCase()}`,
    wwn: wwnn(`10:00:c4:f5:7c:5e:00:${hex2(f)}`),
    domain: f,
    enabled: true,
    ports: Object.fromEntries(ports.map((port) => [port.name, port])),
  };
}

function switchPort(f: number, index: number): SwitchPort {
  return {
    name: `0/${index.toString()}`,
    index,
    wwn: wwpn(`20:${hex2(index)}:c4:f5:7c:5e:00:${hex2(f)}`),
    enabled: true,
    failed: false,
    speedGbps: 32,
  };
}

/** What others have defined: zones in force, and a configuration that nobody has enabled for long. */
function foreignZoning(name: FabricName): ZoningDatabase {
  return {
    aliases: {
      erp_db01: [erpHost(name)],
      erp_vnx_spa: [erpArray(name)],
    },
    zones: {
      z_erp_db01_vnx: { type: 0, members: ["erp_db01", "erp_vnx_spa"], principals: [] },
      z_backup: { type: 0, members: backupMembers(name), principals: [] },
      z_old_erp: { type: 0, members: ["erp_db01", "50:06:01:61:c7:e0:11:00"], principals: [] },
    },
    configs: {
      [`prod_${name}`]: ["z_erp_db01_vnx", "z_backup"],
      [`old_${name}`]: ["z_old_erp"],
    },
  };
}

function effectiveZones(name: FabricName): NonNullable<Fabric["zoning"]["effective"]>["zones"] {
  return {
    z_erp_db01_vnx: { type: 0, members: [erpHost(name), erpArray(name)], principals: [] },
    z_backup: { type: 0, members: backupMembers(name), principals: [] },
  };
}

function erpHost(name: FabricName): string {
  return `21:00:00:24:ff:7b:10:${name === "A" ? "01" : "02"}`;
}

function erpArray(name: FabricName): string {
  return `50:06:01:6${name === "A" ? "0" : "8"}:c7:e0:11:00`;
}

/** By domain and port index, as some sites zone. */
function backupMembers(name: FabricName): string[] {
  const domain = name === "A" ? "1" : "2";
  return [`${domain},44`, `${domain},45`];
}
