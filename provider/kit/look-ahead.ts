import { describeFailure } from "./failures";
import { parseInputs, parseRecorded } from "./parse";
import type { AnyResource, Session, Target } from "./session";
import { redactorFor, resourceCall } from "./session";
import type { Decoded } from "./values";

/** A create or update that is only previewed. */
interface Preview {
  readonly target: Target;
  readonly timeoutSeconds: number;
  readonly abandoned: AbortSignal;
}

/** A preview must not wait for a device that does not answer. */
const longestMs = 20_000;

/**
 * Lets a handler say in a preview what it would do. Only with every input known and the provider
 * configured; whatever goes wrong is a warning: a preview shows, it does not decide.
 */
export async function lookAhead(
  session: Session,
  handler: AnyResource,
  request: Preview,
  inputs: Decoded,
  olds: Decoded | undefined,
): Promise<void> {
  if (handler.lookAhead === undefined || !session.isConfigured) return;
  const { value, problems } = parseInputs(handler.inputs, inputs);
  if (inputs.unknowns.length + problems.length > 0) return;
  const { target } = request;
  const label = `preview of ${target.token} ${target.name}`;
  const redactor = redactorFor(
    session,
    { decoded: inputs, schema: handler.inputs },
    ...(olds === undefined ? [] : [{ decoded: olds, schema: handler.state }]),
  );
  const recorded = olds === undefined ? undefined : parseRecorded(handler.state, olds.value);
  let signal: AbortSignal | undefined;
  try {
    await session.calls.run({ label, ...request }, async (time) => {
      signal = AbortSignal.any([time.signal, AbortSignal.timeout(longestMs)]);
      const call = resourceCall(session, target, { ...time, signal }, redactor);
      await handler.lookAhead?.(call, value, recorded);
    });
  } catch (error) {
    const failure = describeFailure(error, label, redactor, signal);
    session.log("warning", failure.message, target.urn);
    if (failure.debug !== undefined) session.log("debug", failure.debug, target.urn);
  }
}
