import { type BedId, parseBedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import type {
  SurveyedGroup,
  SurveyedMap,
  SurveyedVolume,
} from "../../provider/devices/array-survey";
import type { ZoningState } from "../../provider/devices/fabric-switch";
import type { HostDevice } from "../../provider/devices/host-storage";
import type { DatastoreUse, MachineUse } from "../../provider/devices/storage-use";
import { bedOfZone } from "../../provider/devices/zoning-members";
import type { Findings, FoundHost } from "./findings";
import type { Kind, Thing } from "./graph";

function thing(
  kind: Kind,
  device: string,
  name: string,
  bedId: BedId | undefined,
  facts: readonly string[] = [],
  key = name,
): Thing {
  return { id: `${kind} ${device}/${key}`, kind, device, name, bedId, facts };
}

const inTenant = (tenant: string, name: string): string =>
  tenant === "" ? name : `${tenant}/${name}`;

export function tenantThing(device: string, name: string, bedId: BedId | undefined): Thing {
  return thing("tenant", device, name, bedId);
}

export function volumeThing(device: string, volume: SurveyedVolume): Thing {
  const name = inTenant(volume.tenant, volume.name);
  return thing(
    "volume",
    device,
    name,
    volume.bedId,
    volume.units.map((unit) => unit.device),
  );
}

export function deletedThing(
  device: string,
  one: { readonly tenant: string; readonly name: string; readonly bedId: BedId | undefined },
): Thing {
  return thing("deletedVolume", device, inTenant(one.tenant, one.name), one.bedId);
}

export function groupThing(device: string, group: SurveyedGroup): Thing {
  return thing("hostGroup", device, inTenant(group.tenant, group.name), group.bedId, [
    `${group.initiators.length.toString()} initiators`,
  ]);
}

export function mapThing(device: string, map: SurveyedMap): Thing {
  const name = `${inTenant(map.tenant, map.volume)} to ${map.group}`;
  const facts = [`LUN ${map.lun.toString()}`, map.device];
  return thing("map", device, name, map.bedId, facts, `${name} ${map.device}`);
}

export function aliasThing(device: string, name: string, members: readonly string[]): Thing {
  return thing("alias", device, name, bedOfName(name), members);
}

/** A zone is a bed's only when that bed has noted it: anybody may put our alias into one of theirs. */
export function zoneThing(
  device: string,
  name: string,
  zoning: ZoningState,
  noted: Findings["notedZones"],
): Thing {
  const members = zoning.zones.get(name)?.members ?? [];
  const bed = parseBedId(bedOfZone(members) ?? "");
  const own = bed !== undefined && noted.get(bed)?.has(`${device}/${name}`) === true;
  const facts = [zoning.effective?.zones.has(name) === true ? "in effect" : "not in effect"];
  if (bed !== undefined && !own) {
    facts.push(`has an alias of bed ${bed} as member, but no record that this bed made it`);
  }
  return thing("zone", device, name, own ? bed : undefined, facts);
}

export function naaThing(name: string): Thing {
  return thing("device", "hosts", name, undefined, ["no array of the site presents it"]);
}

export function hostDeviceThing(
  host: FoundHost,
  seen: HostDevice,
  bedId: BedId | undefined,
): Thing {
  const states = ["active", "standby", "disabled", "dead", "unknown"] as const;
  const counts = states.flatMap((state) => {
    const count = seen.paths.filter((path) => path.state === state).length;
    return count === 0 ? [] : [`${count.toString()} ${state}`];
  });
  const paths = counts.length === 0 ? "no path" : `paths: ${counts.join(", ")}`;
  return thing("hostDevice", host.device, `${host.info.name}/${seen.name}`, bedId, [
    seen.state,
    paths,
  ]);
}

export function hostThing(device: string, name: string, fact: string): Thing {
  return thing("host", device, name, undefined, [fact]);
}

export function datastoreThing(
  device: string,
  use: DatastoreUse,
  bedId: BedId | undefined,
  maintenance: readonly string[],
): Thing {
  const on = use.mounts.filter((mount) => mount.mounted);
  const hosts = on.map(({ host, accessible }) => {
    const remarks = [
      ...(accessible ? [] : ["cannot reach it"]),
      ...(maintenance.includes(host) ? ["in maintenance"] : []),
    ];
    return remarks.length === 0 ? host : `${host} (${remarks.join(", ")})`;
  });
  const facts = [hosts.length === 0 ? "mounted nowhere" : `mounted on ${hosts.sort().join(", ")}`];
  if (use.devices.length > 1) facts.push(`lies on ${use.devices.join(", ")}`);
  return thing("datastore", device, use.name, bedId, facts, use.id);
}

export function machineThing(device: string, machine: MachineUse): Thing {
  const { template, running, path, host } = machine;
  const facts = [path, ...(template ? [] : [running ? `runs on ${host ?? "?"}` : "switched off"])];
  const kind = template ? "template" : "machine";
  return thing(kind, device, machine.name, machine.bedId, facts, machine.id);
}

export function fileThing(device: string, datastore: string, path: string): Thing {
  return thing("file", device, path, undefined, ["no machine uses it"], `${datastore} ${path}`);
}
