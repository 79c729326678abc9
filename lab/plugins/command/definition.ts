import { z } from "zod";
import type { ProviderDefinition } from "../../../provider/kit/handler";
import { copyToRemote } from "./copy-to-remote";
import { remoteCommand } from "./remote-command";

const config = z.object({});

/**
 * Stands in for the official command plugin 1.2.1 where that cannot be had: same tokens, names and
 * types, for the part that beds use. Differences: the host key is required, connections are closed
 * after each command, and Cancel ends the wait for a command (the remote process goes on).
 */
export const commandProvider: ProviderDefinition<typeof config, undefined> = {
  name: "command",
  version: "1.2.1",
  description: "Stand-in for the official command provider: the part that beds use.",
  config,
  replaceConfigOn: [],
  configure: () => undefined,
  close: () => Promise.resolve(),
  resources: [remoteCommand, copyToRemote],
  functions: [],
};
