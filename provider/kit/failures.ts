import * as grpc from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { SanbedError } from "../../bed/errors";
import { systemErrorText } from "../../bed/system-error";
import { StoppedError } from "./call-registry";
import type { Redactor } from "./redaction";
import type { Properties } from "./values";

/** A failure as the engine will get it, and what only the debug log should hold. */
export interface Failure {
  readonly code: grpc.status;
  readonly message: string;
  readonly debug: string | undefined;
}

/** Longest message that travels: it goes into a header, and nobody reads more. */
const longestMessage = 16_000;

/**
 * Turns what a handler threw into a message for people. Errors that are meant for people print as
 * they are; anything else is a mistake of ours and prints shortly, its stack only in the debug log.
 * Codes: the engine takes UNKNOWN and INTERNAL as "state unknown" and any other as "nothing changed"
 * (resourceStateAndError in sdk/go/common/resource/plugin/provider_plugin.go).
 */
export function describeFailure(
  error: unknown,
  label: string,
  redactor: Redactor,
  signal?: AbortSignal,
): Failure {
  const { code, message, debug } = rawFailure(error, label, signal);
  // First cleaned, then cut: half a secret would not be recognised.
  const clean = (text: string): string => clip(redactor.clean(text));
  return { code, message: clean(message), debug: debug === undefined ? undefined : clean(debug) };
}

function rawFailure(error: unknown, label: string, signal: AbortSignal | undefined): Failure {
  const stop: unknown = signal?.aborted === true ? signal.reason : undefined;
  if (stop instanceof StoppedError) {
    const detail = error === stop || isAbort(error) ? "" : ` While stopping: ${textOf(error)}`;
    return {
      code: grpc.status.ABORTED,
      message: stop.message + detail,
      debug: stackOf(error),
    };
  }
  if (error instanceof StoppedError) {
    return { code: grpc.status.ABORTED, message: error.message, debug: undefined };
  }
  if (isForPeople(error)) {
    return {
      code: grpc.status.FAILED_PRECONDITION,
      message: error.message,
      debug: stackOf(error.cause),
    };
  }
  const ofMachine = systemErrorText(error);
  if (ofMachine !== undefined) {
    return {
      code: grpc.status.FAILED_PRECONDITION,
      message: `${label}: ${ofMachine}`,
      debug: stackOf(error),
    };
  }
  return {
    code: grpc.status.INTERNAL,
    message: `${label}: internal error: ${textOf(error)}. This is a mistake in the plugin; please report it.`,
    debug: stackOf(error),
  };
}

/** The gRPC answer for a failed call. */
export function callError(failure: Failure): Partial<grpc.StatusObject> {
  return { code: failure.code, details: failure.message };
}

export interface InitFailed {
  readonly id: string;
  readonly state: Properties;
  readonly reasons: readonly string[];
}

/**
 * The gRPC answer "created, but not finished": the engine keeps the resource with this id and state,
 * and updates it on the next `up`. Details travel as google.rpc.Status in `grpc-status-details-bin`.
 * Inputs are left out: the engine takes its own after a create and the recorded ones after an update
 * (provider_plugin.go), and the answer is a header, which should stay small.
 */
export function initFailedError(failed: InitFailed): Partial<grpc.StatusObject> {
  const message = failed.reasons.join("\n");
  const detail = new ErrorResourceInitFailed();
  detail.setId(failed.id);
  detail.setProperties(Struct.fromJavaScript(failed.state as never));
  detail.setReasonsList([...failed.reasons]);
  const any = new Any();
  any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new Status();
  status.setCode(grpc.status.UNKNOWN);
  status.setMessage(message);
  status.addDetails(any);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}

/** True for errors of the project's own family, also from another bundled copy of it. */
function isForPeople(error: unknown): error is SanbedError {
  if (error instanceof SanbedError) return true;
  return (
    error instanceof Error && "code" in error && /^(config|device\.|guest)/.test(String(error.code))
  );
}

function isAbort(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "AbortError" || ("kind" in error && error.kind === "aborted");
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function stackOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cause =
    error.cause === undefined ? "" : `\ncaused by ${stackOf(error.cause) ?? textOf(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}

function clip(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage)} [...]`;
}
