import { z } from "zod";

/** What a connection has, through a proxy or not. Names and defaults: `@pulumi/command` 1.2.1. */
const base = {
  host: z.string().describe("The address of the resource to connect to."),
  port: z.number().default(22).describe("The port to connect to. Defaults to 22."),
  user: z.string().default("root").describe("The user of the connection. Defaults to root."),
  password: z.string().optional().meta({ secret: true, description: "The password of the user." }),
  privateKey: z.string().optional().meta({
    secret: true,
    description: "The contents of a private key; preferred to the password.",
  }),
  privateKeyPassword: z
    .string()
    .optional()
    .meta({ secret: true, description: "The password of an encrypted private key." }),
  agentSocketPath: z
    .string()
    .optional()
    .describe("Socket of an SSH agent. Defaults to the environment variable SSH_AUTH_SOCK."),
  dialErrorLimit: z
    .int()
    .default(10)
    .describe("How often a failed connect is tried again; -1 for ever. Defaults to 10."),
  perDialTimeout: z
    .int()
    .default(15)
    .describe("Most seconds for one connect; 0 is no limit. Defaults to 15."),
  hostKey: z
    .string()
    .optional()
    .describe("The public key that the server must have, in authorized_keys form. Required here."),
};

const proxy = z
  .object(base)
  .meta({ id: "ProxyConnection", description: "A host that the connection goes through." });

export const connectionSchema = z
  .object({ ...base, proxy: proxy.optional().describe("A host that the connection goes through.") })
  .meta({ id: "Connection", description: "How to connect to a remote host." });

export type Connection = z.infer<typeof connectionSchema>;
/** One hop: the proxy, or the host itself. */
export type Hop = z.infer<typeof proxy>;
