import type { EmulatorReply } from "../emulator/emulator";
import { type CommandResult, readsOnly, runCommand, splitCommands } from "./command-run";
import { type CliError } from "./errors";
import { jsonReply, type ResponseCode, responseCodes } from "./nxapi-codes";
import type { Readings } from "./release";
import { isShowWord, type Shell } from "./shell";
import { collapse, type Value } from "./table";

const types = ["cli_show", "cli_show_ascii", "cli_conf"] as const;
type RequestType = (typeof types)[number];

/** Most show commands of one request. */
const maxShows = 10;
const maxResponseBytes = 10 * 1024 * 1024;

interface InsRequest {
  readonly version: string;
  readonly type: RequestType;
  readonly chunk: string;
  readonly commands: readonly string[];
  readonly continueOnError: boolean;
}

/** One element of `outputs`. */
interface InsOutput {
  readonly input?: string;
  readonly msg: string;
  readonly code: string;
  readonly body?: Value;
  readonly clierror?: string;
}

/** A request that the switch refuses as a whole. */
class InsError extends Error {
  constructor(readonly code: ResponseCode) {
    super(code);
  }
}

/**
 * The ins_api form in JSON: `cli_show`, `cli_show_ascii`, `cli_conf`, commands separated by `;`.
 * Source: MDS 9000 Programmability Guide, NX-API Request and Response Elements.
 */
export function insApi(shell: Shell, readings: Readings, body: string): EmulatorReply {
  let request: InsRequest | undefined;
  try {
    request = parse(body);
    const results = run(shell, request, readings);
    const outputs = results.map(({ output }) => output);
    const reply = answer(request.type, request.version, outputs, readings);
    if (Buffer.byteLength(reply.body ?? "") > maxResponseBytes && request.chunk === "0") {
      throw new InsError("responseTooBig");
    }
    return results.some(({ unknown }) => unknown) ? { ...reply, unknownRoute: true } : reply;
  } catch (error) {
    if (!(error instanceof InsError)) throw error;
    return insError(error.code, readings, request?.type);
  }
}

/** The answer to a request that failed as a whole, or that a fault rule hits. */
export function insError(
  code: ResponseCode,
  readings: Readings,
  type = "cli_show",
  clierror?: string,
): EmulatorReply {
  return answer(type, "1.0", [errorOutput(code, undefined, clierror)], readings);
}

function answer(
  type: string,
  version: string,
  outputs: readonly InsOutput[],
  readings: Readings,
): EmulatorReply {
  const failed = outputs.some(({ code }) => code !== "200");
  const status = failed && readings.commandErrorStatus === "bad-request" ? 400 : 200;
  const output = outputs.length === 1 ? outputs[0] : outputs;
  return jsonReply(status, { ins_api: { type, version, sid: "eoc", outputs: { output } } });
}

function parse(body: string): InsRequest {
  const fields = fieldsOf(body);
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== "string") throw new InsError("invalidMessage");
    return value;
  };
  const version = text("version");
  if (!["0.1", "1.0", "1.2"].includes(version)) throw new InsError("versionMismatch");
  const type = types.find((one) => one === text("type"));
  const chunk = text("chunk");
  if (type === undefined || !["0", "1"].includes(chunk)) throw new InsError("invalidMessage");
  if ((fields["output_format"] ?? "json") !== "json") throw new InsError("invalidMessage");
  const { sid, rollback = "stop-on-error" } = fields;
  if (sid === "eoc" || !(sid === null || typeof sid === "string")) {
    throw new InsError("sidNotAllowed");
  }
  if (rollback !== "stop-on-error" && rollback !== "continue-on-error") {
    throw new InsError("invalidMessage");
  }
  const commands = splitCommands(text("input"));
  if (commands.length === 0) throw new InsError("noInput");
  if (chunk === "1" && commands.length > 1) throw new InsError("chunkOneCommand");
  return { version, type, chunk, commands, continueOnError: rollback === "continue-on-error" };
}

function fieldsOf(body: string): Record<string, unknown> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw new InsError("invalidMessage");
  }
  const fields = (parsed as { ins_api?: unknown } | null)?.ins_api;
  if (typeof fields !== "object" || fields === null) throw new InsError("invalidMessage");
  const known = ["version", "type", "chunk", "sid", "input", "output_format", "rollback"];
  if (Object.keys(fields).some((name) => !known.includes(name))) {
    throw new InsError("invalidMessage");
  }
  return fields as Record<string, unknown>;
}

interface Ran {
  readonly output: InsOutput;
  readonly unknown: boolean;
}

function run(shell: Shell, request: InsRequest, readings: Readings): Ran[] {
  const { type, commands, continueOnError } = request;
  if (type !== "cli_conf") {
    if (commands.length > maxShows) throw new InsError("tooManyShows");
    return commands.map((line) => show(shell, type, line, readings));
  }
  const ran: Ran[] = [];
  for (const line of commands) {
    const [word = ""] = line.split(/\s+/);
    const one = isShowWord(word)
      ? { output: errorOutput("confNotAllowShow", line), unknown: false }
      : configured(runCommand(shell, line));
    ran.push(one);
    if (one.output.code !== "200" && !continueOnError) break;
  }
  return readings.confOutputs === "single" ? [merged(ran)] : ran;
}

function show(
  shell: Shell,
  type: "cli_show" | "cli_show_ascii",
  line: string,
  readings: Readings,
): Ran {
  const copies = /^copy\s/.test(line);
  if (!readsOnly(line) && !copies) {
    return { output: errorOutput("showNotAllowConf", line), unknown: false };
  }
  if (type === "cli_show" && line.includes("|")) {
    return { output: errorOutput("pipeNotAllowed", line), unknown: false };
  }
  const result = runCommand(shell, line);
  if (result.error !== undefined) return failed(result, result.error);
  if (type === "cli_show" && result.body === undefined) {
    return { output: errorOutput("structuredUnsupported", line), unknown: false };
  }
  const structured = result.body ?? {};
  const body =
    type === "cli_show_ascii"
      ? result.text
      : readings.singleRow === "object"
        ? collapse(structured)
        : structured;
  return { output: { input: line, msg: "Success", code: "200", body }, unknown: false };
}

function configured(result: CommandResult): Ran {
  if (result.error !== undefined) return failed(result, result.error);
  const body = result.text === "" ? {} : result.text;
  return { output: { input: result.line, msg: "Success", code: "200", body }, unknown: false };
}

function failed(result: CommandResult, error: CliError): Ran {
  if (error.code === "401") {
    return { output: errorOutput("permissionDenied", result.line), unknown: false };
  }
  const code = result.unknown ? "commandError" : "executionError";
  return {
    output: errorOutput(code, result.line, `${error.message}\n`),
    unknown: result.unknown,
  };
}

function errorOutput(name: ResponseCode, input: string | undefined, clierror?: string): InsOutput {
  const [code, msg] = responseCodes[name];
  return {
    ...(input === undefined ? {} : { input }),
    msg,
    code,
    ...(clierror === undefined ? {} : { clierror }),
  };
}

/** All configuration commands in one output, as the guide describes it for `cli_conf`. */
function merged(ran: readonly Ran[]): Ran {
  const bad = ran.find(({ output }) => output.code !== "200");
  if (bad !== undefined) return bad;
  const text = ran
    .map(({ output }) => (typeof output.body === "string" ? output.body : ""))
    .join("");
  return {
    output: { msg: "Success", code: "200", body: text === "" ? {} : text },
    unknown: false,
  };
}
