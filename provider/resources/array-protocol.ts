import { z } from "zod";
import { parseNqn, parseWwpn } from "../../bed/identities";
import { nvmeSide, type ArrayHosts, type BlockArray, type Initiator } from "../devices/block-array";
import type { DataProtocol } from "../devices/data-protocol";

/** Input of the resources that lie on one of the two sides of an array. */
export const protocolSchema = z
  .enum(["fcp", "nvme-fc"])
  .meta({ id: "DataProtocol" })
  .optional()
  .describe("How hosts reach the volumes: `fcp` (the default) or `nvme-fc`.");

/** Host groups of one side: igroups and the like, or NVMe subsystems. */
export function hostsOf(array: BlockArray, protocol: DataProtocol = "fcp"): ArrayHosts {
  return protocol === "fcp" ? array.hosts : nvmeSide(array).hosts;
}

/** A host's WWPN in any usual spelling, or its NQN. */
export const initiatorSchema = z.string().refine((text) => parseInitiator(text) !== undefined, {
  error:
    "neither a WWPN (eight hex pairs such as 10:00:00:10:9b:aa:00:01) nor an NQN (nqn.2014-08.com.example:host)",
});

export function parseInitiator(text: string): Initiator | undefined {
  return parseWwpn(text) ?? parseNqn(text);
}

/** In canonical form, sorted, once each. */
export function canonicalInitiators(texts: readonly string[]): Initiator[] {
  return [...new Set(texts.flatMap((text) => parseInitiator(text) ?? []))].sort();
}
