import type { StackResult } from "../../cli/stack-runner";

export { StackRunner as PulumiCli } from "../../cli/stack-runner";
export type { StackResult as CliResult } from "../../cli/stack-runner";

/** What an operation did, `create 3, same 5`, without the resources that stayed the same. */
export function changes(result: StackResult): Record<string, number> {
  const summary =
    result.events.find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges ?? {};
  return Object.fromEntries(Object.entries(summary).filter(([op]) => op !== "same"));
}
