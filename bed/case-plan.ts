import type { PlannedCase, ScheduleStep } from "./bed-plan";
import type { PlannedGuest } from "./guest-plan";
import type { Phase } from "./review-bed";
import { parseDuration, type Milliseconds } from "./units";
import type { WorkloadSettings } from "./workload-settings";

/** The cases of a phase in their order: each number of guests, or each profile on all of them. */
export function planCases(phase: Phase, guests: readonly PlannedGuest[]): PlannedCase[] {
  const tested = guests.filter((guest) => guest.role === "test").map(({ key }) => key);
  const drivers = guests.filter((guest) => guest.role === "driver").map(({ key }) => key);
  const { workload } = phase;
  const profiles = workload.kind === "vdbench" ? Object.keys(workload.profiles) : [undefined];
  return phase.cases.flatMap((count) =>
    profiles.map((profile) => ({
      name:
        profile === undefined
          ? `${workload.kind}-${count.toString()}vm`
          : phase.cases.length === 1
            ? `${workload.kind}-${profile}`
            : `${workload.kind}-${profile}-${count.toString()}vm`,
      guests: tested.slice(0, count),
      // One driver drives one guest where there are as many; else all drive together.
      drivers: drivers.length >= tested.length ? drivers.slice(0, count) : drivers,
      profile,
    })),
  );
}

/** Once before the first case; then each case, with its precondition where it has one. */
export function planSchedule(
  workload: WorkloadSettings,
  cases: readonly PlannedCase[],
): ScheduleStep[] {
  const steps: ScheduleStep[] = [];
  let startMs: Milliseconds = 0;
  const add = (name: string, kind: ScheduleStep["kind"], durationMs?: Milliseconds): void => {
    steps.push({ name, kind, startMs, durationMs });
    startMs += durationMs ?? 0;
  };
  if (workload.kind === "vdbench") {
    if (workload.fillFactor > 0) add("fill all volumes", "fill");
    const point = parseDuration(workload.warmup) + parseDuration(workload.measure);
    // The highest rate is measured first, then every point of the curve.
    const curveMs = (workload.curvePercent.length + 1) * point;
    for (const { name } of cases) add(name, "curve", curveMs);
    return steps;
  }
  add("load the data", "load");
  for (const { name } of cases) {
    add(name, "precondition", parseDuration(workload.precondition));
    add(name, "measure", parseDuration(workload.measure));
  }
  return steps;
}
