import { NotModelled } from "../ontap/faults";
import { extraInput, invalidInput, missingInput } from "./faults";
import { childOf, type Elem } from "./xml";

/** How an input element is written. `size` is bytes, or a number with k, m, g or t where `units` says so. */
type InputType = "text" | "boolean" | "integer" | "list" | "tree";

export interface Input {
  readonly type: InputType;
  readonly required?: true;
  readonly values?: readonly string[];
  /** Name of the elements of a list, `<aggr-list><aggr-name>…`. */
  readonly of?: string;
  /** The array knows the element, this emulator does not model what it would do. */
  readonly notModelled?: true;
}

export type Inputs = Readonly<Record<string, Input>>;

export const text: Input = { type: "text" };
export const boolean: Input = { type: "boolean" };
export const integer: Input = { type: "integer" };
export const requiredText: Input = { type: "text", required: true };
export const oneOf = (...values: string[]): Input => ({ type: "text", values });
export const listOf = (of: string): Input => ({ type: "list", of });
export const unmodelled: Input = { type: "text", notModelled: true };

/** Input elements of one call, checked. */
export class Args {
  constructor(
    readonly api: string,
    private readonly elem: Elem,
  ) {}

  text(name: string): string | undefined {
    return childOf(this.elem, name)?.text;
  }

  /** For elements that the API declares as required. */
  need(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === "") throw missingInput(name);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : isTrue(value);
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }

  bytes(name: string): bigint | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const bytes = parseBytes(value);
    if (bytes === undefined) throw invalidInput(this.api, name, value);
    return bytes;
  }

  /** Undefined when the list is not there at all. */
  list(name: string, of: string): string[] | undefined {
    const list = childOf(this.elem, name);
    if (list === undefined) return undefined;
    return list.children.filter((child) => child.name === of).map((child) => child.text);
  }

  tree(name: string): Elem | undefined {
    return childOf(this.elem, name);
  }
}

const unitBytes: Readonly<Record<string, bigint>> = {
  "": 1n,
  k: 1024n,
  m: 1024n ** 2n,
  g: 1024n ** 3n,
  t: 1024n ** 4n,
};

/** `number[k|m|g|t]` as the volume APIs take sizes; undefined for anything else. */
export function parseBytes(value: string): bigint | undefined {
  const match = /^(\d{1,19})([kmgt]?)b?$/i.exec(value.trim());
  if (match === null) return undefined;
  return BigInt(match[1] ?? "0") * (unitBytes[(match[2] ?? "").toLowerCase()] ?? 1n);
}

/** Python clients send `True` and `False`; both spellings are taken. */
function isTrue(value: string): boolean {
  return value.toLowerCase() === "true";
}

/**
 * @throws {ZapiFault} for an element that is unknown, missing, or holds a value of the wrong kind.
 * @throws {NotModelled} for one whose effect the emulator does not have.
 */
export function checkInputs(api: string, elem: Elem, inputs: Inputs): Args {
  for (const child of elem.children) {
    const input = inputs[child.name];
    if (input === undefined) throw extraInput(child.name);
    if (input.notModelled === true) throw new NotModelled(`element "${child.name}" of ${api}`);
    checkValue(api, child, input);
  }
  for (const [name, input] of Object.entries(inputs)) {
    if (input.required === true && childOf(elem, name) === undefined) throw missingInput(name);
  }
  return new Args(api, elem);
}

function checkValue(api: string, child: Elem, input: Input): void {
  const value = child.text;
  if (input.type === "tree") return;
  if (input.type === "list") {
    const other = child.children.find((inner) => inner.name !== input.of);
    if (other !== undefined) throw extraInput(other.name);
    return;
  }
  const [inner] = child.children;
  if (inner !== undefined) throw extraInput(inner.name);
  const fits =
    (input.type !== "boolean" || /^(?:true|false)$/i.test(value)) &&
    (input.type !== "integer" || /^\d{1,19}$/.test(value)) &&
    (input.values === undefined || input.values.includes(value));
  if (!fits) throw invalidInput(api, child.name, value);
}
