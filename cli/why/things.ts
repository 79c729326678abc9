import { type BedId, parseWwpn } from "../../bed/identities";
import { bedOfName, markName } from "../../bed/mark";
import type {
  SurveyedCopy,
  SurveyedGroup,
  SurveyedMap,
  SurveyedVolume,
} from "../../provider/devices/array-survey";
import type { ZoningState } from "../../provider/devices/fabric-switch";
import type { HostDevice } from "../../provider/devices/host-storage";
import type { DatastoreUse, Hold, MachineUse } from "../../provider/devices/storage-use";
import { bedInZone } from "../../provider/devices/zoning-members";
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

/**
 * As beds make their zones: the alias of one initiator, which carries the mark, with port names; both
 * names end in host and adapter. Anybody may put our alias into a zone of another form.
 */
function hasOurForm(name: string, members: readonly string[], bed: BedId): boolean {
  const aliases = members.filter((member) => parseWwpn(member) === undefined);
  const [alias = ""] = aliases;
  const end = alias.slice(markName(bed, "").length);
  return aliases.length === 1 && members.length > 1 && end !== "" && name.endsWith(`_${end}`);
}

/** A zone is a bed's only when that bed has noted it: anybody may put our alias into one of theirs. */
export function zoneThing(
  device: string,
  name: string,
  zoning: ZoningState,
  noted: Findings["notedZones"],
): Thing {
  const members = zoning.zones.get(name)?.members ?? [];
  const bed = bedInZone(members);
  const own = bed !== undefined && noted.get(bed)?.has(`${device}/${name}`) === true;
  const formed = bed !== undefined && !own && hasOurForm(name, members, bed);
  const inEffect = [zoning.effective?.zones.has(name) === true ? "in effect" : "not in effect"];
  if (bed !== undefined && formed) {
    const facts = [...inEffect, "by its marker alias and form; no record of it here"];
    const remedy = `\`pulumi destroy\` of bed ${bed} takes it, where that bed has its record; \`sanbed sweep\` without record leaves it: then take it out by hand`;
    return { ...thing("zone", device, name, bed, facts), remedy };
  }
  const facts = [...inEffect];
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
  const state = running ? `runs on ${host ?? "?"}` : "switched off";
  const facts = [
    path,
    ...(template ? [] : [state]),
    ...(machine.snapshots === 0 ? [] : [`snapshots: ${machine.snapshots.toString()}`]),
    ...(machine.agent === undefined ? [] : [machine.agent.what]),
  ];
  const kind = template ? "template" : "machine";
  const found = thing(kind, device, machine.name, machine.bedId, facts, machine.id);
  return machine.agent === undefined ? found : { ...found, remedy: machine.agent.remedy };
}

export function fileThing(device: string, datastore: string, path: string): Thing {
  return thing("file", device, path, undefined, ["no machine uses it"], `${datastore} ${path}`);
}

/** What the hypervisor or a host itself keeps on an object. */
export function holdThing(device: string, on: string, hold: Hold): Thing {
  const facts = hold.host === undefined ? [] : [`on host ${hold.host}`];
  const key = `${on} ${hold.what} ${hold.host ?? ""}`;
  return { ...thing("hold", device, hold.what, undefined, facts, key), remedy: hold.remedy };
}

export function copyThing(device: string, copy: SurveyedCopy): Thing {
  return thing("copy", device, `${copy.what} of ${inTenant(copy.tenant, copy.volume)}`, undefined);
}
