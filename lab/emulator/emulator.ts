import type { Json } from "../world/state";
import type { World } from "../world/world";

/**
 * What every emulator is made from. A family exports `create<Family>Emulator(options): Emulator`
 * (`createBrocadeFosEmulator`, `createOntapEmulator`), where `profile` names the device's release.
 */
export interface EmulatorOptions {
  /** Device name in the site; for arrays also the key in `world.arrays`. */
  readonly device: string;
  readonly world: World;
  readonly credentials: { readonly user: string; readonly password: string };
  /** Release that the device runs, `9.1.1b`, `9.8`. */
  readonly profile: string;
  /** Milliseconds since the epoch; the lab's clock, replaced in tests of time-outs. */
  readonly now?: () => number;
}

/** A request as an emulator sees it; the body is whole. */
export interface EmulatorRequest {
  readonly method: string;
  /** Path without query, still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly remoteAddress: string;
  /** Aborted when the client has gone away. */
  readonly signal: AbortSignal;
}

export interface EmulatorReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Set where the request met no route of the device: counted, shown by status, fails tests. */
  readonly unknownRoute?: boolean;
}

/** Something that changes an emulated device behind the product's back. */
export interface TamperAction {
  /** One line: what it does and which arguments it takes. */
  readonly description: string;
  /** @throws {SanbedError} `lab` when an argument is missing or the object is not there. */
  run(args: Readonly<Record<string, Json>>): Json;
}

/** A fault that the device itself answers. */
export interface DeviceFault {
  readonly status?: number;
  /** The vendor's own error code. */
  readonly code?: string;
}

/**
 * An emulated device behind one HTTPS port. Strict: only what the device's documentation says.
 * It holds sessions and transactions; everything else lives in the world.
 */
export interface Emulator {
  /** Device name in the site. */
  readonly device: string;
  readonly kind: string;
  handle(request: EmulatorRequest): EmulatorReply | Promise<EmulatorReply>;
  /** Whether the request could change the device (request log). */
  isWrite(request: EmulatorRequest): boolean;
  /** The answer that the device gives for a fault which a rule injects. */
  fault(fault: DeviceFault, request: EmulatorRequest): EmulatorReply;
  /** By action name. */
  readonly tamper: Readonly<Record<string, TamperAction>>;
  /** Sessions, open transactions, version: for `lab status`. No secret. */
  status(): Json;
  /** The world went back to its preset: drop sessions, transactions, jobs. */
  reset(): void;
  /** Ends timers and pending jobs. */
  close(): void;
}
