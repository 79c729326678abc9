import type { ReviewBed } from "../../bed/review-bed";
import { affA250 } from "./aff-a250";
import { affA800 } from "./aff-a800";
import { ef570 } from "./ef570";
import { eternusAf250S2 } from "./eternus-af250-s2";
import { xCubeSanXs5226d } from "./xcubesan-xs5226d";

const printed = { as: "printed" } as const;

/** Beds that can be named in a stack's configuration: five reviews, their comparison arrays, and as printed. */
const beds: readonly ReviewBed[] = [
  affA250({ protocol: "nvme-fc" }),
  affA250({ protocol: "fcp" }),
  affA250({ protocol: "fcp", array: "AFF A200" }),
  ef570(),
  affA800(),
  affA800({ array: "AFF A300" }),
  eternusAf250S2(),
  eternusAf250S2({ array: "ETERNUS AF250" }),
  xCubeSanXs5226d(),
  xCubeSanXs5226d({ array: "XCubeSAN XS1226D" }),
  affA250({ protocol: "nvme-fc", ...printed }),
  affA250({ protocol: "fcp", ...printed }),
  ef570(printed),
  affA800(printed),
  eternusAf250S2(printed),
  xCubeSanXs5226d(printed),
];

/** By id. */
export const reviewBeds: Readonly<Record<string, ReviewBed>> = Object.fromEntries(
  beds.map((bed) => [bed.id, bed]),
);
