import type { BedId } from "../../bed/identities";
import type { Kind, Thing } from "./graph";

const actions: Readonly<Record<Exclude<Kind, "host">, string>> = {
  copy: "remove it, if nobody needs it; clones can be split off",
  hold: "let the host do it elsewhere",
  tenant: "remove the tenant",
  volume: "delete the volume",
  deletedVolume: "purge it from the array's recovery queue",
  hostGroup: "delete the host group",
  device: "unmap it on its array",
  map: "unmap it, once its hosts have let go of the device",
  alias: "delete the alias",
  zone: "take the zone out of its configuration and delete it",
  hostDevice:
    "unmount what is on it and detach it on this host; once it is unmapped, rescan the host",
  datastore: "empty the datastore, then remove it",
  machine: "move the machine elsewhere, or remove it",
  template: "move the template elsewhere, or remove it",
  file: "move the file elsewhere: it is lost with the datastore",
};

/** Whose an object is, for the reader's bed. Pure. */
export function ownerText(thing: Thing, own: BedId | undefined): string {
  if (thing.kind === "host") return "a host of the site";
  if (thing.kind === "hold") return "the hypervisor's own";
  if (thing.bedId === undefined) return "foreign: no bed's mark";
  if (own === undefined) return `bed ${thing.bedId}'s`;
  return thing.bedId === own ? "this bed's" : `another bed's: ${thing.bedId}`;
}

/**
 * What lets go of an object. Nothing is ever advised for an object of others without saying whose it
 * is: only they may do it. Pure.
 */
export function remedyFor(thing: Thing, own: BedId | undefined): string {
  if (thing.kind === "host") {
    return "reconnect the host, or take it out of the vCenter, then ask again: nobody knows what it holds";
  }
  if (thing.remedy !== undefined) return thing.remedy;
  const action = actions[thing.kind];
  if (thing.bedId === undefined) {
    return `foreign: ask whose it is to ${action}. sanbed never touches it`;
  }
  if (own === undefined || thing.bedId === own) {
    return `${action}: \`pulumi destroy\` of bed ${thing.bedId} does, or \`sanbed sweep --bed ${thing.bedId}\` where its state is lost`;
  }
  return `belongs to bed ${thing.bedId}: that bed's \`pulumi destroy\` has to ${action}. This bed never touches it`;
}
