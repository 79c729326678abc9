import type { ReviewBed } from "../../bed/review-bed";
import { guestAssumptions, guestFacts } from "../bed-parts/guests";
import {
  hostAssumptions,
  hostSettings,
  serverFacts,
  servers,
  vsphere65,
  vsphere65Fact,
} from "../bed-parts/hosts";
import { layoutAssumptions, phases, restOnSite, twoPools, volumes } from "../bed-parts/phases";
import { publishedRates, type PublishedRates } from "../bed-parts/published-rates";
import { assume, fact, reviews } from "../bed-parts/reviews";
import { vdbenchAssumptions, vdbenchFacts } from "../bed-parts/vdbench-profiles";
import { workloadAssumptions, workloadFacts } from "../bed-parts/workloads";

export interface AffA800Options {
  /** The comparison array of the review instead. Only its figures are printed, not its bed. */
  readonly array?: "AFF A800" | "AFF A300";
  /** `printed`: all disks of a guest on one of the 32 volumes of 600 GB. It does not fit. */
  readonly as?: "fitting" | "printed";
}

const review = "a800";

/** NetApp AFF A800 over FCP on ONTAP 9.5RC1, as reviewed by StorageReview. */
export function affA800({ array = "AFF A800", as = "fitting" }: AffA800Options = {}): ReviewBed {
  const other = array === "AFF A300";
  const name = other ? "a300" : "a800";
  const rates = other ? publishedRates.a300 : publishedRates.a800;
  const printed = as === "printed";
  return {
    id: `aff-${name}${printed ? "-printed" : ""}`,
    short: name,
    title: other ? "NetApp AFF A300, FCP" : "NetApp AFF A800, FCP, ONTAP 9.5RC1",
    source: reviews[review],
    array: {
      vendor: "NetApp",
      model: array,
      family: "ontap",
      ...(other ? {} : { software: "9.5RC1", targetPorts: 8, portSpeedGbps: 32 }),
      protocol: "fcp",
      controllers: 2,
      drives: { count: 24, size: "1.92 TB", type: other ? "SAS SSD" : "NVMe SSD" },
      raid: { level: "RAID-DP", groups: 2, drivesPerGroup: 11 },
      spares: 2,
      dataReduction: { on: true, ratio: 1 },
    },
    hosts: servers,
    hypervisor: vsphere65,
    host: hostSettings,
    phases: phases({
      pools: twoPools("15.5 TB"),
      rates,
      sysbench: {
        volumes: volumes(32, "600 GB", 10, true),
        cases: [8, 16, 32],
        rest: printed ? "sysbench" : "site",
      },
      sqlserver: { volumes: volumes(4, "1.1 TB", 50, true), cases: [4] },
      vdbench: { volumes: volumes(32, "600 GB", 100, true), dataSize: "560 GB" },
    }),
    facts: [...(other ? a300Facts() : [...arrayFacts(), ...layoutFacts()]), ...sharedFacts(rates)],
    assumptions: [
      ...(other ? [a300Assumption()] : []),
      ...assumptions(),
      ...(printed
        ? []
        : [
            restOnSite(
              "a guest has 809 GB, a volume 600 GB; 32 guests are 25.9 TB, 32 volumes 19.2 TB",
            ),
          ]),
    ],
  };
}

function arrayFacts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "NetApp AFF A800, two active controllers", [
      "array.vendor",
      "array.model",
      "array.family",
      "array.controllers",
    ]),
    fact("stated", review, "software and protocol", "ONTAP 9.5RC1 over FCP", [
      "array.software",
      "array.protocol",
    ]),
    fact(
      "stated",
      review,
      "target ports",
      "8 of 32 Gb",
      ["array.targetPorts", "array.portSpeedGbps"],
      "one card of four ports for each controller",
    ),
    fact("stated", review, "drives", "24 NVMe SSDs of 1.92 TB", "array.drives"),
    fact(
      "stated",
      review,
      "RAID",
      "RAID-DP, two aggregates with 11 SSDs in use each",
      "array.raid",
    ),
    fact(
      "derived",
      review,
      "spares",
      "2: one for each aggregate, 2 x (11 + 1) = 24",
      "array.spares",
    ),
  ];
}

