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
  return [...doubleNames(ports), ...sharedSwitchPorts(ports)];
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
