import type { ReviewBed } from "../../bed/review-bed";
import { publishedRates } from "../bed-parts/published-rates";
import { raid10PairBed } from "../bed-parts/raid10-pair";
import { assume, fact } from "../bed-parts/reviews";

export interface Ef570Options {
  /** `printed`: 26 drives in 24 bays, all disks of all guests on two volumes of 5 TB. It does not fit. */
  readonly as?: "fitting" | "printed";
}

const review = "ef570";

/** NetApp EF570 over Fibre Channel, as reviewed by StorageReview. */
export function ef570({ as = "fitting" }: Ef570Options = {}): ReviewBed {
  const printed = as === "printed";
  return raid10PairBed({
    review,
    id: "ef570",
    short: "ef570",
    array: {
      vendor: "NetApp",
      model: "EF570",
      family: "santricity",
      protocol: "fcp",
      controllers: 2,
      targetPorts: 8,
      portSpeedGbps: 32,
      bays: 24,
      drives: { count: printed ? 26 : 24, type: "Toshiba PX04SV SAS SSD" },
      raid: { level: "RAID10", groups: 2, drivesPerGroup: 12 },
      spares: printed ? 2 : 0,
      dataReduction: { on: false, ratio: 1 },
    },
    basis: "reconstructed",
    poolSize: "5 TB",
    vdbench: { volume: "300 GB", disk: "280 GB" },
    rates: publishedRates.ef570,
    cases: [8, 16, 32],
    printed,
    comparison: false,
    facts: facts(),
    assumptions: printed ? [] : [fewerDrives()],
    restReason:
      "32 guests of 809 GB are 25.9 TB, two volumes of 5 TB hold 10 TB; the 32 disks under test are 8.6 TB",
  });
}

function facts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "NetApp EF570, SANtricity OS, Fibre Channel", [
      "array.vendor",
      "array.model",
      "array.family",
      "array.protocol",
    ]),
    fact("reconstructed", review, "controllers", "2", "array.controllers"),
    fact(
      "derived",
      review,
      "target ports",
      "8 of 32 Gb: one card of four ports for each controller",
      ["array.targetPorts", "array.portSpeedGbps"],
    ),
    fact("derived", review, "drive bays", "24: 367 TB in the unit are 24 x 15.3 TB", "array.bays"),
    fact(
      "reconstructed",
      review,
      "drives as printed",
      "26 Toshiba PX04SV, two of them spares",
      ["array.drives.type", "array.drives.count", "array.spares"],
      "26 drives do not fit 24 bays; the same paragraph stands in three reviews and fits the QSAN only",
    ),
    fact(
      "derived",
      review,
      "size of a RAID10 group",
      "5 TB at least: it holds a volume of 5 TB",
      "phases.*.pools.*.size",
    ),
    fact("stated", review, "switches", "two of 32 Gb"),
    fact("reconstructed", review, "Sysbench guests", "8, 16 and 32", "phases.sysbench.cases"),
  ];
}

function fewerDrives(): ReviewBed["assumptions"][number] {
  return assume(
    "24 drives, no spare",
    "24",
    "the printed 26 do not fit the 24 bays; two groups of 12 fill them",
    ["array.drives.count", "array.spares"],
  );
}
