import type { XmlElement } from "../xml";
import { escapeXml } from "../xml";

/** Reference to a managed object of the vCenter, `HostSystem:host-21`. */
export interface MoRef {
  readonly type: string;
  readonly value: string;
}

/**
 * A data object of the vim25 schema. Fields must be given in the order of the schema (base class
 * first): they travel as an XSD sequence. Undefined fields are left out.
 */
export class DataObject {
  constructor(
    readonly type: string,
    readonly fields: Readonly<Record<string, VimValue>>,
  ) {}
}

/** A value of a field declared `anyType`, which needs its simple type said: `xsd:long`. */
export class TypedValue {
  constructor(
    readonly type: "xsd:string" | "xsd:int" | "xsd:long" | "xsd:boolean",
    readonly text: string,
  ) {}
}

/** An element of an answer that goes back as it came, for instance an option the server proposed. */
export class Verbatim {
  constructor(
    readonly element: XmlElement,
    /** New text for leaf elements, by path inside the element: `vmfs.volumeName`. */
    readonly changes: Readonly<Record<string, string>> = {},
  ) {}
}

export type VimValue =
  | string
  | number
  | bigint
  | boolean
  | MoRef
  | DataObject
  | TypedValue
  | Verbatim
  | readonly VimValue[]
  | undefined;

export function object(type: string, fields: Readonly<Record<string, VimValue>>): DataObject {
  return new DataObject(type, fields);
}

export function ref(type: string, value: string): MoRef {
  return { type, value };
}

/** Reads an element that holds a reference. */
export function refOf(element: XmlElement | undefined): MoRef | undefined {
  const type = element?.attributes["type"];
  return element === undefined || type === undefined
    ? undefined
    : { type, value: element.text.trim() };
}

/** Reads the elements of an `ArrayOfManagedObjectReference`. */
export function refsOf(element: XmlElement | undefined): readonly MoRef[] {
  return (element?.elements ?? []).map(refOf).filter((found) => found !== undefined);
}

/** One field as XML: lists repeat the element, undefined is nothing. */
export function encodeField(name: string, value: VimValue): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) {
    return (value as readonly VimValue[]).map((item) => encodeField(name, item)).join("");
  }
  if (value instanceof DataObject) {
    const inner = Object.entries(value.fields).map(([key, field]) => encodeField(key, field));
    return `<${name} xsi:type="${value.type}">${inner.join("")}</${name}>`;
  }
  if (value instanceof TypedValue) {
    return `<${name} xsi:type="${value.type}">${escapeXml(value.text)}</${name}>`;
  }
  if (value instanceof Verbatim) return encodeElement(name, value.element, value.changes, "");
  if (typeof value === "object") {
    const { type, value: id } = value as MoRef;
    // The type is said although most fields imply it: fields of `anyType` need it.
    const said = name === "_this" ? "" : ' xsi:type="ManagedObjectReference"';
    return `<${name}${said} type="${escapeXml(type)}">${escapeXml(id)}</${name}>`;
  }
  return `<${name}>${escapeXml(String(value))}</${name}>`;
}

function encodeElement(
  name: string,
  element: XmlElement,
  changes: Readonly<Record<string, string>>,
  path: string,
): string {
  const reference = element.attributes["type"];
  const attributes = [
    ...(element.type === undefined ? [] : [` xsi:type="${escapeXml(schemaType(element.type))}"`]),
    ...(reference === undefined ? [] : [` type="${escapeXml(reference)}"`]),
  ].join("");
  const inner = element.elements.map((child) =>
    encodeElement(child.name, child, changes, path === "" ? child.name : `${path}.${child.name}`),
  );
  const text = changes[path] ?? element.text;
  return `<${name}${attributes}>${inner.length > 0 ? inner.join("") : escapeXml(text)}</${name}>`;
}

/** Simple types belong to the schema language's namespace, all others to vim25. */
function schemaType(type: string): string {
  return /^[a-z]/.test(type) ? `xsd:${type}` : type;
}
