import { z } from "zod";
import type { Problem } from "../../bed/errors";
import { ConfigError, SanbedError } from "../../bed/errors";
import type { Path } from "./property-path";
import { formatPath, setAt, startsWith } from "./property-path";
import type { Decoded, Properties } from "./values";
import { unknownValue } from "./values";
import { unknownKey, unknownKeys } from "./zod-walk";

export interface Parsed {
  /** Defaults applied; unknown values stand where they stood. Complete only when there are no problems. */
  readonly value: Properties;
  /** Everything that is wrong, whatever the unknown values turn out to be. */
  readonly problems: readonly Problem[];
}

/**
 * Parses values of which some may be unknown. The schema runs over the whole value; what it says
 * about an unknown place, or about a rule or choice that cannot be judged without it, is left out.
 */
export function parseInputs(schema: z.ZodObject, decoded: Decoded): Parsed {
  const { value, issues } = run(schema, decoded.value);
  const problems = issues
    .filter((issue) => !hangsOnUnknown(issue, decoded.unknowns))
    .flatMap((issue) => toProblems(issue));
  problems.push(...unknownKeys(schema, decoded.value));
  for (const path of decoded.unknowns) setAt(value, path, unknownValue);
  return { value, problems };
}

/**
 * Parses values that must be complete.
 * @throws {ConfigError} with every problem.
 */
export function parseComplete(schema: z.ZodObject, decoded: Decoded, title: string): Properties {
  const { value, problems } = parseInputs(schema, decoded);
  const missing = decoded.unknowns.map((path) => ({
    path: formatPath(path),
    message: "the value is not known yet",
  }));
  if (problems.length + missing.length > 0) throw new ConfigError([...problems, ...missing], title);
  return value;
}

/**
 * Parses what was recorded earlier, perhaps by another version: defaults are applied where they can
 * be, and nothing is refused, since what is recorded must always be readable and deletable.
 */
export function parseRecorded(schema: z.ZodObject, recorded: Readonly<Properties>): Properties {
  return { ...recorded, ...run(schema, recorded).value };
}

/** What a handler answered that its own schema does not allow. For the log; never refused. */
export function schemaMismatch(schema: z.ZodObject, value: unknown): Problem[] {
  return run(schema, value).issues.flatMap((issue) => toProblems(issue));
}

/** A parse that also gives the value when there are issues, which zod's public `parse` does not. */
function run(
  schema: z.ZodObject,
  value: unknown,
): { readonly value: Properties; readonly issues: readonly z.core.$ZodIssue[] } {
  const context = { async: false } as const;
  const payload = schema._zod.run({ value, issues: [] }, context);
  if (payload instanceof Promise)
    throw new SanbedError("schema", "asynchronous schemas are not supported");
  const issues = payload.issues.map((raw) =>
    z.core.util.finalizeIssue(raw, context, z.core.config()),
  );
  return { value: payload.value as Properties, issues };
}

function hangsOnUnknown(issue: z.core.$ZodIssue, unknowns: readonly Path[]): boolean {
  const path = pathOf(issue);
  const judgesWhole = issue.code === "custom" || issue.code === "invalid_union";
  return unknowns.some(
    (unknown) => startsWith(path, unknown) || (judgesWhole && startsWith(unknown, path)),
  );
}

function toProblems(issue: z.core.$ZodIssue): Problem[] {
  const path = pathOf(issue);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => unknownKey([...path, key], key, []));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    // The member that got furthest says best what is wrong.
    const best = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0] ?? [];
    const inner = best.flatMap((cause) =>
      toProblems({ ...cause, path: [...path, ...pathOf(cause)] }),
    );
    if (inner.length > 0 && depth(best) > 0) return inner;
  }
  return [{ path: formatPath(path), message: issue.message }];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function pathOf(issue: z.core.$ZodIssue): Path {
  return issue.path.map((segment) => (typeof segment === "symbol" ? String(segment) : segment));
}