/** What the review prints of the array that it compares with. */
function a300Facts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "NetApp AFF A300", ["array.vendor", "array.model"]),
    fact("stated", review, "data reduction", "on in all tests", "array.dataReduction.on"),
    {
      what: "drives",
      value: "SAS SSDs: a chassis of controllers with SAS shelves",
      basis: "external",
      source: "StorageReview, NetApp AFF A300 review, opening lines",
      paths: ["array.drives.type"],
    },
  ];
}

/** Servers, guests and workloads, the same for both arrays. */
function sharedFacts(rates: PublishedRates): ReviewBed["facts"] {
  return [
    ...serverFacts(review),
    vsphere65Fact(review),
    ...guestFacts(review),
    ...workloadFacts(review, "Dell", rates),
    ...vdbenchFacts(review),
  ];
}

/** Volumes, and what ran on them. */
function layoutFacts(): ReviewBed["facts"] {
  return [
    fact(
      "derived",
      review,
      "place of the aggregates",
      "one for each controller",
      "phases.*.pools.*.controller",
    ),
    fact(
      "stated",
      review,
      "volumes for Vdbench and Sysbench",
      "32 of 600 GB, even over controllers and disk groups",
      [
        "phases.sysbench.volumeGroups.*.count",
        "phases.sysbench.volumeGroups.*.size",
        "phases.vdbench.volumeGroups.*.count",
        "phases.vdbench.volumeGroups.*.size",
      ],
    ),
    fact("stated", review, "volumes for SQL Server", "4 of 1.1 TB, two for each controller", [
      "phases.sqlserver.volumeGroups.*.count",
      "phases.sqlserver.volumeGroups.*.size",
    ]),
    fact(
      "stated",
      review,
      "data reduction",
      "inline deduplication and compression on in all tests",
      "array.dataReduction.on",
    ),
    fact("stated", review, "use of the aggregates", "a little under 50 % after data reduction"),
    fact("reconstructed", review, "switches", "two Brocade G620"),
    fact("stated", review, "Sysbench guests", "8, 16 and 32", "phases.sysbench.cases"),
    fact("stated", review, "SQL Server guests", "4", "phases.sqlserver.cases"),
  ];
}

function assumptions(): ReviewBed["assumptions"] {
  return [
    assume(
      "usable size of an aggregate",
      "15.5 TB",
      "not stated; nine data drives of 1.92 TB less the tenth that ONTAP keeps",
      "phases.*.pools.*.size",
    ),
    assume(
      "thin volumes",
      "thin",
      "not stated; the aggregates were less than half full after data reduction",
      "phases.*.volumeGroups.*.thin",
    ),
    assume(
      "size of a Vdbench disk",
      "560 GB",
      "not stated; what VMFS leaves of 600 GB",
      "phases.vdbench.guests.vdbench.disks.*.size",
    ),
    assume(
      "what data reduction saves",
      "nothing is counted on",
      "the review gives no ratio",
      "array.dataReduction.ratio",
    ),
    ...hostAssumptions(),
    ...layoutAssumptions(),
    ...guestAssumptions(),
    ...workloadAssumptions(),
    ...vdbenchAssumptions(),
  ];
}

function a300Assumption(): ReviewBed["assumptions"][number] {
  return assume(
    "bed of the AFF A300",
    "as that of the AFF A800",
    "its own review is not at hand: drives, aggregates, ports and release of its runs are not known; data reduction was on",
    [
      "array",
      "phases.*.pools",
      "phases.*.volumeGroups",
      "phases.sysbench.cases",
      "phases.sqlserver.cases",
    ],
  );
}
