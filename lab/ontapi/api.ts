import type { ArrayContext, Operation } from "../ontap/context";
import { OntapFault } from "../ontap/faults";
import type { Svm } from "../ontap/svm-lookup";
import type { Args, Inputs } from "./inputs";
import type { Shape } from "./shape";
import type { ZNode } from "./xml";

/**
 * Where an API lives: on the cluster, inside a vserver (reached through the cluster by the attribute
 * `vfiler`), or both.
 */
export type Scope = "cluster" | "vserver" | "both";

/** One call on its way. */
export interface ZapiCall {
  readonly ctx: ArrayContext;
  readonly args: Args;
  /** The vserver that the call is tunnelled to. */
  readonly vserver: Svm | undefined;
}

/** A call that does something or answers one thing. */
export interface Command {
  readonly scope: Scope;
  readonly inputs: Inputs;
  /** Needs write access; what only reads does not. */
  readonly writes: boolean;
  /** @throws {ZapiFault | OntapFault} when it is refused. */
  readonly run: (call: ZapiCall) => ZNode | Promise<ZNode>;
}

/** A `…-get-iter`: pages of records, filtered by `query`, cut down by `desired-attributes`. */
export interface Iterator {
  readonly scope: Scope;
  /** Name of a record, `lun-info`. */
  readonly record: string;
  readonly shape: Shape;
  /** Attributes that tell records apart, in the order of the pages; dotted below the record. */
  readonly keys: readonly string[];
  /** Inputs besides the general ones. */
  readonly inputs?: Inputs;
  /** Takes away what only queries may name. */
  readonly shown?: (record: ZNode) => ZNode;
  /** All records that the call may see, complete. */
  readonly list: (call: ZapiCall) => ZNode[];
}

export type Api = Command | Iterator;
export type Apis = Readonly<Record<string, Api>>;

export function isIterator(api: Api): api is Iterator {
  return "record" in api;
}

export const command = (
  scope: Scope,
  inputs: Inputs,
  run: (call: ZapiCall) => ZNode | Promise<ZNode>,
): Command => ({ scope, inputs, writes: true, run });

export const reader = (scope: Scope, inputs: Inputs, run: (call: ZapiCall) => ZNode): Command => ({
  scope,
  inputs,
  writes: false,
  run,
});

/** The vserver of a call that cannot be made without one. */
export function vserverOf(call: ZapiCall): Svm {
  if (call.vserver === undefined) throw new Error("a vserver API was let through without vserver");
  return call.vserver;
}

/**
 * Lets an operation of the cluster take effect and waits until it has: the APIs without `-async`
 * answer when the work is done.
 * @throws {OntapFault} when it turns out that it cannot be done.
 */
export async function perform(ctx: ArrayContext, operation: Operation): Promise<void> {
  if (operation.job === undefined) {
    try {
      operation.commit();
    } finally {
      operation.release?.();
    }
    return;
  }
  const job = startJob(ctx, operation);
  await job.ended;
  if (job.fault !== undefined) throw job.fault;
}

export function startJob(
  ctx: ArrayContext,
  operation: Operation,
): ReturnType<ArrayContext["jobs"]["start"]> {
  if (operation.job === undefined) {
    throw new OntapFault("460770", "The operation has no job.");
  }
  const { commit, release, job } = operation;
  return ctx.jobs.start({
    ...job,
    run: commit,
    ...(release === undefined ? {} : { release }),
  });
}
