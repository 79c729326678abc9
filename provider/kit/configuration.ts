import type { z } from "zod";
import type { Problem } from "../../bed/errors";
import { ConfigError } from "../../bed/errors";
import type { CheckAnswer, DiffAnswer } from "./check-diff";
import { difference } from "./difference";
import { parseComplete, parseInputs, parseRecorded } from "./parse";
import { valueAt } from "./property-path";
import type { AnyDefinition, Session } from "./session";
import type { Decoded, Properties } from "./values";
import { containsUnknown, decode, encode, textsAt } from "./values";
import { definitionOf, secretPaths, unwrap } from "./zod-walk";

/** Settings that belong to the engine, not to the provider; passed through. */
const engineSettings = new Set(["version", "pluginDownloadURL"]);

/** CheckConfig. Settings that are not strings are also accepted as JSON text: all SDKs send them so. */
export function checkConfig(definition: AnyDefinition, news: Properties | undefined): CheckAnswer {
  const { own, engine } = split(news);
  const { decoded, problems: textProblems } = fromJsonText(definition.config, decode(own));
  const { value, problems } = parseInputs(definition.config, decoded);
  const noText = new Set(textProblems.map(({ path }) => path));
  const all = [...textProblems, ...problems.filter(({ path }) => !noText.has(path))];
  if (all.length === 0 && !containsUnknown(value)) all.push(...furtherProblems(definition, value));
  const secrets = [...decoded.secrets, ...secretPaths(definition.config, value)];
  return { inputs: { ...encode(value, secrets), ...engine }, problems: all };
}

/**
 * DiffConfig: replaces the provider, and all it owns, only where the definition says so.
 *
 * @throws {ConfigError} when the definition refuses the change
 */
export function diffConfig(
  definition: AnyDefinition,
  olds: Properties | undefined,
  news: Properties | undefined,
): DiffAnswer {
  const parse = (wire: Properties | undefined): Properties =>
    parseRecorded(
      definition.config,
      fromJsonText(definition.config, decode(split(wire).own)).decoded.value,
    );
  const [before, after] = [parse(olds), parse(news)];
  if (!containsUnknown(before) && !containsUnknown(after)) refuseConfig(definition, before, after);
  // An unknown setting is no reason to replace a whole bed: only a known other value is.
  const replaces = (property: string): boolean =>
    definition.replaceConfigOn.includes(property) && !containsUnknown(after[property]);
  const changes = difference(before, after, replaces);
  return { changes, deleteBeforeReplace: false, stables: [] };
}

function refuseConfig(definition: AnyDefinition, olds: Properties, news: Properties): void {
  const problems = definition.refuseConfig?.(olds, news) ?? [];
  if (problems.length === 0) return;
  throw new ConfigError(
    problems,
    `${definition.name}: settings that must not change while resources stand`,
  );
}

/**
 * Configure. The engine does not configure a provider whose settings are not all known yet, but
 * should one come it stays unconfigured.
 */
export async function configure(session: Session, args: Properties | undefined): Promise<void> {
  const { definition } = session;
  const { decoded, problems } = fromJsonText(definition.config, decode(split(args).own));
  if (decoded.unknowns.length > 0) return;
  const title = `${definition.name}: the provider's settings have problems`;
  if (problems.length > 0) throw new ConfigError(problems, title);
  const config = parseComplete(definition.config, decoded, title);
  // A table that came as secret JSON text is secret as a whole only because text cannot be so in part:
  // names and addresses in it must stay readable in messages.
  const texts = decoded.secrets.filter((path) => typeof valueAt(config, path) === "string");
  session.configSecrets = textsAt(config, [...texts, ...secretPaths(definition.config, config)]);
  await session.setContext(definition.configure(config));
}

function furtherProblems(definition: AnyDefinition, value: Properties): readonly Problem[] {
  try {
    return definition.checkConfig?.(value) ?? [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function split(wire: Properties | undefined): { own: Properties; engine: Properties } {
  const entries = Object.entries(wire ?? {}).filter(([key]) => key !== "__internal");
  return {
    own: Object.fromEntries(entries.filter(([key]) => !engineSettings.has(key))),
    engine: Object.fromEntries(entries.filter(([key]) => engineSettings.has(key))),
  };
}

function fromJsonText(
  schema: z.ZodObject,
  decoded: Decoded,
): { readonly decoded: Decoded; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const value = { ...decoded.value };
  for (const [key, member] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const text = value[key];
    if (typeof text !== "string" || !isStructured(member)) continue;
    try {
      value[key] = JSON.parse(text) as unknown;
    } catch {
      problems.push({
        path: key,
        message: "is text, but no valid JSON",
        remedy: "give an object, or the object as JSON text",
      });
    }
  }
  // What came as text may hold wrapped values inside.
  const inner = decode(value);
  const merged = {
    value: inner.value,
    secrets: [...decoded.secrets, ...inner.secrets],
    unknowns: decoded.unknowns,
  };
  return { decoded: merged, problems };
}

function isStructured(schema: z.core.$ZodType): boolean {
  const { type } = definitionOf(unwrap(schema));
  return ["object", "record", "array", "number", "boolean"].includes(type);
}
