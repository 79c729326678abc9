import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { stringify } from "yaml";
import { projectRoot } from "../../tools/setup/paths";
import { StackRunner } from "../stack-runner";
import { programInput } from "./program-input";

/**
 * A Pulumi project of one of the benchmark's own programs, with a stack and a state of its own.
 * @param folder below the project root, so that packages are found
 * @param program name of a compiled file beside this one
 */
export async function smallProject(
  folder: string,
  program: "engine-program" | "volumes-program",
  input: unknown,
): Promise<StackRunner> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, programInput), JSON.stringify(input));
  writeFileSync(
    path.join(folder, "index.js"),
    `require(${JSON.stringify(path.join(__dirname, program))});\n`,
  );
  const plugin = path.relative(folder, path.join(projectRoot(), "plugin"));
  const project = {
    name: "bench",
    runtime: "nodejs",
    plugins: { providers: [{ name: "sanbed", path: plugin }] },
  };
  writeFileSync(path.join(folder, "Pulumi.yaml"), stringify(project));
  const runner = new StackRunner(folder, "bench", folder);
  await runner.init();
  return runner;
}
