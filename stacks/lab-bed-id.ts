import { createHash } from "node:crypto";
import { makeBedId, type BedId } from "../bed/identities";

/**
 * Bed id of a stack on the embedded lab that has none in its configuration: it follows from the lab's own id and the
 * stack's name, so that two stacks on one lab are two beds and none sweeps what is the other's.
 *
 * @param labId - made with the lab's folder, `site.lab.bedId`
 */
export function labBedIdOf(labId: string, stack: string): BedId {
  const digest = createHash("sha256").update(`${labId} ${stack}`).digest();
  return makeBedId((size) => digest.subarray(0, size));
}
