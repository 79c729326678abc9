import type { BedPlan } from "../../bed/bed-plan";
import { formatProblem, type Problem } from "../../bed/errors";
import { notBuiltYet } from "../../bed/not-built";
import { wrapped } from "./columns";
import { estimateLines, queueLines, scheduleLines } from "./run-text";
import { hostLines, poolLines, targetLines } from "./san-text";
import { sizesOf } from "./sizes";
import { datastoreLines, guestLines, groupLines } from "./storage-text";

const width = 110;

/** The whole bed for a person to read: what is assumed first, what does not fit last. */
export function planText(plan: BedPlan | undefined, problems: readonly Problem[]): string {
  const sections = plan === undefined ? [] : planSections(plan);
  return `${[...sections, ...problemSection(plan, problems)].join("\n")}\n`;
}

function planSections(plan: BedPlan): string[] {
  const { bed, settings, site } = plan;
  const size = sizesOf(plan);
  return [
    `${bed.title}: phase ${settings.phase}`,
    `stack ${settings.stack}, bed ${settings.bedId}, site ${site.name}; names begin with ${plan.prefix}`,
    ...wrapped(`source: ${bed.source}`, width, ""),
    ...section("Assumptions: what the source does not say", assumptionLines(plan)),
    ...section("Hosts and zones", hostLines(plan)),
    ...section("Target ports", targetLines(plan)),
    ...section("Pools", poolLines(plan, size)),
    ...section("Volumes", groupLines(plan, size)),
    ...section("Datastores", datastoreLines(plan, size)),
    ...section("Guests", guestLines(plan, size)),
    ...section("Run schedule", scheduleLines(plan)),
    ...section("Queues: planned requests and what each takes", queueLines(plan)),
    ...section("Estimates", estimateLines(plan, size)),
    ...section(
      "Worth knowing",
      plan.remarks.flatMap(({ path, message }) => item(`${path}: ${message}`)),
    ),
    ...section(
      "Not checked: limits that are not known here, or whose use by others is not",
      plan.unchecked.flatMap(({ path, message }) => item(`${path}: ${message}`)),
    ),
    ...section(
      "This version plans it and cannot build it yet",
      notBuiltYet(plan).map(formatProblem).flatMap(item),
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`.trimEnd())];
}

function item(text: string): string[] {
  const [first = "", ...rest] = wrapped(text, width, "  ");
  return [`-${first.slice(1)}`, ...rest];
}

function problemSection(plan: BedPlan | undefined, problems: readonly Problem[]): string[] {
  if (problems.length === 0) return ["", "No problems: the bed fits."];
  const count = problems.length === 1 ? "1 problem" : `${problems.length.toString()} problems`;
  const lines = section(
    `${count}: the bed cannot be built so`,
    problems.map(formatProblem).flatMap(item),
  );
  return plan === undefined ? lines.slice(1) : lines;
}

function assumptionLines({ assumptions }: BedPlan): string[] {
  return assumptions.flatMap(({ what, value, reason }) => [
    ...item(`${what}: ${value}`),
    ...wrapped(`because ${reason}`, width, "    "),
  ]);
}
