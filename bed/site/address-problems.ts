import type { Problem } from "../errors";
import { addressNumber } from "./addresses";
import type { PartialSite } from "./partial";

/** Addresses of guests: each once, in the gateway's network, and none that means something else. */
export function addressProblems({ guests }: PartialSite): Problem[] {
  if (guests === undefined) return [];
  const path = "guests.addresses";
  const gateway = addressNumber(guests.gateway) ?? 0;
  const size = 2 ** (32 - guests.netmaskBits);
  const first = gateway - (gateway % size);
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const address of guests.addresses) {
    const value = addressNumber(address) ?? 0;
    if (seen.has(address)) problems.push({ path, message: `${address} is listed twice` });
    seen.add(address);
    if (value < first || value >= first + size) {
      problems.push({
        path,
        message: `${address} is not in the network of the gateway ${guests.gateway}/${guests.netmaskBits.toString()}`,
        remedy: "guests reach nothing through a gateway outside their network",
      });
    } else if (value === gateway) {
      problems.push({ path, message: `${address} is the gateway's own address` });
    } else if (size > 2 && (value === first || value === first + size - 1)) {
      problems.push({ path, message: `${address} is the address of the network or its broadcast` });
    }
  }
  return problems;
}
