import type { Problem } from "../../bed/errors";
import { ConfigError } from "../../bed/errors";
import { difference, withoutIgnored } from "./difference";
import type { PropertyChange } from "./handler";
import { parseInputs, parseRecorded } from "./parse";
import { parsePath, valueAt } from "./property-path";
import type { AnyResource } from "./session";
import type { Properties } from "./values";
import { containsUnknown, decode, encode } from "./values";
import { secretPaths } from "./zod-walk";

export interface CheckAnswer {
  /** On the wire: defaults applied, secrets wrapped, unknowns kept. */
  readonly inputs: Properties;
  readonly problems: readonly Problem[];
}

/** Check of a resource's inputs. Everything that is wrong at once; unknown values are never wrong. */
export function checkResource(handler: AnyResource, news: Properties | undefined): CheckAnswer {
  const decoded = decode(news);
  const { value, problems } = parseInputs(handler.inputs, decoded);
  const secrets = [...decoded.secrets, ...secretPaths(handler.inputs, value)];
  const further = handler.check === undefined ? [] : furtherProblems(handler, value, problems);
  return { inputs: encode(value, secrets), problems: [...problems, ...further] };
}

/** The handler's own check sees only properties that are known and sound as a whole. */
function furtherProblems(
  handler: AnyResource,
  value: Properties,
  problems: readonly Problem[],
): readonly Problem[] {
  const unsound = new Set(problems.map(({ path }) => String(parsePath(path)[0])));
  const sound = Object.entries(value).filter(
    ([key, v]) => !unsound.has(key) && !containsUnknown(v),
  );
  try {
    return handler.check?.(Object.fromEntries(sound)) ?? [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

export interface DiffQuestion {
  /** The recorded outputs. */
  readonly olds: Properties | undefined;
  /** The recorded inputs; very old engines do not send them. */
  readonly oldInputs: Properties | undefined;
  readonly news: Properties | undefined;
  readonly ignoreChanges: readonly string[];
}

export interface DiffAnswer {
  readonly changes: readonly PropertyChange[];
  readonly deleteBeforeReplace: boolean;
  readonly stables: readonly string[];
}

/**
 * What a change of inputs means. Recorded inputs get today's defaults before they are compared, so
 * that a new version of the plugin with a new default is no change.
 */
export function diffResource(handler: AnyResource, question: DiffQuestion): DiffAnswer {
  const state = decode(question.olds).value;
  const recorded = question.oldInputs === undefined ? state : decode(question.oldInputs).value;
  const olds = knownTo(handler, parseRecorded(handler.inputs, recorded));
  const news = parseInputs(handler.inputs, decode(question.news)).value;
  const replaces = (property: string): boolean =>
    handler.update === undefined || handler.replaceOn.includes(property);
  const { replaceOnUnknown = [] } = handler;
  const parts =
    typeof replaceOnUnknown === "function"
      ? replaceOnUnknown(parseRecorded(handler.state, state))
      : replaceOnUnknown;
  const anew = (change: PropertyChange): PropertyChange =>
    change.replace || !isMadeAnew(parts, change, news) ? change : { ...change, replace: true };
  const found = difference(olds, news, replaces).map(anew);
  let changes = withoutIgnored(found, question.ignoreChanges);
  if (handler.diff !== undefined && !containsUnknown(news)) {
    const adjusted = handler.diff(changes, parseRecorded(handler.state, state), news);
    changes = withoutIgnored(adjusted, question.ignoreChanges);
  }
  const replace = changes.some((change) => change.replace);
  return {
    changes,
    deleteBeforeReplace: replace && handler.deleteBeforeReplace,
    stables: replace ? [] : ["id", ...(handler.stables ?? [])],
  };
}

/** A part that had a value and is not known now (see `replaceOnUnknown`). */
function isMadeAnew(parts: readonly string[], change: PropertyChange, news: Properties): boolean {
  const path = parsePath(change.path);
  return (
    parts.includes(String(path[0])) &&
    change.kind === "update" &&
    containsUnknown(valueAt(news, path))
  );
}

function knownTo(handler: AnyResource, inputs: Properties): Properties {
  const known = Object.keys(handler.inputs.shape);
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => known.includes(key)));
}
