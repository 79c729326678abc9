import type { ArrayContext, Call, Endpoint, Operation } from "../ontap/context";
import { entryMissing } from "../ontap/faults";
import { type Rec, textAt } from "../ontap/record";

/**
 * Both ways to manage a cluster act on the same objects by the same rules. ONTAPI borrows the
 * operations of the cluster that the REST emulator holds: bodies and records in their form.
 */

/** Parameters of an operation: parents of the path, and flags that are set. */
export function directCall(parents: readonly string[] = [], flags: readonly string[] = []): Call {
  return {
    parents,
    flag: (name) => flags.includes(name),
    text: (name) => (flags.includes(name) ? "true" : undefined),
  };
}

/** The record with the given keys. @throws {OntapFault} when it is not there. */
export function recordOf(ctx: ArrayContext, endpoint: Endpoint, ...keys: readonly string[]): Rec {
  const parents = endpoint.shape.path.includes("{") ? keys.slice(0, 1) : [];
  const own = keys.slice(parents.length);
  const found = endpoint
    .list(ctx, parents, own)
    .find((record) => endpoint.shape.keys.every((path, i) => textAt(record, path) === own[i]));
  if (found === undefined) throw endpoint.missing?.(keys) ?? entryMissing();
  return found;
}

/** An operation that an endpoint has; its absence would be a mistake of the emulator. */
export function made(operation: Operation | undefined): Operation {
  if (operation === undefined) throw new Error("the cluster has no such operation");
  return operation;
}
