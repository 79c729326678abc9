import type { RunningLab } from "../running-lab";
import { ControlError } from "./control-error";

/** A request to the SAN process below `/lab/`. @throws {ControlError} with its refusal. */
export async function sanCall(
  lab: RunningLab,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  if (lab.san === undefined) throw new ControlError(501, "this lab has no SAN process");
  const answer = await lab.san.call(method, path, body);
  if (answer.status < 400) return answer.body;
  const refusal = answer.body as { error?: unknown } | string | null;
  const text = typeof refusal === "string" ? refusal : refusal?.error;
  throw new ControlError(answer.status, typeof text === "string" ? text : "refused");
}
