import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { ConfigError, type Problem } from "../../bed/errors";
import { schemaProblems } from "../../bed/schema-problems";
import { readInputFile } from "../../stacks/input-file";
import type { StackConfig } from "../../stacks/stack-input";

/** What is read of `Pulumi.yaml` (Pulumi project file reference); the rest is the engine's. */
const projectSchema = z.looseObject({
  name: z.string().min(1),
  stackConfigDir: z.string().optional(),
  config: z.union([z.record(z.string(), z.unknown()), z.string()]).optional(),
});

const stackSchema = z.looseObject({ config: z.record(z.string(), z.unknown()).nullish() });

export interface Project {
  readonly name: string;
  readonly folder: string;
  /** Configuration that every stack of the project has, by key with namespace. */
  readonly config: ReadonlyMap<string, unknown>;
  readonly stackFolder: string;
}

/**
 * The Pulumi project that a folder lies in.
 * @throws {ConfigError} when there is none, or its file has problems.
 */
export function findProject(from: string): Project {
  const folder = above(from).find((one) => existsSync(path.join(one, "Pulumi.yaml")));
  if (folder === undefined) {
    throw new ConfigError([
      {
        path: from,
        message: "neither this folder nor one above it has a Pulumi.yaml",
        remedy: "go to the project, or name a folder of it with --project",
      },
    ]);
  }
  const file = path.join(folder, "Pulumi.yaml");
  const project = readInputFile(file, "the project file", checked(projectSchema));
  const own = typeof project.config === "object" ? project.config : {};
  return {
    name: project.name,
    folder,
    stackFolder: path.resolve(folder, project.stackConfigDir ?? "."),
    config: new Map(
      Object.entries(own).map(([key, value]) => [
        qualified(project.name, key),
        plainDefault(value),
      ]),
    ),
  };
}

/** Stacks that have a configuration file in the project. */
function stacksOf(project: Project): string[] {
  const names = existsSync(project.stackFolder) ? readdirSync(project.stackFolder) : [];
  return names.flatMap((name) => /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1] ?? []).sort();
}

/** The stack that is meant when none is named. */
export function onlyStack(project: Project): string {
  const stacks = stacksOf(project);
  const [only, ...more] = stacks;
  if (only !== undefined && more.length === 0) return only;
  const listed = stacks.join(", ");
  throw new ConfigError([
    stacks.length === 0
      ? { path: "", message: "the project has no stack", remedy: "pulumi stack init" }
      : { path: "--stack", message: "is missing: which stack", remedy: `there are ${listed}` },
  ]);
}

/**
 * Configuration of a stack from its file, as the engine would give it to the program.
 * @throws {ConfigError} for a file with problems, and for values that only the engine can decrypt.
 */
export function readStackConfig(project: Project, stack: string): StackConfig {
  const file = path.join(project.stackFolder, `Pulumi.${stack}.yaml`);
  const listed = stacksOf(project);
  const missing =
    listed.length === 0
      ? "make a stack with `pulumi stack init`"
      : `stacks of the project are ${listed.join(", ")}`;
  const { config } = readInputFile(
    file,
    "the stack's configuration",
    checked(stackSchema),
    missing,
  );
  const values = new Map(project.config);
  for (const [key, value] of Object.entries(config ?? {})) {
    values.set(qualified(project.name, key), value);
  }
  const own = new Map(
    [...values].flatMap(([key, value]) =>
      key.startsWith(`${project.name}:`)
        ? [[key.slice(project.name.length + 1), value] as const]
        : [],
    ),
  );
  refuseEncrypted(own, file);
  return {
    keys: [...own.keys()],
    get: (key) => text(own.get(key)),
    getObject: (key) => object(own.get(key)),
  };
}

function refuseEncrypted(values: ReadonlyMap<string, unknown>, file: string): void {
  const problems = [...values].flatMap(([key, value]): Problem[] =>
    typeof value === "object" && value !== null && "secure" in value
      ? [
          {
            path: key,
            message: "is encrypted, and only the engine can read it",
            remedy: "nothing here is a secret: set it without --secret",
          },
        ]
      : [],
  );
  if (problems.length > 0) throw new ConfigError(problems, `${file} has problems`);
}

function checked<T>(schema: z.ZodType<T>): (value: unknown) => T {
  return (value) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    throw new ConfigError(schemaProblems(result.error, schema, value));
  };
}

function above(folder: string): string[] {
  const parent = path.dirname(folder);
  return parent === folder ? [folder] : [folder, ...above(parent)];
}

function qualified(project: string, key: string): string {
  return key.includes(":") ? key : `${project}:${key}`;
}

/** In a project file a value may stand in an object, `{ value: ... }` or `{ default: ... }`. */
function plainDefault(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("value" in value) return value.value;
  return "default" in value ? value.default : value;
}

/** As the engine hands a value over: numbers and truth values as text, maps and lists as JSON. */
function text(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function object(value: unknown): unknown {
  return typeof value === "string" ? (JSON.parse(value) as unknown) : (value ?? undefined);
}
