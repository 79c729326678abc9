import type { DeviceFault, EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import { insError } from "./ins-api";
import { rpcFailure } from "./json-rpc";
import { htmlReply, type ResponseCode, responseCodes } from "./nxapi-codes";
import type { Readings } from "./release";

/** What fault rules may make the switch say, by their code: the text that a command then answers. */
const commandTexts: Readonly<Record<string, string>> = {
  "lock-busy": "Lock is currently busy",
  "in-progress": "Zoning database update in progress, command rejected",
  "fabric-unstable": "Fabric unstable",
  "alias-locked": "Database locked by another user: fabric is already locked",
  "alias-in-progress": "Commit in progress. Check the status.",
};

/** Codes of the ins_api form; in JSON-RPC their text comes as the error of the command. */
const wholeRequest: Readonly<Record<string, ResponseCode>> = {
  "max-sessions": "maxSessions",
  backend: "backend",
  "file-operation": "fileOperation",
  "too-big": "responseTooBig",
};

const pages: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Authorization Required",
  403: "Forbidden",
  404: "Not Found",
  413: "Request Entity Too Large",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Temporarily Unavailable",
  504: "Gateway Time-out",
};

/** The answer that the switch gives for a fault which a rule injects; nothing of the request runs. */
export function faultReply(
  fault: DeviceFault,
  request: EmulatorRequest,
  readings: Readings,
): EmulatorReply {
  const { status, code } = fault;
  const legacy = /^application\/json(?:;|$)/.test(request.headers["content-type"] ?? "");
  if (code !== undefined) {
    const whole = wholeRequest[code];
    const text = commandTexts[code] ?? code;
    if (!legacy) return rpcFailure(whole === undefined ? text : responseCodes[whole][1]);
    return whole === undefined
      ? insError("executionError", readings, "cli_conf", `${text}\n`)
      : insError(whole, readings);
  }
  return htmlReply(status ?? 500, pages[status ?? 500] ?? "Error");
}
