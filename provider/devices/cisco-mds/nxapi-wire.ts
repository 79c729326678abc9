import { z } from "zod";
import { parseExactJson } from "./json";

/**
 * The envelope of NX-API: `ins_api.outputs.output` is one object for one command and a list for several
 * (MDS 9000 Series Programmability Guide, NX-API Response Elements). For `cli_conf` some releases give
 * one object for all commands together.
 */
const output = z.looseObject({
  input: z.string().optional(),
  code: z.coerce.string(),
  msg: z.string().optional(),
  clierror: z.string().optional(),
  body: z.unknown().optional(),
});

const envelope = z.object({
  ins_api: z.looseObject({
    outputs: z.looseObject({ output: z.union([z.array(output), output]) }).optional(),
  }),
});

/** What one command answered. */
export interface CommandOutput {
  /** The command as the switch repeats it; empty where it does not. */
  readonly input: string;
  /** `200` when the command was taken. */
  readonly code: string;
  /** Structured answer of a show command. */
  readonly body: unknown;
  /** Everything the command said in words: its error, its message, or its plain text. */
  readonly text: string;
}

/** The answers in the order of the commands; undefined when the text is no answer of NX-API. */
export function readOutputs(text: string): readonly CommandOutput[] | undefined {
  const parsed = envelope.safeParse(parseExactJson(text));
  if (!parsed.success) return undefined;
  const outputs = parsed.data.ins_api.outputs?.output ?? [];
  return (Array.isArray(outputs) ? outputs : [outputs]).map((one) => ({
    input: one.input ?? "",
    code: one.code,
    body: one.body,
    text: wordsOf(one),
  }));
}

/** The request body. `type` stands before `input`: some releases take a `type` inside the commands for it. */
export function requestBody(
  type: "cli_show" | "cli_show_ascii" | "cli_conf",
  input: string,
): string {
  return JSON.stringify({
    ins_api: { version: "1.0", type, chunk: "0", sid: "1", input, output_format: "json" },
  });
}

function wordsOf(one: z.infer<typeof output>): string {
  const said = [
    one.clierror,
    typeof one.body === "string" ? one.body : messageIn(one.body),
    // "Success" comes with every command that was taken; an error's own words say more than its kind.
    one.msg === undefined || /^success$/i.test(one.msg.trim()) ? undefined : one.msg,
  ];
  return said
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join("; ");
}

/** JSON-RPC style answers put a command's words into `msg` of the body. */
function messageIn(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("msg" in body)) return undefined;
  return typeof body.msg === "string" ? body.msg : undefined;
}
