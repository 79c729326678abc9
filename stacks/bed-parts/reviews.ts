import type { BedAssumption, BedFact } from "../../bed/review-bed";

/** The reviews that the beds follow. Only facts and figures of them are used, in own words. */
export const reviews = {
  a250: "StorageReview, NetApp AFF A250 review (NVMe over Fibre Channel)",
  ef570: "StorageReview, NetApp EF570 review",
  a800: "StorageReview, NetApp AFF A800 review",
  af250s2: "StorageReview, Fujitsu ETERNUS AF250 S2 review",
  xs5226d: "StorageReview, QSAN XCubeSAN XS5226D review",
} as const;

type Review = keyof typeof reviews;
type Basis = BedFact["basis"];

/** Settings that a fact or an assumption is about; `*` is one step, a path covers all below it. */
type Paths = string | readonly string[];

/** A fact of one or more reviews. */
export function fact(
  basis: Basis,
  source: Review | readonly Review[],
  what: string,
  value: string,
  paths: Paths = [],
  note?: string,
): BedFact {
  const named = typeof source === "string" ? [source] : source;
  return {
    what,
    value,
    basis,
    source: named.map((one) => reviews[one]).join("; "),
    ...(note === undefined ? {} : { note }),
    paths: typeof paths === "string" ? [paths] : [...paths],
  };
}

export function assume(what: string, value: string, reason: string, paths: Paths): BedAssumption {
  return { what, value, reason, paths: typeof paths === "string" ? [paths] : [...paths] };
}
