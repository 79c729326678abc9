import { z } from "zod";

const rangeLimit = 4096;

/**
 * Addresses, one by one (`192.0.2.11`) or as a range with both ends (`192.0.2.11-192.0.2.42`); come
 * out one by one, in the order given.
 */
export const addressList = z.array(z.string()).transform(expandAll);

/** The same with at least one address. */
export const addressPool = z.array(z.string()).min(1).transform(expandAll);

function expandAll(entries: readonly string[], context: z.RefinementCtx): string[] {
  return entries.flatMap((entry, index) => {
    const addresses = expand(entry);
    if (typeof addresses !== "string") return addresses;
    context.addIssue({ code: "custom", message: addresses, path: [index] });
    return [];
  });
}

function expand(entry: string): string[] | string {
  const [first = "", last = first, ...more] = entry.split("-").map((part) => part.trim());
  const [from, to] = [addressNumber(first), addressNumber(last)];
  if (from === undefined || to === undefined || more.length > 0) {
    return "expected an IPv4 address or a range such as 192.0.2.11-192.0.2.42";
  }
  if (to < from) return "the range ends before it begins";
  const count = to - from + 1;
  if (count > rangeLimit)
    return `a range of ${count.toString()} addresses, at most ${rangeLimit.toString()} are taken`;
  return Array.from({ length: count }, (_, index) => addressText(from + index));
}

/** The 32-bit value of an IPv4 address in dotted form; undefined for anything else. */
export function addressNumber(text: string): number | undefined {
  if (!z.ipv4().safeParse(text).success) return undefined;
  return text.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}

function addressText(value: number): string {
  return [24, 16, 8, 0].map((shift) => ((value >>> shift) & 255).toString()).join(".");
}
