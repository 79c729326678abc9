import type { EmulatorReply } from "../emulator/emulator";
import { type CommandResult, runLines, splitCommands } from "./command-run";
import { jsonReply } from "./nxapi-codes";
import type { Readings } from "./release";
import type { Shell } from "./shell";
import { collapse } from "./table";

const contentType = "application/json-rpc";
const rollbacks = ["stop-on-error", "continue-on-error"] as const;

interface Call {
  readonly method: "cli" | "cli_ascii";
  readonly lines: readonly string[];
  readonly id: number | string | null;
  /** Undefined: the request does not say. */
  readonly rollback: "stop-on-error" | "continue-on-error" | undefined;
}

/** Errors of the protocol itself, by name: code, text, HTTP status. */
const protocolErrors = {
  parse: [-32700, "Parse error", 400],
  request: [-32600, "Invalid request", 400],
  method: [-32601, "Method not found", 400],
} as const;

class RpcError extends Error {
  constructor(
    readonly kind: keyof typeof protocolErrors,
    readonly id: Call["id"] = null,
  ) {
    super(kind);
  }
}

/**
 * The JSON-RPC 2.0 form: `cli` (structured where there is such a form, else text) and `cli_ascii`
 * (text). A command that fails answers -32602 with the switch's text in `data.msg` and HTTP 500; the
 * rest of the batch is run as the reading `rpcBatch` says, or as `rollback` asks.
 * Sources: MDS 9000 Programmability Guide; mdssdk connect_nxapi.py and switch.py.
 */
export function jsonRpc(shell: Shell, readings: Readings, body: string): EmulatorReply {
  try {
    const { calls, batch } = parse(body);
    const replies: object[] = [];
    let [failed, unknown] = [false, false];
    for (const call of calls) {
      const result = runLines(shell, call.lines);
      unknown ||= result.unknown;
      failed ||= result.error !== undefined;
      replies.push(replyTo(call, result, readings));
      const after = call.rollback ?? readings.rpcBatch;
      if (result.error !== undefined && after === "stop-on-error") break;
    }
    const reply = jsonReply(failed ? 500 : 200, batch ? replies : replies[0], contentType);
    return unknown ? { ...reply, unknownRoute: true } : reply;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const [code, message, status] = protocolErrors[error.kind];
    const answer = { jsonrpc: "2.0", error: { code, message }, id: error.id };
    return jsonReply(status, answer, contentType);
  }
}

/** The answer of a command that failed, for fault rules. */
export function rpcFailure(message: string, id: Call["id"] = 1): EmulatorReply {
  return jsonReply(500, failure(message, id), contentType);
}

function failure(message: string, id: Call["id"]): object {
  const error = { code: -32602, message: "Invalid params", data: { msg: `${message}\n` } };
  return { jsonrpc: "2.0", error, id };
}

function replyTo(call: Call, result: CommandResult, readings: Readings): object {
  if (result.error !== undefined) return failure(result.error.message, call.id);
  return { jsonrpc: "2.0", result: resultOf(call, result, readings), id: call.id };
}

/** `null` for nothing, `{ body }` structured, `{ msg }` text. */
function resultOf(call: Call, { text, body }: CommandResult, readings: Readings): unknown {
  if (call.method === "cli" && body !== undefined) {
    if (Object.keys(body).length === 0) return null;
    return { body: readings.singleRow === "object" ? collapse(body) : body };
  }
  return text === "" ? null : { msg: text };
}

function parse(body: string): { calls: Call[]; batch: boolean } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new RpcError("parse");
  }
  const batch = Array.isArray(parsed);
  const all: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  if (all.length === 0) throw new RpcError("request");
  return { calls: all.map(parseCall), batch };
}

function parseCall(value: unknown): Call {
  if (typeof value !== "object" || value === null) throw new RpcError("request");
  const call = value as Record<string, unknown>;
  const id = callId(call["id"]);
  const known = ["jsonrpc", "method", "params", "id", "rollback"];
  if (call["jsonrpc"] !== "2.0" || Object.keys(call).some((name) => !known.includes(name))) {
    throw new RpcError("request", id);
  }
  const { method, rollback } = call;
  if (method !== "cli" && method !== "cli_ascii") throw new RpcError("method", id);
  const asked = rollbacks.find((one) => one === rollback);
  if (rollback !== undefined && asked === undefined) throw new RpcError("request", id);
  const params = call["params"] as { cmd?: unknown; version?: unknown } | undefined;
  if (typeof params?.cmd !== "string" || typeof params.version !== "number") {
    throw new RpcError("request", id);
  }
  const lines = splitCommands(params.cmd);
  return { method, lines, id, rollback: asked };
}

function callId(id: unknown): Call["id"] {
  if (typeof id === "number" || typeof id === "string") return id;
  throw new RpcError("request");
}
