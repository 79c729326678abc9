import type { Json, JsonObject } from "../world/state";
import { invalidValue, unexpectedArgument } from "./faults";
import { project } from "./project";
import { type Condition, matches, parseCondition } from "./query";
import { type Rec, valuesAt } from "./record";
import type { Release } from "./release";
import { fieldAt, selectLeaves, type Shape } from "./shape";

/** What a query string asks for, checked against the fields of the release. */
export interface Query {
  readonly conditions: readonly Condition[];
  readonly fields: readonly string[] | undefined;
  readonly orderBy: readonly { readonly path: string; readonly descending: boolean }[];
  readonly maxRecords: number;
  readonly returnRecords: boolean | undefined;
  /** Undefined when the client sent none. */
  readonly returnTimeoutSeconds: number | undefined;
  /** Where the page starts: sort values of the last record of the page before. */
  readonly start: readonly Json[] | undefined;
  /** Flags of the operation, such as `allow_delete_while_mapped`. */
  readonly flags: ReadonlyMap<string, string>;
}

/** Largest page of the array when the client names no size. */
const defaultMaxRecords = 10_000;

/**
 * @param allowed names besides the general ones that this operation takes.
 * @throws {OntapFault} 262179 for an unknown name, 262197 for a bad value.
 */
export function parseQuery(
  shape: Shape,
  release: Release,
  search: URLSearchParams,
  allowed: readonly string[],
): Query {
  const general = new Map<string, string>();
  const flags = new Map<string, string>();
  const conditions: Condition[] = [];
  for (const [name, value] of search) {
    if (generalNames.includes(name)) general.set(name, value);
    else if (allowed.includes(name)) flags.set(name, value);
    else conditions.push(condition(shape, release, name, value));
  }
  const token = general.get("start.token");
  return {
    conditions,
    // Empty names are passed over: na_ontap_volume of netapp.ontap sends them.
    fields: general
      .get("fields")
      ?.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    orderBy: parseOrder(shape, release, general.get("order_by")),
    maxRecords: wholeNumber("max_records", general.get("max_records"), 1) ?? defaultMaxRecords,
    returnRecords: parseFlag("return_records", general.get("return_records")),
    returnTimeoutSeconds: wholeNumber("return_timeout", general.get("return_timeout"), 0, 120),
    start: token === undefined ? undefined : readToken(token),
    flags,
  };
}

const generalNames = [
  "fields",
  "max_records",
  "order_by",
  "return_records",
  "return_timeout",
  "start.token",
];

export function parseFlag(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  // NetApp's Python library sends its own spelling, `True`.
  const lower = value.toLowerCase();
  if (lower !== "true" && lower !== "false") throw invalidValue(value, name);
  return lower === "true";
}

function condition(shape: Shape, release: Release, name: string, value: string): Condition {
  const field = fieldAt(shape, release, name);
  if (field === undefined) throw unexpectedArgument(name);
  return parseCondition(name, field.type, value);
}

function wholeNumber(
  name: string,
  value: string | undefined,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+$/.test(value) ? Number(value) : -1;
  if (number < least || number > most) throw invalidValue(value, name);
  return number;
}

function parseOrder(shape: Shape, release: Release, value: string | undefined): Query["orderBy"] {
  return (value ?? "")
    .split(",")
    .filter((part) => part !== "")
    .map((part) => {
      const [path = "", direction = "asc"] = part.trim().split(/\s+/);
      const known = fieldAt(shape, release, path) !== undefined;
      if (!known || !["asc", "desc"].includes(direction)) throw invalidValue(part, "order_by");
      return { path, descending: direction === "desc" };
    });
}

/** Records that fulfil the conditions, in order. */
export function select(shape: Shape, records: readonly Rec[], query: Query): Rec[] {
  const order = sortPaths(shape, query);
  return records
    .filter((record) => matches(record, query.conditions))
    .map((record) => ({ record, values: order.map(({ path }) => valuesAt(record, path)[0] ?? "") }))
    .sort((a, b) => compareTuples(a.values, b.values, order))
    .map(({ record }) => record);
}

function sortPaths(shape: Shape, query: Query): Query["orderBy"] {
  const rest = ["svm.name", "name", ...shape.keys].filter((path) => path in shape.fields);
  return [...query.orderBy, ...rest.map((path) => ({ path, descending: false }))];
}

function compareTuples(a: readonly Json[], b: readonly Json[], order: Query["orderBy"]): number {
  for (const [index, { descending }] of order.entries()) {
    const x = a[index] ?? "";
    const y = b[index] ?? "";
    if (x === y) continue;
    return x < y === descending ? 1 : -1;
  }
  return 0;
}

export interface PageOptions {
  readonly release: Release;
  readonly hal: boolean;
  /** Path and query that the client sent, for the links. */
  readonly requestUrl: string;
  /** The array may return fewer records than asked for (collecting took too long). */
  readonly pageLimit: number | undefined;
}

/** The answer to a GET of a collection. */
export function page(
  shape: Shape,
  sorted: readonly Rec[],
  query: Query,
  options: PageOptions,
): JsonObject {
  const { release, hal, requestUrl } = options;
  const named = [...(query.fields ?? []), ...query.conditions.map((c) => c.path)];
  const leaves = selectLeaves(shape, release, named, false);
  if (query.returnRecords === false) return { num_records: sorted.length };
  const order = sortPaths(shape, query);
  const tuple = (record: Rec): Json[] => order.map(({ path }) => valuesAt(record, path)[0] ?? "");
  const start = query.start;
  const rest =
    start === undefined
      ? sorted
      : sorted.filter((record) => compareTuples(tuple(record), start, order) > 0);
  const length = Math.min(query.maxRecords, options.pageLimit ?? query.maxRecords);
  const part = rest.slice(0, length);
  const last = part[part.length - 1];
  const links: JsonObject = {};
  if (hal) links["self"] = { href: requestUrl };
  if (rest.length > part.length && last !== undefined) {
    links["next"] = { href: nextUrl(requestUrl, tuple(last)) };
  }
  return {
    records: part.map((record) => project(shape, record, leaves, hal)),
    num_records: part.length,
    ...(Object.keys(links).length > 0 ? { _links: links } : {}),
  };
}

/** The answer to a GET of one object. */
export function single(shape: Shape, record: Rec, query: Query, options: PageOptions): JsonObject {
  const leaves = selectLeaves(shape, options.release, query.fields, true);
  return project(shape, record, leaves, options.hal);
}

/** Records of a POST, PATCH or DELETE that asked for them: all that comes cheap. */
export function changed(
  shape: Shape,
  records: readonly Rec[],
  release: Release,
  hal: boolean,
): JsonObject {
  const leaves = selectLeaves(shape, release, ["*"], false);
  return {
    num_records: records.length,
    records: records.map((record) => project(shape, record, leaves, hal)),
  };
}

function nextUrl(requestUrl: string, last: readonly Json[]): string {
  const [path = "", search = ""] = requestUrl.split("?");
  const params = new URLSearchParams(search);
  params.set("start.token", Buffer.from(JSON.stringify(last)).toString("base64url"));
  return `${path}?${params.toString()}`;
}

function readToken(token: string): Json[] {
  try {
    const value = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as Json;
    if (Array.isArray(value)) return value;
  } catch {
    // Falls through to the refusal below.
  }
  throw invalidValue(token, "start.token");
}
