import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";
import type { Phase } from "../review-bed";
import { arrayProblems } from "./array-problems";
import { capacityProblems } from "./capacity-problems";
import { fabricProblems } from "./fabric-problems";
import { guestProblems } from "./guest-problems";
import { hostProblems } from "./host-problems";
import { lunProblems } from "./lun-problems";
import { nameProblems } from "./name-problems";
import { occupancyProblems } from "./occupancy-problems";
import { queueProblems } from "./queue-problems";
import { workloadProblems } from "./workload-problems";
import { zoningProblems } from "./zoning-problems";

/**
 * What does not fit: limits, capacity, numbers already taken. Each with path, by how much it misses,
 * and what would fit.
 */
export function checkPlan(plan: BedPlan, phase: Phase): Problem[] {
  return [
    ...arrayProblems(plan),
    ...hostProblems(plan),
    ...zoningProblems(plan),
    ...fabricProblems(plan),
    ...nameProblems(plan),
    ...lunProblems(plan),
    ...occupancyProblems(plan),
    ...capacityProblems(plan),
    ...guestProblems(plan, phase),
    ...workloadProblems(plan),
    ...queueProblems(plan),
  ];
}
