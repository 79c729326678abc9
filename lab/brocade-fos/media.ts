import { XMLParser } from "fast-xml-parser";
import type { EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import { FosError } from "./errors";

/** A tree of leaves, lists and containers under their YANG names. */
export interface Tree {
  readonly [name: string]: Leaf | undefined;
}
export type Leaf = string | number | bigint | boolean | Tree | readonly Leaf[];

const json = "application/yang-data+json";
const xml = "application/yang-data+xml";

/** Media type of the answer. XML unless JSON is asked for by its full name. */
export function wantsJson(request: EmulatorRequest): boolean {
  return (request.headers["accept"] ?? "").toLowerCase().includes(json);
}

export function reply(request: EmulatorRequest, status: number, tree?: Tree): EmulatorReply {
  const asJson = wantsJson(request);
  const headers = { "content-type": asJson ? json : xml };
  if (tree === undefined) return { status, headers };
  const body = asJson ? jsonOf(tree) : `<?xml version="1.0"?>${xmlOf(tree)}`;
  return { status, headers, body };
}

/** JSON with bigints as plain numbers, all their digits kept. */
function jsonOf(tree: Tree): string {
  const marked = JSON.stringify(tree, (_key, value: unknown) =>
    typeof value === "bigint" ? `${bigMark}${value.toString()}` : value,
  );
  return marked.replaceAll(new RegExp(`"${bigMark}(\\d+)"`, "g"), "$1");
}

/** No name and no text of the switch holds it. */
const bigMark = "#64-bit#";

/** Parses a body by its Content-Type; an empty body is an empty tree. */
export function parseBody(request: EmulatorRequest): Record<string, unknown> {
  if (request.body.trim() === "") return {};
  const type = (request.headers["content-type"] ?? xml).split(";")[0]?.trim().toLowerCase();
  if (type !== json && type !== xml) {
    throw new FosError(415, "Unsupported Media Type", { tag: "unsupported-media-type" });
  }
  const parsed = type === json ? parseJson(request.body) : parseXml(request.body);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw malformed();
  return parsed as Record<string, unknown>;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw malformed();
  }
}

function parseXml(body: string): unknown {
  const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false, trimValues: true });
  try {
    const tree = parser.parse(body, true) as Record<string, unknown>;
    delete tree["?xml"];
    return tree;
  } catch {
    throw malformed();
  }
}

function malformed(): FosError {
  return new FosError(400, "Malformed request body", {
    type: "protocol",
    tag: "malformed-message",
  });
}

function xmlOf(tree: Tree): string {
  return Object.entries(tree)
    .map(([name, value]) => (value === undefined ? "" : xmlElement(name, value)))
    .join("");
}

function xmlElement(name: string, value: Leaf): string {
  if (Array.isArray(value)) return (value as Leaf[]).map((v) => xmlElement(name, v)).join("");
  if (typeof value === "object") return `<${name}>${xmlOf(value as Tree)}</${name}>`;
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
