import type { ReviewBed } from "../../bed/review-bed";
import { guestAssumptions, guestFacts } from "../bed-parts/guests";
import {
  hostAssumptions,
  hostSettings,
  nvmeHostSettings,
  serverFacts,
  servers,
} from "../bed-parts/hosts";
import { layoutAssumptions, phases, restOnSite, twoPools, volumes } from "../bed-parts/phases";
import { publishedRates, type PublishedRates } from "../bed-parts/published-rates";
import { assume, fact, reviews } from "../bed-parts/reviews";
import { vdbenchAssumptions, vdbenchFacts } from "../bed-parts/vdbench-profiles";
import { workloadAssumptions, workloadFacts } from "../bed-parts/workloads";

export interface AffA250Options {
  readonly protocol: "fcp" | "nvme-fc";
  /** The comparison array of the review instead. Only its figures are printed, not its bed. */
  readonly array?: "AFF A250" | "AFF A200";
  /** `printed`: all disks of all guests on the array, as their sizes are printed. It does not fit. */
  readonly as?: "fitting" | "printed";
}

const review = "a250";

/**
 * NetApp AFF A250 as reviewed by StorageReview: NVMe over Fibre Channel on ONTAP 9.9.1, set against FCP
 * on 9.8. So the two differ in more than the protocol.
 */
export function affA250(options: AffA250Options): ReviewBed {
  const { protocol, array = "AFF A250", as = "fitting" } = options;
  const nvme = protocol === "nvme-fc";
  const other = array === "AFF A200";
  const name = other ? "a200" : "a250";
  const rates = publishedRates[other ? "a200" : nvme ? "a250Nvme" : "a250Fcp"];
  const printed = as === "printed";
  return {
    id: `aff-${name}-${protocol}${printed ? "-printed" : ""}`,
    short: `${name}_${nvme ? "nvme" : "fcp"}`,
    title: titleOf(array, nvme),
    source: reviews[review],
    array: arrayOf(array, protocol),
    hosts: servers,
    hypervisor: { product: "VMware vSphere", version: "7.0" },
    host: nvme ? nvmeHostSettings : hostSettings,
    phases: phases({
      pools: twoPools("3 TB"),
      rates,
      sysbench: {
        volumes: volumes(32, printed ? "900 GB" : "300 GB", 10, true),
        cases: [8, 16],
        rest: printed ? "sysbench" : "site",
      },
      sqlserver: { volumes: volumes(8, "1.1 TB", 50, true), cases: [4, 8] },
      vdbench: { volumes: volumes(32, "160 GB", 100, false), dataSize: "150 GB" },
    }),
    facts: [...(other ? a200Facts() : [...arrayFacts(), ...layoutFacts()]), ...sharedFacts(rates)],
    assumptions: [
      ...(other ? [a200Assumption()] : []),
      ...assumptions(protocol),
      ...(printed ? [printedVolumes()] : fittingAssumptions()),
    ],
  };
}

function titleOf(array: "AFF A250" | "AFF A200", nvme: boolean): string {
  if (array === "AFF A200") return "NetApp AFF A200, FCP";
  return `NetApp AFF A250, ${nvme ? "NVMe/FC, ONTAP 9.9.1" : "FCP, ONTAP 9.8"}`;
}

function arrayOf(
  model: "AFF A250" | "AFF A200",
  protocol: AffA250Options["protocol"],
): ReviewBed["array"] {
  const common = {
    vendor: "NetApp",
    model,
    family: "ontap",
    protocol,
    controllers: 2,
    raid: { level: "RAID-DP" },
    dataReduction: { on: true, ratio: 1 },
  } as const;
  // Release, port speed and kind of drive are those of the A250 only.
  if (model === "AFF A200") {
    return { ...common, drives: { count: 12, size: "1.92 TB", type: "SSD" } };
  }
  return {
    ...common,
    software: protocol === "nvme-fc" ? "9.9.1" : "9.8",
    portSpeedGbps: 32,
    drives: { count: 12, size: "1.92 TB", type: "NVMe SSD" },
  };
}

function arrayFacts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "NetApp AFF A250, active-active pair", [
      "array.vendor",
      "array.model",
      "array.family",
      "array.controllers",
    ]),
    fact(
      "stated",
      review,
      "software and protocol",
      "ONTAP 9.9.1 over NVMe/FC; ONTAP 9.8 over FCP in the earlier run",
      ["array.software", "array.protocol"],
      "the comparison changes the release as well as the protocol",
    ),
    fact("stated", review, "drives", "12 NVMe SSDs of 1.92 TB", "array.drives"),
    fact("stated", review, "RAID and pools", "RAID-DP, two pools of 3 TB", [
      "array.raid",
      "phases.*.pools.*.size",
    ]),
  ];
}

