import type { ArrayFamily } from "../review-bed";
import { eternusLimits } from "./eternus";
import type { FamilyLimits } from "./limits";
import { ontapLimits } from "./ontap";
import { santricityLimits } from "./santricity";
import { xcubesanLimits } from "./xcubesan";

/** Limits of each family of arrays. */
export const familyLimits: Readonly<Record<ArrayFamily, FamilyLimits>> = {
  ontap: ontapLimits,
  santricity: santricityLimits,
  eternus: eternusLimits,
  xcubesan: xcubesanLimits,
};
