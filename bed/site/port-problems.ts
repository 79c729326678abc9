import type { Problem } from "../errors";
import { parseWwpn } from "../identities";
import { problemPath, quoted } from "../schema-problems";
import type { PartialSite } from "./partial";
import type { Site } from "./schema";

interface Port {
  readonly path: string;
  readonly owner: string;
  readonly wwpn: string | undefined;
  readonly fabric: "A" | "B";
  readonly switchPort: Site["hosts"][number]["hbas"][number]["switchPort"];
}

/** A port name belongs to one port, and a port to one fabric: anything else is zoned wrong. */
export function portProblems(site: PartialSite): Problem[] {
  const ports = [...initiators(site), ...targets(site)];
  const shared = sharedSwitchPorts(ports);
  const told = new Set(shared.map(({ path }) => path));
  return [
    ...doubleNames(ports),
    ...shared,
    ...crossed(
      site,
      ports.filter(({ path }) => !told.has(path)),
    ),
  ];
}

/** A switch is of one fabric, unless it may hold both. */
function crossed(site: PartialSite, ports: readonly Port[]): Problem[] {
  if (sharedChassis(site)) return [];
  const bySwitch = new Map<string, Port[]>();
  for (const port of ports) {
    if (port.switchPort === undefined) continue;
    const name = port.switchPort.switch;
    bySwitch.set(name, [...(bySwitch.get(name) ?? []), port]);
  }
  return [...bySwitch].flatMap(([name, plugged]) => {
    const fabric = fabricOfSwitch(site, name, plugged);
    return plugged
      .filter((port) => port.fabric !== fabric)
      .map((port) => ({
        path: port.path.replace(/\.wwpn$/, ".fabric"),
        message: `${port.owner} is said to be on fabric ${port.fabric}, but its switch port is on switch ${quoted(name)} of fabric ${fabric}`,
        remedy: `correct fabric or switchPort, or the cable: crossed fabrics end in zones that hold no path`,
      }));
  });
}

/** By the site's own name of the device, else as most ports on it say, the first one where they are even. */
function fabricOfSwitch(
  { fabrics }: PartialSite,
  name: string,
  plugged: readonly Port[],
): "A" | "B" {
  if (fabrics.A !== fabrics.B) {
    if (name === fabrics.A) return "A";
    if (name === fabrics.B) return "B";
  }
  const onA = plugged.filter((port) => port.fabric === "A").length;
  if (onA * 2 === plugged.length) return plugged[0]?.fabric ?? "A";
  return onA * 2 > plugged.length ? "A" : "B";
}

/** One chassis, or VSANs or logical switches that any chassis may hold both of: then its name decides nothing. */
function sharedChassis({ fabrics, devices }: PartialSite): boolean {
  const [a, b] = [devices.get(fabrics.A ?? ""), devices.get(fabrics.B ?? "")];
  if (a === undefined || b === undefined) return false;
  const host = (endpoint: string): string | undefined => URL.parse(endpoint)?.host;
  return host(a.endpoint) === host(b.endpoint) || a.vsan !== b.vsan || a["vfId"] !== b["vfId"];
}

function doubleNames(ports: readonly Port[]): Problem[] {
  const owners = new Map<string, Port>();
  const problems: Problem[] = [];
  for (const port of ports) {
    const wwpn = port.wwpn === undefined ? undefined : parseWwpn(port.wwpn);
    if (wwpn === undefined) continue;
    const other = owners.get(wwpn);
    if (other === undefined) {
      owners.set(wwpn, port);
      continue;
    }
    const both =
      other.fabric === port.fabric
        ? ""
        : `, there on fabric ${other.fabric} and here on fabric ${port.fabric}`;
    problems.push({
      path: port.path,
      message: `WWPN ${wwpn} is listed twice: it is also that of ${other.owner} (${other.path})${both}`,
      remedy: "a WWPN belongs to one port, and a port is on one fabric",
    });
  }
  return problems;
}

function sharedSwitchPorts(ports: readonly Port[]): Problem[] {
  const seen = new Map<string, Port>();
  return ports.flatMap((port) => {
    if (port.switchPort === undefined) return [];
    const key = JSON.stringify([port.switchPort.switch, port.switchPort.port]);
    const other = seen.get(key);
    seen.set(key, other ?? port);
    // Several logins on one switch port are usual behind an access gateway; two fabrics are not.
    if (other === undefined || other.fabric === port.fabric) return [];
    const name = `port ${quoted(port.switchPort.port)} of ${quoted(port.switchPort.switch)}`;
    return [
      {
        path: port.path,
        message: `${name} is on fabric ${port.fabric} here and on fabric ${other.fabric} for ${other.owner} (${other.path})`,
      },
    ];
  });
}

function initiators(site: PartialSite): Port[] {
  return site.hosts.flatMap((host, index) =>
    host.hbas.flatMap((hba, place) =>
      hba === undefined
        ? []
        : [
            {
              path: problemPath(["hosts", index, "hbas", place, "wwpn"]),
              owner: `${hba.adapter} of host ${host.name === undefined ? "?" : quoted(host.name)}`,
              wwpn: hba.wwpn,
              fabric: hba.fabric,
              switchPort: hba.switchPort,
            },
          ],
    ),
  );
}

function targets(site: PartialSite): Port[] {
  return site.array.ports.flatMap((port, index) =>
    port === undefined
      ? []
      : [
          {
            path: problemPath(["array", "ports", index, "wwpn"]),
            owner: `target port ${port.key}`,
            wwpn: port.wwpn,
            fabric: port.fabric,
            switchPort: port.switchPort,
          },
        ],
  );
}
