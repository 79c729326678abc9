import { formatBytes } from "../../bed/units";
import type { VirtualSurvey } from "../../provider/devices/virtual-survey";
import { type FabricOf, whyNot } from "./assemble-san";
import { Decided } from "./decided";
import { Decide, type Draft, Remarked } from "./draft";
import type { Findings } from "./findings";
import type { Seed } from "./seed";

type FoundHost = Findings["hosts"][number];

/** Hosts of the site: those in the file where it names any, else all that lie in a cluster. */
export function siteHosts(
  findings: Findings,
  decided: Decided,
  notes: string[],
): readonly FoundHost[] {
  const before = decided.entries("hosts");
  for (const one of before ?? []) {
    if (findings.hosts.some(({ info }) => info.name === one["name"])) continue;
    notes.push(`host ${String(one["name"])} is in the file, but it was not found`);
  }
  return findings.hosts.filter(({ info }) => {
    if (before !== undefined && !before.some((one) => one["name"] === info.name)) {
      notes.push(`host ${info.name} is not in the file and stays out`);
      return false;
    }
    if (info.cluster === undefined) notes.push(`host ${info.name} is in no cluster: left out`);
    return info.cluster !== undefined;
  });
}

export function hostsDraft(
  hosts: readonly FoundHost[],
  findings: Findings,
  decided: Decided,
  fabricOf: FabricOf,
  notes: string[],
): Draft {
  const before = decided.entries("hosts");
  const drafts = hosts.flatMap((host): Draft[] => {
    const { info } = host;
    const earlier = before?.find((one) => one["name"] === info.name);
    const hbas = hbasDraft(host, earlier, fabricOf, notes);
    if (hbas.length === 0) {
      notes.push(`host ${info.name} has no port on a fabric: left out`);
      return [];
    }
    const draft = {
      name: info.name,
      cluster: info.cluster,
      hbas,
      nqn: findings.survey?.nqns.get(info.name) ?? (earlier?.["nqn"] as Draft | undefined),
      lunsTaken: earlier?.["lunsTaken"] as Draft | undefined,
      entry: earlier?.["entry"] as Draft | undefined,
    };
    return [info.connected ? draft : new Remarked(draft, "not connected to the vCenter now")];
  });
  if (drafts.length === 0) return new Decide("hosts: none was found");
  if (before !== undefined) return drafts;
  return new Remarked(drafts, "decide: leave out hosts that a bed must not use");
}

function hbasDraft(
  { info, adapters, devices }: FoundHost,
  earlier: Readonly<Record<string, unknown>> | undefined,
  fabricOf: FabricOf,
  notes: string[],
): Draft[] {
  const listed = new Decided(earlier).entries("hbas");
  return adapters.flatMap((adapter): Draft[] => {
    if (adapter.protocol === "nvme") return [];
    const name = `${adapter.name} of host ${info.name} (${adapter.wwpn})`;
    const fabric = fabricOf(adapter.wwpn);
    if (fabric !== "A" && fabric !== "B") {
      notes.push(`adapter ${name} ${whyNot(fabric)}: left out`);
      return [];
    }
    const before = listed?.find((one) => one["adapter"] === adapter.name);
    if (listed !== undefined && before === undefined) {
      notes.push(`adapter ${name} is not in the file and stays out`);
      return [];
    }
    const nvmeAdapter = adapters.find(
      (one) => one.protocol === "nvme" && one.wwpn === adapter.wwpn,
    )?.name;
    const kept = (key: string): Draft | undefined => before?.[key] as Draft | undefined;
    return [
      {
        adapter: adapter.name,
        wwpn: adapter.wwpn,
        fabric,
        nvmeAdapter,
        switchPort: kept("switchPort"),
        deviceQueueDepth: shallowest(adapter.name, devices) ?? kept("deviceQueueDepth"),
        portQueueDepth: kept("portQueueDepth"),
      },
    ];
  });
}

