import type { EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import type { FosError } from "./errors";
import { reply, type Tree } from "./media";

/** The error document (ietf-restconf `errors`), in the media type that the client takes. */
export function errorReply(request: EmulatorRequest, error: FosError): EmulatorReply {
  const { type, tag, path, code, module, unknownRoute } = error.fields;
  const entry: Tree = {
    "error-type": type ?? "application",
    "error-tag": tag ?? "Operation-failed",
    "error-app-tag": "Error",
    ...(path === undefined ? {} : { "error-path": path }),
    "error-message": error.message,
    ...(code === undefined
      ? {}
      : { "error-info": { "error-code": code, "error-module": module ?? "rest" } }),
  };
  const answer = reply(request, error.status, { errors: { error: [entry] } });
  return unknownRoute === true ? { ...answer, unknownRoute } : answer;
}
