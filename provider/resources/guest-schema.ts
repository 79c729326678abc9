import { z } from "zod";
import type { GuestAddress } from "../devices/guest-shell";
import { secretReferenceSchema } from "../devices/credentials";
import type { ResourceCall } from "../kit/handler";
import { systemClock } from "../devices/clock";
import type { RunContext } from "../../runner/case-order";
import { defaultWorkRoot, type Workplace } from "../../runner/jobs/guest-jobs";
import type { BedContext } from "./context";

/** How a guest is reached and worked on. */
export const guestSchema = z
  .object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "letters, digits, dot, dash and underscore")
      .describe("Name of the guest: in messages, results and as a folder's name."),
    host: z.string().describe("Address of its SSH server."),
    port: z.int().min(1).max(65535).default(22).describe("Port of its SSH server."),
    user: z.string().default("root").describe("User with the rights of root."),
    privateKey: secretReferenceSchema.describe(
      "Reference (`env:`, `file:`, `exec:`) to the user's private key.",
    ),
    hostKey: z
      .string()
      .describe("Public host key as one authorized_keys line; a guest with another is refused."),
    workRoot: z
      .string()
      .default(defaultWorkRoot)
      .describe("Folder on the guest in which each bed has a folder of its own."),
    supervisor: z
      .enum(["auto", "systemd", "session"])
      .meta({ id: "JobSupervisor" })
      .default("auto")
      .describe("Who looks after detached jobs: `systemd-run`, or a session of their own."),
  })
  .meta({ id: "GuestConnection" });

export type GuestConnection = z.infer<typeof guestSchema>;

/** Socket of the database server where Debian's MariaDB has it. */
export const defaultSocket = "/run/mysqld/mysqld.sock";

export function workplaceOf(context: BedContext, guest: GuestConnection): Workplace {
  const address: GuestAddress = guest;
  return {
    shell: context.guest(address),
    workRoot: guest.workRoot,
    supervisor: guest.supervisor,
  };
}

/** What the runner needs of a resource's call. */
export function runContext(call: ResourceCall<BedContext>): RunContext {
  return { call: { signal: call.signal, status: call.status }, clock: systemClock };
}

/** Folder of the bed's runs. */
export function runsFolder(context: BedContext): string {
  return `${context.folder}/runs`;
}
