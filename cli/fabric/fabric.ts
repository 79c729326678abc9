import { parseArgs } from "node:util";
import { fabricDiff } from "./diff";

const usage = `sanbed fabric: what a stack does to its switches

  sanbed fabric diff FILE              what the next up would change, in the switches' own words
  sanbed fabric diff FILE --destroy    what a destroy would change; FILE is an export

  FILE is what \`pulumi preview --json --show-sames\` or \`pulumi stack export\` printed; - reads it from standard
  input. Nothing is changed. Exit code 1 when a switch would refuse something.
`;

/** One of the fabric's commands. @returns exit code: 0 done, 1 refused, 2 wrong use. */
export async function fabricCommand(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { destroy: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  const [command, file, ...more] = positionals;
  if (values.help === true) {
    process.stdout.write(usage);
    return 0;
  }
  if (command === "diff" && file !== undefined && more.length === 0) {
    return await fabricDiff(file, values.destroy === true);
  }
  process.stderr.write(usage);
  return 2;
}
