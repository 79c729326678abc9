import { XMLParser } from "fast-xml-parser";

/** One element of an answer, order and repetition kept; prefixes of names are dropped. */
export class XmlElement {
  constructor(
    readonly name: string,
    readonly attributes: Readonly<Record<string, string>>,
    readonly elements: readonly XmlElement[],
    readonly text: string,
  ) {}

  /** The `xsi:type` without its prefix: a data object's class, or a simple type's name. */
  get type(): string | undefined {
    const key = Object.keys(this.attributes).find((name) => name.endsWith(":type"));
    const type = key === undefined ? undefined : this.attributes[key];
    return type === undefined ? undefined : type.slice(type.indexOf(":") + 1);
  }

  all(name: string): readonly XmlElement[] {
    return this.elements.filter((element) => element.name === name);
  }

  /** The same element with only the children of one name: a list that is written as repetition. */
  only(name: string): XmlElement {
    return new XmlElement(this.name, this.attributes, this.all(name), "");
  }

  /** First element at a path such as `summary.config`; undefined when any part is missing. */
  find(path: string): XmlElement | undefined {
    const [first = "", ...rest] = path.split(".");
    return rest.reduce(
      (found, part) => found?.elements.find((element) => element.name === part),
      this.elements.find((element) => element.name === first),
    );
  }

  /** Text at a path; undefined when it is missing. */
  string(path: string): string | undefined {
    return this.find(path)?.text;
  }

  /** A 32-bit number at a path. Use {@link bigint} for anything wider. */
  number(path: string): number | undefined {
    const text = this.string(path);
    return text === undefined || text.trim() === "" ? undefined : Number(text);
  }

  bigint(path: string): bigint | undefined {
    const text = this.string(path)?.trim();
    return text === undefined || !/^-?\d+$/.test(text) ? undefined : BigInt(text);
  }

  boolean(path: string): boolean | undefined {
    const text = this.string(path)?.trim();
    return text === undefined ? undefined : text === "true" || text === "1";
  }
}

type RawNode = Record<string, RawNode[] | string | Record<string, string>>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  removeNSPrefix: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Only what XML itself has: entities that a document type brings along are not expanded.
  entityDecoder: {
    decode: decodeEntities,
    setExternalEntities: () => undefined,
    addInputEntities: () => undefined,
    reset: () => undefined,
    setXmlVersion: () => undefined,
  },
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/**
 * Reads an XML document and answers its root element.
 * @throws {SyntaxError} when the text is not one XML element.
 */
export function parseXml(text: string): XmlElement {
  const nodes = parser.parse(text) as RawNode[];
  const root = nodes.map(toElement).find((element) => element !== undefined);
  if (root === undefined) throw new SyntaxError("the answer holds no XML element");
  return root;
}

function toElement(node: RawNode): XmlElement | undefined {
  const tag = Object.keys(node).find((key) => key !== ":@");
  if (tag === undefined || tag.startsWith("#")) return undefined;
  const children = node[tag] as RawNode[];
  const attributes = (node[":@"] ?? {}) as Record<string, string>;
  const elements = children.map(toElement).filter((element) => element !== undefined);
  const text = children
    .map((child) => (typeof child["#text"] === "string" ? child["#text"] : ""))
    .join("");
  return new XmlElement(tag.slice(tag.indexOf(":") + 1), attributes, elements, text);
}

/** Text as XML character data or attribute value. Characters that XML 1.0 cannot carry are refused. */
export function escapeXml(text: string): string {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(text)) {
    throw new RangeError("the text holds a control character that XML cannot carry");
  }
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\r/g, "&#xD;")
    .replace(/\n/g, "&#xA;")
    .replace(/\t/g, "&#x9;");
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (typeof name === "string") return namedEntities[name] ?? all;
    const code = typeof hex === "string" ? parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
