import type { ReviewBed } from "../../bed/review-bed";
import { publishedRates } from "../bed-parts/published-rates";
import { raid10PairBed } from "../bed-parts/raid10-pair";
import { assume, fact } from "../bed-parts/reviews";

export interface EternusAf250S2Options {
  /** The comparison array of the review instead. Only its figures are printed, not its bed. */
  readonly array?: "ETERNUS AF250 S2" | "ETERNUS AF250";
  /** `printed`: 26 drives in 24 bays, all disks of all guests on two volumes of 5 TB. It does not fit. */
  readonly as?: "fitting" | "printed";
}

const review = "af250s2";

/** Fujitsu ETERNUS AF250 S2, as reviewed by StorageReview. */
export function eternusAf250S2(options: EternusAf250S2Options = {}): ReviewBed {
  const { array = "ETERNUS AF250 S2", as = "fitting" } = options;
  const other = array === "ETERNUS AF250";
  const printed = as === "printed";
  return raid10PairBed({
    review,
    id: other ? "eternus-af250" : "eternus-af250-s2",
    short: other ? "af250" : "af250s2",
    array: {
      vendor: "Fujitsu",
      model: array,
      family: "eternus",
      protocol: "fcp",
      controllers: 2,
      portSpeedGbps: 16,
      bays: 24,
      drives: printed
        ? { count: 26, size: "1.92 TB", type: "Toshiba PX04SV SAS SSD" }
        : { count: 24, size: "1.92 TB", type: "SAS SSD" },
      raw: "46 TB",
      raid: { level: "RAID10", groups: 2, drivesPerGroup: 12 },
      spares: printed ? 2 : 0,
      dataReduction: { on: false, ratio: 1 },
    },
    basis: "stated",
    poolSize: printed ? "5 TB" : "11.52 TB",
    vdbench: printed ? { volume: "300 GB", disk: "280 GB" } : { volume: "600 GB", disk: "560 GB" },
    rates: other ? publishedRates.af250 : publishedRates.af250s2,
    cases: [4, 8, 16, 24],
    printed,
    comparison: other,
    facts: other ? af250Facts() : facts(),
    assumptions: [
      ...(other ? [af250Assumption()] : []),
      assume(
        "protocol",
        "fcp",
        "not stated for the tests; the unit has 16 Gb Fibre Channel or iSCSI, the servers Fibre Channel",
        "array.protocol",
      ),
      ...(printed ? [] : fittingAssumptions()),
    ],
    restReason:
      "24 guests of 809 GB are 19.4 TB, two volumes of 5 TB hold 10 TB; the 24 disks under test are 6.5 TB",
  });
}

function facts(): ReviewBed["facts"] {
  return [
    fact("stated", review, "array", "Fujitsu ETERNUS AF250 S2, two controllers", [
      "array.vendor",
      "array.model",
      "array.family",
      "array.controllers",
    ]),
    fact("stated", review, "speed of a Fibre Channel port", "16 Gb", "array.portSpeedGbps"),
    fact("derived", review, "drive bays", "24", "array.bays"),
    fact("stated", review, "drives of the tested unit", "46 TB raw of 1.92 TB SAS SSDs", [
      "array.raw",
      "array.drives.size",
      "array.drives.type",
    ]),
    fact(
      "stated",
      review,
      "drives as printed",
      "26 Toshiba PX04SV, two of them spares",
      ["array.drives.type", "array.drives.count", "array.spares"],
      "contradicts the 46 TB raw of 1.92 TB drives, which are 24, and the 24 bays",
    ),
    fact(
      "derived",
      review,
      "size of a RAID10 group as printed",
      "5 TB at least: it holds a volume of 5 TB",
      "phases.*.pools.*.size",
    ),
    fact(
      "reconstructed",
      review,
      "RAID of the Vdbench runs",
      "RAID1, wide-striped, on raw storage",
    ),
    fact("stated", review, "Sysbench guests", "4, 8, 16 and 24", "phases.sysbench.cases"),
  ];
}

/** What the review prints of the array that it compares with. */
function af250Facts(): ReviewBed["facts"] {
  return [
    fact(
      "stated",
      review,
      "array",
      "Fujitsu ETERNUS AF250, almost the same enclosure, the same management",
      ["array.vendor", "array.model"],
    ),
  ];
}

function fittingAssumptions(): ReviewBed["assumptions"] {
  return [
    assume(
      "24 drives, no spare",
      "24 of 1.92 TB",
      "the printed 26 do not fit the 24 bays; 46 TB raw of 1.92 TB drives are 24",
      ["array.drives", "array.spares"],
    ),
    assume(
      "size of a RAID10 group",
      "11.52 TB",
      "six of twelve drives of 1.92 TB",
      "phases.*.pools.*.size",
    ),
    assume(
      "RAID of the Vdbench phase",
      "the same two groups",
      "wide-striping over all drives is not stated in detail",
      "array.raid",
    ),
  ];
}

function af250Assumption(): ReviewBed["assumptions"][number] {
  return assume(
    "bed of the ETERNUS AF250",
    "as that of the AF250 S2",
    "drives, RAID and firmware of its runs are not stated; the enclosure is almost the same",
    ["array", "phases.*.pools", "phases.*.volumeGroups", "phases.*.cases"],
  );
}
