import { readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { findPlan } from "../../bed/plan";
import { notBuiltYet } from "../../bed/not-built";
import { parseBedId } from "../../bed/identities";
import { parseSettings } from "../../bed/settings";
import { reviewBeds } from "../../stacks/beds/catalogue";
import { labBedIdOf } from "../../stacks/lab-bed-id";
import { planSite } from "../support/plan-sites";

const folder = path.resolve(__dirname, "..", "..", "stacks");
/** Those that are committed; a checkout may hold others' own beside them. */
const stacks = ["lab", "aff-a250", "aff-a250-fcp", "aff-a800"];

interface StackFile {
  readonly config: Readonly<Record<string, unknown>>;
}

const configOf = (stack: string): StackFile["config"] =>
  (parse(readFileSync(path.join(folder, `Pulumi.${stack}.yaml`), "utf8")) as StackFile).config;

test("each bed that the lab can build has a stack", () => {
  const beds = new Set(stacks.map((stack) => configOf(stack)["testbed:bed"]));
  expect([...beds].sort()).toEqual(["aff-a250-fcp", "aff-a250-nvme-fc", "aff-a800"]);
});

test.each(stacks)("stack %s fits at its scale, can be built, and brings no bed id", (stack) => {
  const config = configOf(stack);
  expect(config).not.toHaveProperty("testbed:bedId");
  expect(config["testbed:site"]).toBe(".sanbed/lab/site.json");
  const bed = reviewBeds[config["testbed:bed"] as string]!;
  const settings = parseSettings({
    bedId: labBedIdOf("abcdefghij", stack),
    stack,
    phase: config["testbed:phase"] as string,
    runId: "1",
    scale: config["testbed:scale"],
  });
  const { plan, problems } = findPlan(bed, planSite(bed), settings);
  expect(problems).toEqual([]);
  expect(notBuiltYet(plan!)).toEqual([]);
  expect(plan?.guests).toHaveLength(4);
});

test("stacks on one lab are beds of their own, on every lab others, and stay what they are", () => {
  const ids = stacks.flatMap((stack) => [
    labBedIdOf("abcdefghij", stack),
    labBedIdOf("klmnopqrst", stack),
  ]);
  expect(new Set(ids).size).toBe(2 * stacks.length);
  expect(ids.map(parseBedId)).toEqual(ids);
  expect(labBedIdOf("abcdefghij", "lab")).toBe(labBedIdOf("abcdefghij", "lab"));
});
