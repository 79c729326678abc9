import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from "yaml";
import type { Problem } from "../bed/errors";
import { problemPath, quoted, type ValuePath } from "../bed/schema-problems";

/** What a text says, and what is wrong with it as YAML. With problems the value may lack parts. */
export interface YamlInput {
  readonly value: unknown;
  /** With places as `file:line:column`. */
  readonly problems: readonly Problem[];
  /** False: the text could not be read as a whole, so that its content says nothing. */
  readonly whole: boolean;
}

/** More than any site or stack needs, few enough that a small file cannot become a large value. */
const limits = { depth: 50, values: 200_000, problems: 100 };

/**
 * Reads YAML 1.2 (and so JSON) as plain data: maps, lists, texts, numbers, truth values. Cycles, keys
 * that are there twice, and values that only some programs understand are problems, never exceptions.
 */
export function parseYaml(text: string, file: string): YamlInput {
  const deep = tooDeep(text, file);
  if (deep !== undefined) return { value: undefined, problems: [deep], whole: false };
  const lines = new LineCounter();
  let document: Document;
  try {
    // Double keys are looked for below: the parser compares each key with each.
    document = parseDocument(text, { uniqueKeys: false, lineCounter: lines, prettyErrors: false });
  } catch (error) {
    const message = error instanceof RangeError ? nestedTooDeeply : "cannot be read as YAML";
    return { value: undefined, problems: [{ path: file, message }], whole: false };
  }
  const told = [...document.errors, ...document.warnings].slice(0, limits.problems);
  const problems = told.map((error): Problem => {
    const { line, col } = lines.linePos(error.pos[0]);
    return {
      path: `${file}:${line.toString()}:${col.toString()}`,
      message: `is no plain YAML: ${error.message}`,
    };
  });
  if (document.errors.length > 0) return { value: undefined, problems, whole: false };
  const reader = new NodeReader(file, lines);
  const value = reader.read(document.contents, []);
  return { value, problems: [...problems, ...reader.problems], whole: true };
}

const nestedTooDeeply = `is nested more than ${limits.depth.toString()} levels deep`;

/** The parser's time grows with the square of the depth: what is far too deep never gets there. */
function tooDeep(text: string, file: string): Problem | undefined {
  let open = 0;
  for (const [index, line] of text.split("\n").entries()) {
    for (const character of line) {
      if (character === "[" || character === "{") open += 1;
      else if (character === "]" || character === "}") open -= 1;
    }
    const block = /^\s*(?:[-?:]\s+){50}|^\s{1000}/.test(line);
    if (block || open > 500) {
      return { path: `${file}:${(index + 1).toString()}`, message: nestedTooDeeply };
    }
  }
  return undefined;
}

/** Turns nodes into plain values, in the order of the text, so that an alias means the anchor before it. */
class NodeReader {
  readonly problems: Problem[] = [];
  readonly #file: string;
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Node>();
  /** Nodes that are being read: an alias to one of them would never end. */
  readonly #open = new Set<Node>();
  #values = 0;

  constructor(file: string, lines: LineCounter) {
    this.#file = file;
    this.#lines = lines;
  }

  read(node: Node | null, path: ValuePath): unknown {
    if (node === null) return null;
    this.#values += 1;
    if (this.#values > limits.values) {
      if (this.#values === limits.values + 1) {
        this.#problem(
          node,
          path,
          `aliases make more than ${limits.values.toString()} values of it`,
        );
      }
      return null;
    }
    if (path.length > limits.depth) {
      this.#problem(node, path.slice(0, 5), nestedTooDeeply);
      return null;
    }
    if (isAlias(node)) return this.#readAlias(node.source, node, path);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    try {
      return this.#readContent(node, path);
    } finally {
      this.#open.delete(node);
    }
  }

  #readAlias(name: string, alias: Node, path: ValuePath): unknown {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      this.#problem(alias, path, `there is no anchor &${name} before the alias *${name}`);
      return null;
    }
    if (this.#open.has(target)) {
      this.#problem(
        alias,
        path,
        `the alias *${name} lies inside what it stands for: it never ends`,
      );
      return null;
    }
    return this.read(target, path);
  }

  #readContent(node: Node, path: ValuePath): unknown {
    if (isMap(node)) return this.#readMap(node.items as Pair<Node, Node | null>[], path);
    if (isSeq(node)) {
      return node.items.map((item, index) => this.read(item as Node | null, [...path, index]));
    }
    const value = isScalar(node) ? node.value : undefined;
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
    this.#problem(node, path, "is neither map, list, text, number nor truth value");
    return null;
  }

  #readMap(pairs: readonly Pair<Node, Node | null>[], path: ValuePath): unknown {
    const entries = new Map<string, unknown>();
    for (const { key, value } of pairs) {
      const name = isScalar(key) ? String(key.value) : undefined;
      if (name === undefined) {
        this.#problem(key, path, "a key must be a plain word");
        continue;
      }
      if (name === "__proto__") {
        this.#problem(key, path, '"__proto__" can be no key');
        continue;
      }
      if (entries.has(name)) {
        this.#problem(key, path, `the key ${quoted(name)} is there twice`);
      }
      entries.set(name, this.read(value, [...path, name]));
    }
    return Object.fromEntries(entries);
  }

  #problem(node: Node, path: ValuePath, message: string): void {
    if (this.problems.length >= limits.problems) return;
    const { line, col } = this.#lines.linePos(node.range?.[0] ?? 0);
    const place = path.length === 0 ? "" : `${problemPath(path)}: `;
    this.problems.push({
      path: `${this.#file}:${line.toString()}:${col.toString()}`,
      message: `${place}${message}`,
    });
  }
}
