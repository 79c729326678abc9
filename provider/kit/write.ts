import { ConfigError, SanbedError } from "../../bed/errors";
import type { CallTime } from "./call-registry";
import { describeFailure, initFailedError } from "./failures";
import type { Created, WriteCall } from "./handler";
import { lookAhead } from "./look-ahead";
import { parseComplete, parseInputs, parseRecorded, schemaMismatch } from "./parse";
import type { Path } from "./property-path";
import type { Redactor } from "./redaction";
import type { AnyResource, Session, Target } from "./session";
import { failedCall, redactorFor, resourceCall, RpcFailure } from "./session";
import type { Decoded, Properties } from "./values";
import { containsUnknown, decode, encode, unknownValue } from "./values";
import { secretPaths } from "./zod-walk";

export interface WriteRequest {
  readonly target: Target;
  /** The inputs, on the wire. */
  readonly news: Properties | undefined;
  readonly timeoutSeconds: number;
  readonly preview: boolean;
  readonly abandoned: AbortSignal;
}

export interface UpdateRequest extends WriteRequest {
  readonly id: string;
  /** The recorded state, on the wire. */
  readonly olds: Properties | undefined;
}

/** Create: answers the id (empty in a preview) and the state on the wire. */
export async function createResource(
  session: Session,
  request: WriteRequest,
): Promise<Created<Properties>> {
  const handler = session.resource(request.target.token);
  const inputs = decode(request.news);
  if (request.preview) {
    await lookAhead(session, handler, request, inputs, undefined);
    return { id: "", state: previewState(handler, inputs, undefined) };
  }
  return write(session, handler, request, inputs, undefined, (call, parsed) =>
    handler.create(call, parsed),
  );
}

/** Update: answers the new state on the wire. */
export async function updateResource(
  session: Session,
  request: UpdateRequest,
): Promise<Properties> {
  const handler = session.resource(request.target.token);
  const inputs = decode(request.news);
  const olds = decode(request.olds);
  const state = parseRecorded(handler.state, olds.value);
  refuseChanges(session, handler, request, state, inputs);
  if (request.preview) {
    await lookAhead(session, handler, request, inputs, olds);
    return previewState(handler, inputs, olds);
  }
  const { id } = request;
  const done = await write(session, handler, request, inputs, olds, async (call, parsed) => {
    if (handler.update !== undefined)
      return { id, state: await handler.update(call, id, state, parsed) };
    const repaired = await handler.create(call, parsed);
    if (repaired.id === id) return repaired;
    throw new SanbedError(
      "repair",
      `${handler.token} ${call.name}: repairing ${id} gave another object, ${repaired.id}. Replace the resource instead.`,
    );
  });
  return done.state;
}

/** @throws {RpcFailure} with all that the handler would not do; the preview says so already. */
function refuseChanges(
  session: Session,
  handler: AnyResource,
  request: UpdateRequest,
  state: Properties,
  inputs: Decoded,
): void {
  const news = parseInputs(handler.inputs, inputs).value;
  if (handler.refuse === undefined || containsUnknown(news)) return;
  const problems = handler.refuse(state, news);
  if (problems.length === 0) return;
  const { token, name, urn } = request.target;
  const label = `update of ${token} ${name}`;
  const redactor = redactorFor(session, { decoded: inputs, schema: handler.inputs });
  throw failedCall(session, new ConfigError(problems, `${label} is refused`), label, redactor, urn);
}

type Work = (
  call: WriteCall<unknown, Properties>,
  inputs: Properties,
) => Promise<Created<Properties>>;

/** Runs a create or update, and turns every failure after `began` into "initialisation failed". */
async function write(
  session: Session,
  handler: AnyResource,
  request: WriteRequest,
  inputs: Decoded,
  olds: Decoded | undefined,
  work: Work,
): Promise<Created<Properties>> {
  const { target } = request;
  const label = `${olds === undefined ? "create" : "update"} of ${target.token} ${target.name}`;
  const redactor = redactorFor(
    session,
    { decoded: inputs, schema: handler.inputs },
    ...(olds === undefined ? [] : [{ decoded: olds, schema: handler.state }]),
  );
  const secrets = [...inputs.secrets, ...(olds?.secrets ?? [])];
  const toWire = (parsed: Properties, state: Properties): Properties =>
    stateOnWire(handler, { ...parsed, ...state }, secrets);
  let begun: Created<Properties> | undefined;
  let parsed: Properties = {};
  let time: CallTime | undefined;
  try {
    parsed = parseComplete(handler.inputs, inputs, `${label}: the inputs have problems`);
    const done = await session.calls.run({ label, ...request }, (callTime) => {
      time = callTime;
      const began = (id: string, state: Properties): void => void (begun = { id, state });
      return work({ ...resourceCall(session, target, callTime, redactor), began }, parsed);
    });
    warnAboutMismatch(session, handler, target, done.state, redactor);
    return { id: done.id, state: toWire(parsed, done.state) };
  } catch (error) {
    if (begun === undefined)
      throw failedCall(session, error, label, redactor, target.urn, time?.signal);
    const failure = describeFailure(error, label, redactor, time?.signal);
    if (failure.debug !== undefined) session.log("debug", failure.debug, target.urn);
    throw new RpcFailure(
      initFailedError({
        id: begun.id,
        state: toWire(parsed, begun.state),
        reasons: [failure.message],
      }),
    );
  }
}

/** State on the wire: secret where the schema says so and where the same property came in secret. */
export function stateOnWire(
  handler: AnyResource,
  state: Properties,
  secrets: readonly Path[],
): Properties {
  return encode(state, [...secrets, ...secretPaths(handler.state, state)]);
}

/**
 * The state that a preview shows: inputs as they are; outputs planned by the handler; recorded ones
 * where the handler says that they never change; everything else unknown.
 */
function previewState(
  handler: AnyResource,
  inputs: Decoded,
  olds: Decoded | undefined,
): Properties {
  const { value } = parseInputs(handler.inputs, inputs);
  const recorded = olds === undefined ? undefined : parseRecorded(handler.state, olds.value);
  const known = Object.entries(value).filter(([, item]) => !containsUnknown(item));
  const planned = handler.plan?.(Object.fromEntries(known), recorded) ?? {};
  const state: Properties = { ...value };
  for (const key of Object.keys(handler.state.shape)) {
    if (key in handler.inputs.shape) continue;
    const kept = handler.stables?.includes(key) === true ? recorded?.[key] : undefined;
    state[key] = (planned as Properties)[key] ?? kept ?? unknownValue;
  }
  return stateOnWire(handler, state, [...inputs.secrets, ...(olds?.secrets ?? [])]);
}

function warnAboutMismatch(
  session: Session,
  handler: AnyResource,
  target: Target,
  state: Properties,
  redactor: Redactor,
): void {
  const problems = schemaMismatch(handler.state, state);
  if (problems.length === 0) return;
  const list = problems
    .map(({ path, message }) => `${path === "" ? "whole" : path}: ${message}`)
    .join("; ");
  const text = `${target.token}: the plugin answered a state that its schema does not allow (${list})`;
  session.log("warning", redactor.clean(text), target.urn);
}
