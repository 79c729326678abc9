import type { EmulatorReply } from "../emulator/emulator";

/**
 * Response codes of the ins_api form with their texts (MDS 9000 Programmability Guide, Table of
 * NX-API Response Codes).
 */
export const responseCodes = {
  success: ["200", "Success"],
  commandError: ["400", "Input CLI command error"],
  executionError: ["400", "CLI execution error"],
  chunkOneCommand: ["400", "Chunking honors only one command"],
  invalidMessage: ["400", "Request message is invalid"],
  versionMismatch: ["400", "Message version mismatch"],
  noInput: ["400", "No input command"],
  sidNotAllowed: ["400", "Invalid character that is entered as a session ID"],
  pipeNotAllowed: ["400", "Pipe is not allowed for this input type"],
  permissionDenied: ["401", "Permission denied"],
  confNotAllowShow: ["405", "Configuration mode does not allow show"],
  showNotAllowConf: ["405", "Show mode does not allow configuration"],
  tooManyShows: ["413", "Maximum number of consecutive show commands exceeded. The maximum is 10"],
  responseTooBig: [
    "413",
    "Response size is greater than the allowed maximum. The maximum is 10 MB. Use XML or JSON " +
      "output with chunking enabled",
  ],
  maxSessions: ["429", "Max sessions reached. Please retry"],
  backend: ["500", "Backend processing error"],
  fileOperation: ["500", "System internal file operation error"],
  structuredUnsupported: ["501", "Structured output unsupported"],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export type ResponseCode = keyof typeof responseCodes;

/** A page of the web server in front of NX-API. */
export function htmlReply(status: number, title: string): EmulatorReply {
  const text = `${status.toString()} ${title}`;
  const body =
    `<html>\r\n<head><title>${text}</title></head>\r\n<body>\r\n` +
    `<center><h1>${text}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return { status, headers: { "content-type": "text/html", server: "nginx" }, body };
}

export function jsonReply(
  status: number,
  body: unknown,
  contentType = "application/json",
): EmulatorReply {
  return {
    status,
    headers: { "content-type": contentType, server: "nginx" },
    body: JSON.stringify(body),
  };
}