/** What the review prints of the array that it compares with. */
function a200Facts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "NetApp AFF A200", ["array.vendor", "array.model"]),
    fact(
      "stated",
      review,
      "Sysbench guests of the comparison",
      "8 and 16",
      "phases.sysbench.cases",
    ),
  ];
}

/** Servers, guests and workloads, the same for both arrays. */
function sharedFacts(rates: PublishedRates): ReviewBed["facts"] {
  return [
    ...serverFacts(review),
    ...guestFacts(review),
    ...workloadFacts(review, "Dell", rates),
    ...vdbenchFacts(review),
    {
      what: "release of the hypervisor",
      value: "7.0 or later for NVMe over Fibre Channel",
      basis: "external",
      source: "NetApp Solutions documentation, vSphere datastores over NVMe/FC",
      note: "the 6.5 of the older reviews cannot serve NVMe/FC",
      paths: ["hypervisor"],
    },
  ];
}

/** Volumes, and what ran on them. */
function layoutFacts(): ReviewBed["facts"] {
  return [
    fact(
      "inferred",
      "a800",
      "place of the pools",
      "one for each controller",
      "phases.*.pools.*.controller",
    ),
    fact(
      "inferred",
      "a800",
      "volumes for Vdbench and Sysbench",
      "32",
      ["phases.sysbench.volumeGroups.*.count", "phases.vdbench.volumeGroups.*.count"],
      "594,388 requests per second times 6.9 ms over FCP are 32 x 128",
    ),
    fact(
      "inferred",
      "a800",
      "volumes for SQL Server",
      "1.1 TB each",
      "phases.sqlserver.volumeGroups.*.size",
    ),
    fact(
      "inferred",
      "a800",
      "data reduction",
      "inline deduplication and compression on",
      "array.dataReduction.on",
    ),
    fact(
      "stated",
      review,
      "fabric",
      "two Brocade G620 of 32 Gb, dual fabric",
      "array.portSpeedGbps",
    ),
    fact("stated", review, "Sysbench guests", "8 and 16", "phases.sysbench.cases"),
    fact("stated", review, "SQL Server guests", "4 and 8", "phases.sqlserver.cases"),
  ];
}

function assumptions(protocol: AffA250Options["protocol"]): ReviewBed["assumptions"] {
  return [
    assume(
      "volumes for SQL Server",
      "8, thin",
      "not stated; one for each of 8 guests, where the AFF A800 had 4 for 4. Thin, since 8 x 1.1 TB exceed two pools of 3 TB",
      ["phases.sqlserver.volumeGroups.*.count", "phases.sqlserver.volumeGroups.*.thin"],
    ),
    assume(
      "size of a Vdbench volume",
      "160 GB, thick, a disk of 150 GB on it",
      "not stated; the largest of which 32 fit into two pools of 3 TB with the tenth that ONTAP needs beside a LUN",
      [
        "phases.vdbench.volumeGroups.*.size",
        "phases.vdbench.volumeGroups.*.thin",
        "phases.vdbench.guests.vdbench.disks.*.size",
      ],
    ),
    assume(
      "what data reduction saves",
      "nothing is counted on",
      "the review gives no ratio",
      "array.dataReduction.ratio",
    ),
    assume(
      "release of the hypervisor of the FCP run",
      "7.0",
      "not stated; the same servers as in the NVMe/FC run",
      "hypervisor.version",
    ),
    ...hostAssumptions(protocol),
    ...layoutAssumptions(),
    ...guestAssumptions(),
    ...workloadAssumptions(),
    ...vdbenchAssumptions(),
  ];
}

function fittingAssumptions(): ReviewBed["assumptions"] {
  return [
    assume(
      "size of a Sysbench volume",
      "300 GB, thin",
      "not stated; one test disk of 270 GB and room for VMFS. 32 of them exceed two pools of 3 TB, so they are thin",
      ["phases.sysbench.volumeGroups.*.size", "phases.sysbench.volumeGroups.*.thin"],
    ),
    restOnSite(
      "16 guests of 809 GB are 12.9 TB, two pools of 3 TB hold 6 TB; the review does not say where the disks lay",
    ),
  ];
}

function printedVolumes(): ReviewBed["assumptions"][number] {
  return assume(
    "volumes that could hold a whole guest",
    "900 GB, thin",
    "no size is printed; a guest has 809 GB",
    ["phases.sysbench.volumeGroups.*.size", "phases.sysbench.volumeGroups.*.thin"],
  );
}

function a200Assumption(): ReviewBed["assumptions"][number] {
  return assume(
    "bed of the AFF A200",
    "as that of the AFF A250",
    "its own review is not at hand: protocol, ports, drives, pools, volumes and release of its runs are not known",
    ["array", "phases.*.pools", "phases.*.volumeGroups", "phases.sqlserver.cases"],
  );
}
