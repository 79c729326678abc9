import type { BedFact, Phase, ReviewBed } from "../../bed/review-bed";
import { guestAssumptions, guestFacts } from "./guests";
import {
  hostAssumptions,
  hostSettings,
  serverFacts,
  servers,
  vsphere65,
  vsphere65Fact,
} from "./hosts";
import { layoutAssumptions, phases, restOnSite, twoPools, volumes } from "./phases";
import type { PublishedRates } from "./published-rates";
import { assume, fact, reviews } from "./reviews";
import { vdbenchAssumptions, vdbenchFacts } from "./vdbench-profiles";
import { workloadAssumptions, workloadFacts } from "./workloads";

/**
 * What the EF570, ETERNUS and XCubeSAN beds share. Their reviews print the same configuration
 * paragraph: 26 drives, two RAID10 groups of 12, one for each controller, two spares, two volumes of
 * 5 TB. It fits the QSAN's 26 bays; with all disks of a guest on the volumes it fits none of the three.
 */
export interface Raid10Pair {
  readonly review: "ef570" | "af250s2" | "xs5226d";
  readonly id: string;
  readonly short: string;
  readonly array: ReviewBed["array"];
  /** How sure the printed paragraph is. */
  readonly basis: BedFact["basis"];
  /** Usable size of one RAID10 group, and of a Vdbench volume and the disk on it. */
  readonly poolSize: string;
  readonly vdbench: { readonly volume: string; readonly disk: string };
  readonly rates: PublishedRates;
  readonly cases: readonly number[];
  readonly printed: boolean;
  /** An array that the review compares with: its configuration is not printed. */
  readonly comparison: boolean;
  readonly facts: ReviewBed["facts"];
  readonly assumptions: ReviewBed["assumptions"];
  /** Why boot and prebuilt disks lie elsewhere. */
  readonly restReason: string;
}

export function raid10PairBed(parts: Raid10Pair): ReviewBed {
  const { review, array, printed } = parts;
  return {
    id: `${parts.id}${printed ? "-printed" : ""}`,
    short: parts.short,
    title: `${array.vendor} ${array.model}, Fibre Channel`,
    source: reviews[review],
    array,
    hosts: servers,
    hypervisor: vsphere65,
    host: hostSettings,
    phases: pairPhases(parts),
    facts: [
      ...parts.facts,
      ...(parts.comparison ? [] : pairFacts(parts)),
      ...serverFacts(review),
      vsphere65Fact(review),
      ...guestFacts(review),
      ...workloadFacts(review, "Quest", parts.rates),
      ...vdbenchFacts(review),
    ],
    assumptions: [
      ...parts.assumptions,
      ...pairAssumptions(parts),
      ...(printed ? [] : [restOnSite(parts.restReason)]),
      ...hostAssumptions(),
      ...layoutAssumptions(),
      ...guestAssumptions(),
      ...workloadAssumptions(),
      ...vdbenchAssumptions(),
    ],
  };
}

function pairPhases(parts: Raid10Pair): Record<string, Phase> {
  return phases({
    pools: twoPools(parts.poolSize),
    rates: parts.rates,
    sysbench: {
      volumes: volumes(2, "5 TB", 10, false),
      cases: parts.cases,
      rest: parts.printed ? "sysbench" : "site",
    },
    sqlserver: { volumes: volumes(2, "5 TB", 20, false), cases: [4] },
    vdbench: {
      volumes: volumes(32, parts.vdbench.volume, 30, false),
      dataSize: parts.vdbench.disk,
    },
  });
}

function pairFacts({ review, basis }: Raid10Pair): BedFact[] {
  return [
    fact(basis, review, "RAID", "two RAID10 groups of 12 drives, one pinned to each controller", [
      "array.raid",
      "phases.*.pools.*.controller",
    ]),
    fact(basis, review, "volumes for SQL Server and Sysbench", "two of 5 TB, one for each group", [
      "phases.sysbench.volumeGroups.*.count",
      "phases.sysbench.volumeGroups.*.size",
      "phases.sqlserver.volumeGroups.*.count",
      "phases.sqlserver.volumeGroups.*.size",
    ]),
    fact(
      "inferred",
      "a800",
      "volumes for Vdbench",
      "32",
      "phases.vdbench.volumeGroups.*.count",
      "requests per second times latency at saturation are 32 times the threads",
    ),
    fact(
      basis,
      review,
      "SQL Server guests",
      "4, two for each controller",
      "phases.sqlserver.cases",
    ),
  ];
}

function pairAssumptions({ vdbench }: Raid10Pair): ReviewBed["assumptions"] {
  return [
    assume(
      "size of a Vdbench volume",
      `${vdbench.volume}, a disk of ${vdbench.disk} on it`,
      "not stated; 32 of them fit into the two groups",
      ["phases.vdbench.volumeGroups.*.size", "phases.vdbench.guests.vdbench.disks.*.size"],
    ),
    assume(
      "thick volumes",
      "thick",
      "not stated; RAID groups of these arrays hold thick volumes",
      "phases.*.volumeGroups.*.thin",
    ),
    assume("data reduction", "off", "the review names none that was on", "array.dataReduction"),
  ];
}
