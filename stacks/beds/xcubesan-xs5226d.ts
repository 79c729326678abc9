import type { ReviewBed } from "../../bed/review-bed";
import { publishedRates } from "../bed-parts/published-rates";
import { raid10PairBed } from "../bed-parts/raid10-pair";
import { assume, fact } from "../bed-parts/reviews";

export interface XCubeSanXs5226dOptions {
  /** The comparison array of the review instead; the text also calls it XS1200 and XS1226. */
  readonly array?: "XCubeSAN XS5226D" | "XCubeSAN XS1226D";
  /** `printed`: all disks of all guests on two volumes of 5 TB. It does not fit. */
  readonly as?: "fitting" | "printed";
}

const review = "xs5226d";

/** QSAN XCubeSAN XS5226D, as reviewed by StorageReview. */
export function xCubeSanXs5226d(options: XCubeSanXs5226dOptions = {}): ReviewBed {
  const { array = "XCubeSAN XS5226D", as = "fitting" } = options;
  const other = array === "XCubeSAN XS1226D";
  return raid10PairBed({
    review,
    id: other ? "xcubesan-xs1226d" : "xcubesan-xs5226d",
    short: other ? "xs1226d" : "xs5226d",
    array: {
      vendor: "QSAN",
      model: array,
      family: "xcubesan",
      protocol: "fcp",
      controllers: 2,
      bays: 26,
      drives: { count: 26, type: "Toshiba PX04SV SAS SSD" },
      raid: { level: "RAID10", groups: 2, drivesPerGroup: 12 },
      spares: 2,
      dataReduction: { on: false, ratio: 1 },
    },
    basis: "stated",
    poolSize: "5 TB",
    vdbench: { volume: "300 GB", disk: "280 GB" },
    rates: other ? publishedRates.xs1226d : publishedRates.xs5226d,
    cases: [4, 8, 16, 32],
    printed: as === "printed",
    comparison: other,
    facts: other ? xs1226dFacts() : facts(),
    assumptions: [
      ...(other ? [xs1226dAssumption()] : []),
      assume(
        "protocol",
        "fcp",
        "not stated; the servers have Fibre Channel adapters",
        "array.protocol",
      ),
    ],
    restReason:
      "32 guests of 809 GB are 25.9 TB, two volumes of 5 TB hold 10 TB; the 32 disks under test are 8.6 TB",
  });
}

function facts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "QSAN XCubeSAN XS5226D, two active controllers, 26 bays", [
      "array.vendor",
      "array.model",
      "array.family",
      "array.controllers",
      "array.bays",
    ]),
    fact("reconstructed", review, "drives", "26 Toshiba PX04SV", "array.drives"),
    fact("stated", review, "spares", "2: 26 are 2 x 12 and 2", "array.spares"),
    fact(
      "derived",
      review,
      "size of a RAID10 group",
      "5 TB at least: it holds a volume of 5 TB",
      "phases.*.pools.*.size",
    ),
    fact("stated", review, "Sysbench guests", "4, 8, 16 and 32", "phases.sysbench.cases"),
  ];
}

/** What the review prints of the array that it compares with. */
function xs1226dFacts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "QSAN XCubeSAN XS1226D, the same enclosure", [
      "array.vendor",
      "array.model",
    ]),
  ];
}

function xs1226dAssumption(): ReviewBed["assumptions"][number] {
  return assume(
    "bed of the XS1226D",
    "as that of the XS5226D",
    "the same enclosure and the same configuration paragraph; its own review is not at hand",
    ["array", "phases.*.pools", "phases.*.volumeGroups", "phases.*.cases"],
  );
}
