import { XMLParser, XMLValidator } from "fast-xml-parser";

/** An element of a request. Texts are unescaped; an element has children or text, never both. */
export interface Elem {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Elem[];
  readonly text: string;
}

/** A value of an answer: leaves, one object, or one element name several times. */
export type ZValue = string | boolean | bigint | number | ZNode | readonly ZValue[];
/** Elements of an answer by name, in the order in which they are sent; undefined ones are left out. */
export interface ZNode {
  readonly [name: string]: ZValue | undefined;
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: true,
});

/** What the parser makes of an element: its name with its content, and its attributes beside it. */
type Raw = Record<string, unknown>;

/** The root element; undefined when the text is no well-formed document. A DOCTYPE is passed over. */
export function parseXml(text: string): Elem | undefined {
  const bare = text.replace(/<!DOCTYPE[^>[]*>/i, "");
  // A declared entity could name files of the server: never expanded, never looked at.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(bare)) return undefined;
  if (XMLValidator.validate(bare) !== true) return undefined;
  const roots = elements(parser.parse(bare) as Raw[]);
  return roots.length === 1 ? roots[0] : undefined;
}

function elements(raws: readonly Raw[]): Elem[] {
  return raws.flatMap((raw) => {
    const name = Object.keys(raw).find((key) => key !== ":@" && key !== "#text");
    if (name === undefined) return [];
    const inside = (raw[name] ?? []) as Raw[];
    const texts = inside.flatMap((part) => ("#text" in part ? [String(part["#text"])] : []));
    return [
      {
        name,
        attributes: (raw[":@"] ?? {}) as Record<string, string>,
        children: elements(inside),
        text: texts.join(""),
      },
    ];
  });
}

/** The child of that name; undefined when there is none. */
export function childOf(elem: Elem | undefined, name: string): Elem | undefined {
  return elem?.children.find((child) => child.name === name);
}

/** Elements of an answer as text. */
export function renderNode(node: ZNode): string {
  return Object.entries(node)
    .map(([name, value]) => (value === undefined ? "" : render(name, value)))
    .join("");
}

function render(name: string, value: ZValue): string {
  if (isList(value)) return value.map((element) => render(name, element)).join("");
  const inside = isNode(value) ? renderNode(value) : escapeXml(String(value));
  return inside === "" ? `<${name}/>` : `<${name}>${inside}</${name}>`;
}

export function isList(value: ZValue): value is readonly ZValue[] {
  return Array.isArray(value);
}

export function isNode(value: ZValue | undefined): value is ZNode {
  return typeof value === "object" && !Array.isArray(value);
}

export function escapeXml(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&apos;");
}
