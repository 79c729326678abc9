import type { Problem } from "../../bed/errors";
import type { CallTime } from "./call-registry";
import { parseInputs } from "./parse";
import type { Session } from "./session";
import { failedCall, redactorFor, resourceCall } from "./session";
import type { Properties } from "./values";
import { decode, encode, unknownValue } from "./values";
import { secretPaths } from "./zod-walk";

export interface InvokeAnswer {
  readonly result: Properties;
  readonly problems: readonly Problem[];
}

/** Calls a function of the package. With unknown arguments every result is unknown. */
export async function invokeFunction(
  session: Session,
  token: string,
  args: Properties | undefined,
  abandoned: AbortSignal,
): Promise<InvokeAnswer> {
  const handler = session.function(token);
  const decoded = decode(args);
  const redactor = redactorFor(session, { decoded, schema: handler.inputs });
  const { value, problems } = parseInputs(handler.inputs, decoded);
  if (problems.length > 0) return { result: {}, problems };
  if (decoded.unknowns.length > 0) {
    const names = Object.keys(handler.outputs.shape);
    return {
      result: encode(Object.fromEntries(names.map((n) => [n, unknownValue]))),
      problems: [],
    };
  }
  let time: CallTime | undefined;
  try {
    const result = await session.calls.run(
      { label: token, timeoutSeconds: 0, abandoned },
      (callTime) => {
        time = callTime;
        const target = { urn: "", token, name: token };
        return handler.invoke(resourceCall(session, target, callTime, redactor), value);
      },
    );
    return { result: encode(result, secretPaths(handler.outputs, result)), problems: [] };
  } catch (error) {
    throw failedCall(session, error, token, redactor, "", time?.signal);
  }
}
