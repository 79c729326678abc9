import { FosError } from "./errors";

export type Body = Record<string, unknown>;

/** A list leaf or list: absent, one entry, or many. */
export function asList(value: unknown): unknown[] {
  if (value === undefined || value === "") return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

export function asBody(value: unknown, where: string): Body {
  if (value === "" || value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badValue(where);
  return value as Body;
}

/** Text of a leaf; XML gives everything as text. */
export function asText(value: unknown, where: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return value.toString();
  throw badValue(where);
}

export function asTexts(value: unknown, where: string): string[] {
  return asList(value).map((item) => asText(item, where));
}

export function asNumber(value: unknown, where: string): number {
  const number = Number(asText(value, where));
  if (!Number.isInteger(number)) throw badValue(where);
  return number;
}

/** Refuses leaves that the model does not have: a misspelt name must not pass in silence. */
export function onlyKnown(body: Body, known: readonly string[]): void {
  for (const name of Object.keys(body)) {
    if (!known.includes(name)) {
      throw new FosError(400, `Unknown element "${name}"`, {
        type: "protocol",
        tag: "unknown-element",
        path: `/${name}`,
      });
    }
  }
}

function badValue(where: string): FosError {
  return new FosError(400, `Invalid value of "${where}"`, {
    type: "protocol",
    tag: "invalid-value",
    path: `/${where}`,
  });
}
