import type { Phase, ReviewBed } from "../../bed/review-bed";
import { parseSettings, type Settings } from "../../bed/settings";
import { parseSite, type Site } from "../../bed/site";
import { affA250 } from "../../stacks/beds/aff-a250";

/** A whole key that nobody has the other half of. */
const anyHostKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFCeGWnSkpFhWJQmAPX6TtlBPRUlsuL6LWhbqmMe0X5d";

export interface PlanInput {
  readonly bed: ReviewBed;
  readonly site: Site;
  readonly settings: Settings;
}

const perCluster = 4;
const volumesPerHost = 32;
const guestsPerHost = 4;

/**
 * A bed of any size that fits: clusters of four hosts, each with 128 volumes of its own (32 for each host,
 * as in the reviews, and within what a host sees) and 16 guests. 128 hosts have 4,096 volumes.
 */
export function planOfHosts(hosts: number): PlanInput {
  const clusters = Math.ceil(hosts / perCluster);
  const numbers = Array.from({ length: clusters }, (_, index) => index + 1);
  const base = affA250({ protocol: "fcp" });
  const phase = base.phases["sysbench"];
  const guest = phase?.guests["sysbench"];
  if (phase === undefined || guest === undefined) throw new Error("the bed has no Sysbench phase");
  const guests = guestsPerHost * perCluster;
  const large: Phase = {
    ...phase,
    pools: { p1: { controller: 1 }, p2: { controller: 2 } },
    volumeGroups: Object.fromEntries(
      numbers.map((cluster) => [
        groupName(cluster),
        {
          count: volumesPerHost * perCluster,
          size: "300 GB",
          thin: true,
          firstLun: 10,
          generation: 1,
          cluster,
        },
      ]),
    ),
    guests: Object.fromEntries(
      numbers.map((cluster) => [
        groupName(cluster),
        {
          ...guest,
          role: cluster === 1 ? ("test" as const) : ("driver" as const),
          prefix: letters(cluster),
          count: guests,
          clusters: [cluster],
          firstAddress: (cluster - 1) * guests,
          disks: guest.disks.map((disk) =>
            disk.label === "test" ? { ...disk, on: groupName(cluster) } : disk,
          ),
        },
      ]),
    ),
    cases: [guests],
  };
  const bed: ReviewBed = {
    ...base,
    hosts: { perCluster, clusters },
    phases: { sysbench: large },
  };
  const settings = parseSettings({
    bedId: "abcdefghij",
    stack: "bench",
    phase: "sysbench",
    runId: "1",
    scale: {},
  });
  return { bed, site: siteOf(clusters * perCluster, numbers, guests * clusters), settings };
}

const groupName = (cluster: number): string => `c${cluster.toString()}`;
const clusterName = (cluster: number): string => `cluster${cluster.toString()}`;

/** Four letters that no other cluster has. */
function letters(cluster: number): string {
  const letter = (value: number): string => String.fromCharCode(97 + (value % 26));
  return `g${letter(cluster / 676)}${letter(cluster / 26)}${letter(cluster)}`;
}

/** `10.10.<n>.<m>`: as many as any bed of the benchmark needs. */
function address(index: number): string {
  const [third, last] = [Math.floor(index / 250), (index % 250) + 1];
  return `10.10.${third.toString()}.${last.toString()}`;
}

function siteOf(hosts: number, clusters: readonly number[], guests: number): Site {
  const hex = (value: number): string => value.toString(16).padStart(4, "0").replace(/^../, "$&:");
  const device = (kind: string, port: number) => ({
    kind,
    endpoint: `https://127.0.0.1:${port.toString()}`,
    credentials: "env:NONE",
  });
  return parseSite({
    name: "bench",
    devices: {
      fabricA: device("brocade-fos", 1),
      fabricB: device("brocade-fos", 2),
      array: device("ontap", 3),
      vcenter: device("vcenter", 4),
    },
    fabrics: { A: { device: "fabricA" }, B: { device: "fabricB" } },
    array: {
      device: "array",
      family: "ontap",
      target: { mode: "create" },
      ports: ["node1", "node2"].flatMap((controller) =>
        ["A", "B"].map((fabric) => ({
          key: `${controller}_${fabric.toLowerCase()}`,
          controller,
          port: fabric,
          fabric,
        })),
      ),
      pools: [
        { name: "aggr1", controller: "node1" },
        { name: "aggr2", controller: "node2" },
      ],
    },
    hypervisor: {
      device: "vcenter",
      datacenter: "dc",
      clusters: clusters.map(clusterName),
      siteDatastore: "site",
      network: "net",
    },
    hosts: Array.from({ length: hosts }, (_, index) => ({
      name: `esx${(index + 1).toString().padStart(3, "0")}.example`,
      cluster: clusterName(Math.floor(index / perCluster) + 1),
      hbas: [
        { adapter: "vmhba2", wwpn: `10:00:00:00:00:0a:${hex(index)}`, fabric: "A" },
        { adapter: "vmhba3", wwpn: `10:00:00:00:00:0b:${hex(index)}`, fabric: "B" },
      ],
    })),
    templates: { sysbench: { name: "tpl", hostKey: anyHostKey } },
    guests: {
      addresses: Array.from({ length: guests }, (_, index) => address(index)),
      netmaskBits: 8,
      gateway: "10.0.0.1",
      privateKey: "file:/none",
    },
  });
}
