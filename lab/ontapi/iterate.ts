import type { Iterator, ZapiCall } from "./api";
import { errno, extraInput, invalidInput, ZapiFault } from "./faults";
import type { Inputs } from "./inputs";
import { checkShape, desired, matches } from "./shape";
import { childOf, type Elem, isNode, type ZNode } from "./xml";

/** What every `…-get-iter` takes. */
export const iteratorInputs: Inputs = {
  "desired-attributes": { type: "tree" },
  "max-records": { type: "integer" },
  query: { type: "tree" },
  tag: { type: "text" },
};

/** Records of a page when the client names no number. */
const defaultMaxRecords = 20;
const highestMaxRecords = 4_294_967_295;

/**
 * One page. The tag names the last record that was sent, so that records which come and go between
 * two pages neither repeat nor hide others; it holds XML on purpose, as real ones do.
 * @throws {ZapiFault} for a query of another record type, an unknown attribute, or a bad tag.
 */
export function page(api: Iterator, call: ZapiCall): ZNode {
  const { args, ctx } = call;
  const show = api.shown ?? ((record: ZNode): ZNode => record);
  const query = treeOf(api, args.tree("query"));
  const wanted = treeOf(api, args.tree("desired-attributes"));
  const maxRecords = args.integer("max-records") ?? defaultMaxRecords;
  if (maxRecords < 1 || maxRecords > highestMaxRecords) {
    throw invalidInput(args.api, "max-records", maxRecords.toString());
  }
  const found = api
    .list(call)
    .filter((record) => query === undefined || matches(record, query))
    .map((record) => ({ record, key: keyOf(api, record) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const after = readTag(args.text("tag"));
  const rest = after === undefined ? found : found.filter(({ key }) => key > after);
  const length = Math.min(maxRecords, ctx.behaviour.pageLimit ?? maxRecords);
  const sent = rest.slice(0, length);
  const last = sent[sent.length - 1];
  const more = rest.length > sent.length && last !== undefined;
  return {
    "attributes-list":
      sent.length === 0
        ? undefined
        : { [api.record]: sent.map(({ record }) => desired(show(record), wanted)) },
    "next-tag": more ? writeTag(args.api, last.key) : undefined,
    "num-records": sent.length,
  };
}

/** The record element inside `query` or `desired-attributes`. */
function treeOf(api: Iterator, tree: Elem | undefined): Elem | undefined {
  if (tree === undefined || tree.children.length === 0) return undefined;
  const other = tree.children.find((child) => child.name !== api.record);
  if (other !== undefined) throw extraInput(other.name);
  const elem = childOf(tree, api.record);
  if (elem !== undefined) checkShape(elem, api.shape);
  return elem;
}

/** Orders records and tells them apart. */
function keyOf(api: Iterator, record: ZNode): string {
  return api.keys.map((path) => leafAt(record, path.split("."))).join("\u0000");
}

function leafAt(record: ZNode, steps: readonly string[]): string {
  const [step = "", ...rest] = steps;
  const value = record[step];
  if (rest.length > 0) return isNode(value) ? leafAt(value, rest) : "";
  return typeof value === "object" || value === undefined ? "" : value.toString();
}

function writeTag(api: string, key: string): string {
  const token = Buffer.from(key).toString("base64url");
  return `<${api}-key-td><key-0>${token}</key-0></${api}-key-td>`;
}

function readTag(tag: string | undefined): string | undefined {
  if (tag === undefined || tag === "") return undefined;
  const token = /<key-0>([\w-]+)<\/key-0>/.exec(tag)?.[1];
  if (token === undefined) {
    throw new ZapiFault(errno.badTag, `Invalid tag: ${tag}`);
  }
  return Buffer.from(token, "base64url").toString();
}