/** What an adapter's driver takes for one device, by the devices that are seen through it. */
function shallowest(adapter: string, devices: FoundHost["devices"]): number | undefined {
  const depths = devices
    .filter(({ paths }) => paths.some((path) => path.adapter === adapter))
    .flatMap(({ maxQueueDepth }) => maxQueueDepth ?? []);
  return depths.length === 0 ? undefined : Math.min(...depths);
}

export function hypervisorDraft(
  hosts: readonly FoundHost[],
  survey: VirtualSurvey | undefined,
  seed: Seed,
  decided: Decided,
): Draft {
  const clusters = [...new Set(hosts.flatMap(({ info }) => info.cluster ?? []))].sort();
  const datacenters = [
    ...new Set(
      (survey?.clusters ?? [])
        .filter((cluster) => clusters.includes(cluster.name))
        .flatMap((cluster) => cluster.datacenter ?? []),
    ),
  ];
  const [datacenter] = datacenters;
  const reach = (names: readonly string[]): number =>
    hosts.filter(({ info }) => names.includes(info.name)).length;
  const of = (count: number): string => `${count.toString()} of ${hosts.length.toString()} hosts`;
  const datastores = (survey?.datastores ?? []).filter((one) => one.bedId === undefined);
  const listed = decided.entries("hypervisor", "datastores")?.map((one) => one["name"]);
  const shared = datastores.filter(
    (one) =>
      hosts.length > 0 &&
      reach(one.hosts) === hosts.length &&
      (listed === undefined || listed.includes(one.name)),
  );
  return {
    device: seed.hypervisor,
    datacenter:
      datacenters.length === 1 && datacenter !== undefined
        ? datacenter
        : decided.or(["hypervisor", "datacenter"], "a bed lies in one datacenter", datacenters),
    // Beds take clusters in the order of the file.
    clusters: (decided.at("hypervisor", "clusters") as Draft | undefined) ?? inOrder(clusters),
    siteDatastore: decided.or(
      ["hypervisor", "siteDatastore"],
      "where boot disks of guests go",
      datastores.map(
        (one) =>
          `${one.name}: ${one.type}, ${one.freeBytes === undefined ? "?" : formatBytes(one.freeBytes)} free, ${of(reach(one.hosts))}`,
      ),
    ),
    datastores:
      shared.length === 0
        ? undefined
        : shared.map(({ name, freeBytes }) => ({ name, freeBytes: freeBytes?.toString() })),
    network: decided.or(
      ["hypervisor", "network"],
      "port group of the guests",
      (survey?.networks ?? []).map((one) => `${one.name}: ${of(reach(one.hosts))}`),
    ),
  };
}

/** No device knows which of several clusters a bed should take first. */
function inOrder(clusters: readonly string[]): Draft {
  return clusters.length < 2
    ? clusters
    : new Remarked(
        clusters,
        "decide: the order, the cluster for MySQL first, that for SQL Server second",
      );
}

/** Templates by a key of their own name: what a bed calls them is for a person to say. */
export function templatesDraft(survey: VirtualSurvey | undefined, decided: Decided): Draft {
  const before = decided.at("templates");
  const known = Object.entries(
    typeof before === "object" && before !== null ? (before as Record<string, unknown>) : {},
  );
  if (known.length > 0) return before as Draft;
  const templates = survey?.templates ?? [];
  const drafts = Object.fromEntries(
    templates.map(({ name, guestOs }): [string, Draft] => [
      name.toLowerCase().replace(/[^a-z0-9]+/g, "_"),
      {
        name: guestOs === undefined ? name : new Remarked(name, guestOs),
        hostKey: new Decide("public host key of its guests: ssh-keyscan a clone of it"),
      },
    ]),
  );
  return new Remarked(
    drafts,
    "decide: rename each to what the bed calls it (sysbench...), leave out the others",
  );
}
