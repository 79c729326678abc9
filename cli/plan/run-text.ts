import type { BedPlan } from "../../bed/bed-plan";
import { formatDuration } from "../../bed/units";
import { columns } from "./columns";
import type { SizeText } from "./sizes";

export function scheduleLines({ schedule, estimates }: BedPlan): string[] {
  return [
    ...columns(schedule, [
      { head: "step", cell: ({ name }) => name },
      { head: "", cell: ({ kind }) => kind },
      {
        head: "begins after",
        cell: ({ startMs }) => (startMs === 0 ? "0s" : formatDuration(startMs)),
        right: true,
      },
      {
        head: "takes",
        cell: ({ durationMs }) => (durationMs === undefined ? "?" : formatDuration(durationMs)),
        right: true,
      },
    ]),
    `all steps whose length is known: ${formatDuration(estimates.durationMs)}`,
  ];
}

export function queueLines({ estimates }: BedPlan): string[] {
  return columns(estimates.queues, [
    { head: "queue", cell: ({ where }) => where },
    { head: "fullest", cell: ({ name }) => name },
    { head: "planned", cell: ({ plannedRequests }) => plannedRequests.toString(), right: true },
    { head: "takes", cell: ({ depth }) => depth.toString(), right: true },
    { head: "", cell: ({ plannedRequests, depth }) => (plannedRequests > depth ? "too few" : "") },
    { head: "says", cell: ({ source }) => source },
  ]);
}

export function estimateLines({ estimates }: BedPlan, size: SizeText): string[] {
  const { preparationBytes, casesBytes, driveFills } = estimates.written;
  const fills = driveFills === undefined ? "" : `, ${driveFills.toString()} fills of all drives`;
  return [
    `written by filling and loading ${size(preparationBytes)}, by the cases ${size(casesBytes)}${fills}`,
  ];
}
