import { arrayDraft, fabricFaults, fabricIndex, fabricsDraft } from "./assemble-san";
import { hostsDraft, hypervisorDraft, siteHosts, templatesDraft } from "./assemble-hosts";
import { Decided } from "./decided";
import type { Draft } from "./draft";
import type { Findings } from "./findings";
import type { Seed } from "./seed";

export interface SiteDraft {
  readonly draft: Draft;
  /** What must be put right first: the file is of no use before. */
  readonly faults: readonly string[];
  /** What could not be found out, and what was left out and why. */
  readonly notes: readonly string[];
}

/** The site as far as the devices tell it. Pure: the same findings give the same draft. */
export function assembleSite(findings: Findings, seed: Seed, takenAt: string): SiteDraft {
  const notes = [...findings.unanswered];
  const decided = new Decided(seed.given);
  const fabricOf = fabricIndex(findings);
  const hosts = siteHosts(findings, decided, notes);
  const draft = {
    $schema: decided.at("$schema") as Draft | undefined,
    name: seed.name,
    lab: decided.at("lab") as Draft | undefined,
    devices: decided.at("devices") as Draft,
    fabrics: fabricsDraft(findings, seed, notes),
    array: arrayDraft(findings, seed, decided, fabricOf, notes),
    hypervisor: hypervisorDraft(hosts, findings.survey, seed, decided),
    hosts: hostsDraft(hosts, findings, decided, fabricOf, notes),
    templates: templatesDraft(findings.survey, decided),
    guests: guestsDraft(decided),
    networks: decided.at("networks") as Draft | undefined,
    media: decided.at("media") as Draft | undefined,
    licences: decided.at("licences") as Draft | undefined,
    occupancy: occupancyDraft(findings, hosts, takenAt),
  };
  return { draft, faults: fabricFaults(findings), notes };
}

/** No device knows what its neighbours gave away: addresses and keys are for a person to say. */
function guestsDraft(decided: Decided): Draft {
  const ask = (key: string, question: string): Draft => decided.or(["guests", key], question);
  const kept = (key: string): Draft | undefined => decided.at("guests", key) as Draft | undefined;
  return {
    addresses: ask("addresses", "addresses for guests, one by one or as 192.0.2.11-192.0.2.42"),
    netmaskBits: ask("netmaskBits", "length of the network's prefix, for instance 24"),
    gateway: ask("gateway", "gateway of the network"),
    domain: kept("domain"),
    sshPort: kept("sshPort"),
    databasePort: kept("databasePort"),
    privateKey: ask("privateKey", "reference to the private key that the templates' user accepts"),
  };
}

function occupancyDraft(findings: Findings, hosts: Findings["hosts"], takenAt: string): Draft {
  const luns = hosts.map(({ info, devices }): [string, number[]] => {
    const foreign = devices.filter((device) => !findings.ownDevices.has(device.name));
    const numbers = foreign.flatMap((one) => one.paths.flatMap((path) => path.lun ?? []));
    return [info.name, [...new Set(numbers)].sort((a, b) => a - b)];
  });
  const addresses = (findings.survey?.addresses ?? [])
    .filter(({ bedId }) => findings.own === undefined || bedId !== findings.own)
    .map(({ address }) => address);
  return {
    takenAt,
    luns: Object.fromEntries(luns),
    hostEntries: findings.array?.hostEntries ?? [],
    addresses: [...new Set(addresses)].sort(),
  };
}
