import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ConfigError, type Problem } from "../../bed/errors";
import { findPlan, type PlanResult } from "../../bed/plan";
import { planJson } from "../../bed/plan-json";
import { checkDevices } from "../../provider/devices/registry";
import { deviceKinds } from "../../provider/resources/provider-config";
import { readStackInput, type StackInput } from "../../stacks/stack-input";
import { planText } from "./plan-text";
import { topologySvg } from "./topology";
import { findProject, onlyStack, readStackConfig } from "./project";

const usage = `sanbed plan [--stack S] [--json] [--svg FILE] [--project FOLDER]

  Prints what the stack's bed becomes on its site: the same that \`pulumi preview\` would build, without the
  engine and without asking any device. Exit code 2 when there are problems; all are told at once.

  --stack S          the stack; may be left out when the project has one only
  --json             plan and problems as JSON
  --svg FILE         also draw hosts, fabrics, array, volumes and guests into that file
  --project FOLDER   folder with the Pulumi.yaml, default the current one
`;

/** @returns exit code: 0 the bed fits, 2 it does not, or wrong use. */
export function planCommand(argv: readonly string[]): number {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      stack: { type: "string", short: "s" },
      json: { type: "boolean" },
      svg: { type: "string" },
      project: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  const { plan, problems } = planOf(values.project ?? ".", values.stack);
  if (values.svg !== undefined && plan !== undefined) writeFileSync(values.svg, topologySvg(plan));
  if (values.json === true) {
    const json = { plan: plan === undefined ? undefined : planJson(plan), problems };
    process.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  } else {
    process.stdout.write(planText(plan, problems));
  }
  return problems.length === 0 ? 0 : 2;
}

/** What is wrong with the input is a problem like any other: nothing is thrown for it. */
function planOf(folder: string, stack: string | undefined): PlanResult {
  let input: StackInput;
  try {
    const project = findProject(path.resolve(folder));
    const name = stack ?? onlyStack(project);
    input = readStackInput(readStackConfig(project, name), name, project.folder);
  } catch (error) {
    if (error instanceof ConfigError) return { plan: undefined, problems: error.problems };
    throw error;
  }
  const { plan, problems } = findPlan(input.bed, input.site, input.settings);
  const devices = checkDevices(deviceKinds, input.site.devices);
  return { plan, problems: [...devices.map(inSite), ...problems] };
}

const inSite = (problem: Problem): Problem => ({ ...problem, path: `site.${problem.path}` });
