/**
 * JSON as NX-OS sends it, with counters of 64 bits: a whole number that a JavaScript number cannot hold
 * exactly comes out as a bigint. Undefined when the text is no JSON.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, exactNumber) as unknown;
  } catch {
    return undefined;
  }
}

/** The reviver's third argument carries the text of a number (ECMAScript "JSON.parse source text access"). */
function exactNumber(
  _key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
}
