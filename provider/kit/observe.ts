import { SanbedError } from "../../bed/errors";
import { parseRecorded } from "./parse";
import type { Session, Target } from "./session";
import { failedCall, redactorFor, resourceCall } from "./session";
import type { CallTime } from "./call-registry";
import type { Properties } from "./values";
import { decode, encode } from "./values";
import { stateOnWire } from "./write";
import { secretPaths } from "./zod-walk";

export interface ReadRequest {
  readonly target: Target;
  readonly id: string;
  /** The recorded state and inputs on the wire; empty on import. */
  readonly state: Properties | undefined;
  readonly inputs: Properties | undefined;
  readonly timeoutSeconds: number;
  readonly abandoned: AbortSignal;
}

export interface ReadAnswer {
  /** Empty when the object is gone. */
  readonly id: string;
  readonly state: Properties;
  readonly inputs: Properties;
}

/** Read of one resource: refresh (state known) or import (only the id known). */
export async function readResource(session: Session, request: ReadRequest): Promise<ReadAnswer> {
  const { target, id } = request;
  const handler = session.resource(target.token);
  const state = decode(request.state);
  const inputs = decode(request.inputs);
  const label = `read of ${target.token} ${target.name}`;
  const redactor = redactorFor(
    session,
    { decoded: state, schema: handler.state },
    { decoded: inputs, schema: handler.inputs },
  );
  const isImport = Object.keys(state.value).length === 0;
  let time: CallTime | undefined;
  try {
    if (handler.read === undefined) {
      if (isImport)
        throw new SanbedError(
          "import",
          `${target.token} cannot be imported: it is no object on a device`,
        );
      return { id, state: request.state ?? {}, inputs: request.inputs ?? {} };
    }
    const read = handler.read.bind(handler);
    const recorded = isImport ? undefined : parseRecorded(handler.state, state.value);
    const found = await session.calls.run({ label, ...request }, (callTime) => {
      time = callTime;
      return read(
        resourceCall(session, target, callTime, redactor),
        id,
        recorded,
        isImport ? undefined : inputs.value,
      );
    });
    if (found === undefined) return { id: "", state: {}, inputs: {} };
    const secrets = [...state.secrets, ...inputs.secrets];
    return {
      id: found.id,
      state: stateOnWire(handler, { ...found.inputs, ...found.state }, secrets),
      inputs: encode(found.inputs, [...secrets, ...secretPaths(handler.inputs, found.inputs)]),
    };
  } catch (error) {
    throw failedCall(session, error, label, redactor, target.urn, time?.signal);
  }
}

export interface DeleteRequest {
  readonly target: Target;
  readonly id: string;
  readonly state: Properties | undefined;
  readonly timeoutSeconds: number;
  readonly abandoned: AbortSignal;
}

/** Delete: the handler has proven absence when this resolves. */
export async function deleteResource(session: Session, request: DeleteRequest): Promise<void> {
  const { target, id } = request;
  const handler = session.resource(target.token);
  const state = decode(request.state);
  const label = `delete of ${target.token} ${target.name}`;
  const redactor = redactorFor(session, { decoded: state, schema: handler.state });
  let time: CallTime | undefined;
  try {
    await session.calls.run({ label, ...request }, (callTime) => {
      time = callTime;
      const call = resourceCall(session, target, callTime, redactor);
      return handler.delete(call, id, parseRecorded(handler.state, state.value));
    });
  } catch (error) {
    throw failedCall(session, error, label, redactor, target.urn, time?.signal);
  }
}
