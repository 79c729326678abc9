import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";

/** A value that only a person can give: written as nothing, with a comment that begins `decide:`. */
export class Decide {
  constructor(
    readonly question: string,
    /** What there is to choose from, a line each. */
    readonly options: readonly string[] = [],
  ) {}
}

/** A value with a remark: beside a plain value, above a list or a map. */
export class Remarked {
  constructor(
    readonly value: Draft,
    readonly remark: string,
  ) {}
}

/** A site as far as it is known. Undefined members are left out; null is what a file left undecided. */
export type Draft =
  | null
  | string
  | number
  | boolean
  | Decide
  | Remarked
  | readonly Draft[]
  | { readonly [key: string]: Draft | undefined };

/** The draft as YAML with its comments. Text of devices cannot break out of a comment. */
export function draftYaml(draft: Draft, head: readonly string[]): string {
  const document = new Document();
  document.contents = node(document, draft);
  document.commentBefore = head.map(comment).join("\n");
  return document.toString({ lineWidth: 0, nullStr: "" });
}

/** How many values a person must still give. */
export function undecided(draft: Draft): number {
  if (draft === null || draft instanceof Decide) return 1;
  if (draft instanceof Remarked) {
    return undecided(draft.value) + (draft.remark.startsWith("decide:") ? 1 : 0);
  }
  if (typeof draft !== "object") return 0;
  return Object.values(draft as Readonly<Record<string, Draft | undefined>>).reduce(
    (sum: number, one) => sum + (one === undefined ? 0 : undecided(one)),
    0,
  );
}

const leftEmpty = new Decide("was left empty in the file");

function node(document: Document, draft: Draft): Node {
  if (draft === null) return node(document, leftEmpty);
  if (draft instanceof Decide) {
    const empty = new Scalar(null);
    empty.comment = comment(`decide: ${draft.question}`);
    return empty;
  }
  if (draft instanceof Remarked) {
    const inner = node(document, draft.value);
    if (inner instanceof Scalar) inner.comment = comment(draft.remark);
    return inner;
  }
  if (Array.isArray(draft)) return list(document, draft as readonly Draft[]);
  if (typeof draft !== "object") return document.createNode(draft);
  return map(document, draft as Readonly<Record<string, Draft | undefined>>);
}

function list(document: Document, items: readonly Draft[]): Node {
  const result = new YAMLSeq<Node>(document.schema);
  for (const item of items) {
    const entry = node(document, item);
    if (remarkAbove(item) !== undefined) entry.commentBefore = remarkAbove(item);
    result.items.push(entry);
  }
  result.flow = items.every((one) => typeof one === "number");
  return result;
}

function map(document: Document, members: Readonly<Record<string, Draft | undefined>>): Node {
  const result = new YAMLMap<Scalar<string>, Node>(document.schema);
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    const name = new Scalar(key);
    const above = remarkAbove(value) ?? optionsAbove(value);
    if (above !== undefined) name.commentBefore = above;
    result.items.push(new Pair(name, node(document, value)));
  }
  // Three short words read better on one line.
  const values = Object.values(members).filter((one) => one !== undefined);
  result.flow = values.length <= 3 && values.every((one) => typeof one === "string");
  return result;
}

function remarkAbove(draft: Draft): string | undefined {
  const plain = !(draft instanceof Remarked) || typeof draft.value !== "object";
  return plain ? undefined : comment(draft.remark);
}

function optionsAbove(draft: Draft): string | undefined {
  if (!(draft instanceof Decide) || draft.options.length === 0) return undefined;
  return draft.options.map((option) => comment(`  ${option}`)).join("\n");
}

function comment(text: string): string {
  // Device text may hold anything; a line end would end the comment.
  return ` ${text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]+/g, " ")}`;
}
