import { randomBytes } from "node:crypto";
import { z } from "zod";
import { resource } from "../../../provider/kit/handler";
import { assetSchema } from "../../../provider/kit/schema";
import { AssetValue } from "../../../provider/kit/values";
import { connectionSchema } from "./connection-schema";
import { copySource } from "./copy-source";
import { hostKeyProblems } from "./dial";

const inputs = z.object({
  connection: connectionSchema.meta({
    secret: true,
    description: "The parameters with which to connect to the remote host.",
  }),
  source: assetSchema("Asset").describe(
    "An asset or an archive to copy. Copied as it is, never unpacked.",
  ),
  remotePath: z
    .string()
    .describe("Where to on the remote host. Missing parent directories are made."),
  triggers: z
    .array(z.unknown())
    .optional()
    .describe("The resource is replaced when any of these values changes."),
});

function hashOf(source: unknown): unknown {
  return source instanceof AssetValue ? source.wire["hash"] : undefined;
}

/**
 * `command:remote:CopyToRemote` as the official plugin 1.2.1 behaves: copies again when content or
 * path changes; a delete leaves the copy where it is.
 */
export const copyToRemote = resource<unknown, typeof inputs, typeof inputs>({
  token: "command:remote:CopyToRemote",
  description: "Copies an asset or archive to a remote host over SFTP.",
  inputs,
  state: inputs,
  replaceOn: ["triggers"],
  deleteBeforeReplace: false,
  check: ({ connection, source }) => [
    ...hostKeyProblems(connection),
    ...(source === undefined || source instanceof AssetValue
      ? []
      : [{ path: "source", message: "must be an asset or an archive" }]),
  ],
  create: async (call, settings) => {
    await copySource(call, settings.connection, settings.source, settings.remotePath);
    return { id: randomBytes(4).toString("hex"), state: settings };
  },
  update: async (call, _id, olds, news) => {
    const same = hashOf(olds.source) === hashOf(news.source) && olds.remotePath === news.remotePath;
    if (!same) await copySource(call, news.connection, news.source, news.remotePath);
    return news;
  },
  delete: () => Promise.resolve(),
});
