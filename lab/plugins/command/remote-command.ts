import { randomBytes } from "node:crypto";
import { z } from "zod";
import { resource, type ResourceCall } from "../../../provider/kit/handler";
import { connectionSchema } from "./connection-schema";
import { hostKeyProblems } from "./dial";
import { runRemote } from "./run";

const logging = z
  .enum(["stdout", "stderr", "stdoutAndStderr", "none"])
  .meta({ id: "Logging", description: "Which output of a command is logged." });

const inputs = z.object({
  connection: connectionSchema.meta({
    secret: true,
    description: "The parameters with which to connect to the remote host.",
  }),
  create: z.string().optional().describe("Runs when the resource is created."),
  update: z
    .string()
    .optional()
    .describe("Runs when an input has changed. Without it `create` runs again."),
  delete: z.string().optional().describe("Runs when the resource is deleted."),
  stdin: z.string().optional().describe("Passed to the command as standard input."),
  environment: z
    .record(z.string(), z.string())
    .optional()
    .describe("Environment variables of the command; the SSH server must accept them."),
  triggers: z
    .array(z.unknown())
    .optional()
    .describe("The resource is replaced when any of these values changes."),
  logging: logging.optional().describe("Which output is logged. Default: all."),
  addPreviousOutputInEnv: z
    .boolean()
    .optional()
    .describe(
      "Gives the output of the last run to the next as PULUMI_COMMAND_STDOUT and _STDERR. Default: true.",
    ),
});
const state = inputs.extend({
  stdout: z.string().describe("Standard output of the last run."),
  stderr: z.string().describe("Standard error of the last run."),
});
type Inputs = z.infer<typeof inputs>;
type Outputs = Pick<z.infer<typeof state>, "stdout" | "stderr">;

async function run(
  call: ResourceCall<unknown>,
  settings: Inputs,
  command: string | undefined,
  previous: Outputs,
): Promise<Outputs> {
  if (command === undefined) return previous;
  const given: [string, string][] = [
    ["PULUMI_COMMAND_STDOUT", previous.stdout],
    ["PULUMI_COMMAND_STDERR", previous.stderr],
  ];
  const passOn = settings.addPreviousOutputInEnv !== false;
  return runRemote(call, {
    connection: settings.connection,
    command,
    stdin: settings.stdin,
    environment: settings.environment ?? {},
    optionalEnvironment: Object.fromEntries(passOn ? given.filter(([, text]) => text !== "") : []),
    logging: settings.logging,
  });
}

/**
 * `command:remote:Command` as the official plugin 1.2.1 behaves: any changed input runs `update`, else
 * `create`, in place; changed triggers replace; a failed create leaves nothing in the state.
 */
export const remoteCommand = resource<unknown, typeof inputs, typeof state>({
  token: "command:remote:Command",
  description: "A command that runs on a remote host over SSH.",
  inputs,
  state,
  replaceOn: ["triggers"],
  deleteBeforeReplace: false,
  check: ({ connection }) => hostKeyProblems(connection),
  create: async (call, settings) => {
    const outputs = await run(call, settings, settings.create, { stdout: "", stderr: "" });
    const id = `${call.name}${randomBytes(4).toString("hex")}`;
    return { id, state: { ...settings, ...outputs } };
  },
  update: async (call, _id, olds, news) => ({
    ...news,
    ...(await run(call, news, news.update ?? news.create, olds)),
  }),
  delete: async (call, _id, recorded) => {
    await run(call, recorded, recorded.delete, recorded);
  },
});
