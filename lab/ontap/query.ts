import type { Json } from "../world/state";
import { invalidValue } from "./faults";
import { type Rec, valuesAt } from "./record";
import type { FieldType } from "./shape";

/** A condition on one property: any of the alternatives. */
export interface Condition {
  readonly path: string;
  readonly alternatives: readonly ((value: Json | undefined) => boolean)[];
}

/**
 * The query language of collections: `*` wildcard, `|` alternatives, `!` negation, `<` `>` `<=` `>=`,
 * `a..b` range, `null`, double quotes to take signs literally (NetApp "ONTAP automation", REST
 * implementation, input variables; operators also as `=<`, so the sign follows the `=`).
 */
export function parseCondition(path: string, type: FieldType, expression: string): Condition {
  return {
    path,
    alternatives: splitAlternatives(expression).map((part) => parseTerm(path, type, part)),
  };
}

/** Objects in which the property is unset never match, except by `null`. */
export function matches(record: Rec, conditions: readonly Condition[]): boolean {
  return conditions.every((condition) => {
    const values = valuesAt(record, condition.path);
    return condition.alternatives.some((test) =>
      values.length === 0 ? test(undefined) : values.some((value) => test(value)),
    );
  });
}

function splitAlternatives(expression: string): string[] {
  const parts: string[] = [];
  let part = "";
  let quoted = false;
  for (const sign of expression) {
    if (sign === '"') quoted = !quoted;
    if (sign === "|" && !quoted) {
      parts.push(part);
      part = "";
    } else part += sign;
  }
  return [...parts, part];
}

function parseTerm(
  path: string,
  type: FieldType,
  term: string,
): (value: Json | undefined) => boolean {
  if (term === "null") return (value) => value === undefined || value === null;
  if (term === "!null") return (value) => value !== undefined && value !== null;
  if (term.startsWith("!")) {
    const inner = parseTerm(path, type, term.slice(1));
    return (value) => value !== undefined && !inner(value);
  }
  const comparison = /^(<=|>=|<|>)(.*)$/s.exec(term);
  if (comparison?.[1] !== undefined && comparison[2] !== undefined) {
    return compare(path, type, comparison[1], comparison[2]);
  }
  const range = /^([^".]+)\.\.([^".]+)$/.exec(term);
  if (range?.[1] !== undefined && range[2] !== undefined && type !== "text") {
    const low = compare(path, type, ">=", range[1]);
    const high = compare(path, type, "<=", range[2]);
    return (value) => low(value) && high(value);
  }
  return equals(path, type, term);
}

function equals(path: string, type: FieldType, term: string): (value: Json | undefined) => boolean {
  const literal = /^"(.*)"$/s.exec(term)?.[1];
  if (type === "integer" || type === "size") {
    if (term === "*") return (value) => value !== undefined;
    const wanted = toNumber(path, type, literal ?? term);
    return (value) => value === wanted;
  }
  if (type === "boolean") {
    if (term === "*") return (value) => value !== undefined;
    if (!["true", "false"].includes(term)) throw invalidValue(term, path);
    return (value) => value === (term === "true");
  }
  if (literal !== undefined) return (value) => plain(value) === literal;
  if (!term.includes("*")) return (value) => plain(value) === term;
  const pattern = new RegExp(`^${term.split("*").map(escape).join(".*")}$`, "s");
  return (value) => {
    const found = plain(value);
    return found !== undefined && pattern.test(found);
  };
}

function compare(
  path: string,
  type: FieldType,
  operator: string,
  limit: string,
): (value: Json | undefined) => boolean {
  const numeric = type === "integer" || type === "size";
  const bound = numeric ? toNumber(path, type, limit) : limit;
  return (value) => {
    const found = numeric ? value : plain(value);
    if (typeof found !== "number" && typeof found !== "string") return false;
    if (operator === "<") return found < bound;
    if (operator === "<=") return found <= bound;
    if (operator === ">") return found > bound;
    return found >= bound;
  };
}

function toNumber(path: string, type: FieldType, term: string): number {
  const number =
    type === "size" ? parseSize(term) : /^-?\d+$/.test(term) ? Number(term) : undefined;
  if (number === undefined) throw invalidValue(term, path);
  return Number(number);
}

function plain(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? value.toString() : undefined;
}

function escape(part: string): string {
  return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const powers: Readonly<Record<string, bigint>> = { "": 0n, K: 1n, M: 2n, G: 3n, T: 4n, P: 5n };

/** Bytes; also text with KB, MB, GB, TB, PB as powers of 1024. Undefined when it is no size. */
export function parseSize(value: string): bigint | undefined {
  const match = /^(\d+)\s*(?:([KMGTP]?)B?)$/i.exec(value.trim());
  const power = powers[(match?.[2] ?? "").toUpperCase()];
  if (match?.[1] === undefined || power === undefined) return undefined;
  return BigInt(match[1]) * 1024n ** power;
}
