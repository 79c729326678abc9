import { z } from "zod";
import { GuestError, isGuestAway, isGuestError } from "../../bed/errors";
import { sweepGuest } from "../../runner/sweep-guest";
import { systemClock } from "../devices/clock";
import type { GuestShell } from "../devices/guest-shell";
import { resource, type ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";
import { guestSchema, runContext, runsFolder, workplaceOf } from "./guest-schema";

const inputs = z.object({
  vmUuid: z.string().describe("UUID of the machine: another machine is another guest."),
  guest: guestSchema.describe("How the guest is reached."),
  tools: z
    .array(z.string().regex(/^[A-Za-z0-9._-]+$/))
    .default([])
    .describe("Programs that must be there; the first line of `--version` is recorded."),
  timeoutSeconds: z
    .int()
    .min(1)
    .default(300)
    .describe("How long the guest may take to become reachable."),
});

const facts = z
  .object({
    hostname: z.string(),
    kernel: z.string(),
    bootId: z.string().describe("Changes with every start of the guest."),
    cpus: z.number(),
    memoryBytes: z.string(),
    systemd: z.boolean().describe("systemd is its init system and looks after jobs."),
    clockOffsetMs: z.number().describe("Guest clock minus ours."),
    clockUncertaintyMs: z.number(),
    tools: z.record(z.string(), z.string()).describe("Version lines by program."),
  })
  .meta({ id: "GuestFacts" });

const state = inputs.extend({
  facts: facts.optional().describe("What the guest says about itself."),
});
type Inputs = z.infer<typeof inputs>;

/** A clock that is further off cannot take part in a common start. */
const maxClockOffsetMs = 1000;
/** How long a delete waits for a guest that does not answer. */
const deletePatienceMs = 15_000;

/**
 * Waits until a guest is reachable with its pinned host key and fit to run jobs. Has no read: an
 * unreachable guest must not stop a destroy. Its delete stops and harvests every job of the bed on
 * the guest, also those that are in no state.
 */
export const ready = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:guest:Ready",
  description: "A guest that is reachable, with its host key, tools and clock checked.",
  inputs,
  state,
  replaceOn: ["vmUuid"],
  deleteBeforeReplace: true,
  async create(call, args) {
    return { id: args.vmUuid, state: { ...args, facts: await readyFacts(call, args) } };
  },
  async update(call, _id, _olds, news) {
    return { ...news, facts: await readyFacts(call, news) };
  },
  async delete(call, _id, olds) {
    const context = runContext(call);
    const place = workplaceOf(call.context, olds.guest);
    const until = systemClock.now() + deletePatienceMs;
    for (;;) {
      try {
        const runs = runsFolder(call.context);
        const found = await sweepGuest(context, place, call.context.bedId, runs);
        for (const job of found) call.log("info", `${olds.guest.name}: stopped ${job}`);
        return;
      } catch (error) {
        if (!isGuestAway(error)) throw error;
        const again = error.kind === "unreachable" && systemClock.now() < until;
        if (!again) {
          call.log("warning", `${error.message} Its jobs end with it; nothing was harvested.`);
          return;
        }
        await systemClock.sleep(1000, call.signal);
      }
    }
  },
});

async function readyFacts(
  call: ResourceCall<BedContext>,
  args: Inputs,
): Promise<z.infer<typeof facts>> {
  const { shell } = workplaceOf(call.context, args.guest);
  await reachable(call, shell, args);
  call.status("reading the guest's facts");
  const text = async (...argv: string[]): Promise<string> =>
    (await shell.exec(call, argv, { allowFailure: true })).stdout.trim();
  const clock = await shell.clockOffset(call);
  if (Math.abs(clock.offsetMs) > maxClockOffsetMs + clock.uncertaintyMs) {
    const reason = `its clock is ${(clock.offsetMs / 1000).toFixed(1)} s off`;
    throw new GuestError(args.guest.name, "use the guest", reason, "Start chrony on it.");
  }
  const memory = /^MemTotal:\s+(\d+) kB$/m.exec(await text("cat", "/proc/meminfo"))?.[1] ?? "0";
  const systemd = await shell.exec(call, ["test", "-d", "/run/systemd/system"], {
    allowFailure: true,
  });
  return {
    hostname: await text("uname", "-n"),
    kernel: await text("uname", "-r"),
    bootId: await text("cat", "/proc/sys/kernel/random/boot_id"),
    cpus: Number(await text("nproc")),
    memoryBytes: (BigInt(memory) * 1024n).toString(),
    systemd: systemd.exitCode === 0,
    clockOffsetMs: round(clock.offsetMs),
    clockUncertaintyMs: round(clock.uncertaintyMs),
    tools: await versions(call, shell, args),
  };
}

/** A guest that boots does not answer, or refuses its key until that has been put in place. */
async function reachable(
  call: ResourceCall<BedContext>,
  shell: GuestShell,
  args: Inputs,
): Promise<void> {
  const began = systemClock.now();
  const until = began + args.timeoutSeconds * 1000;
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 1.5, 5000)) {
    try {
      await shell.exec(call, ["true"]);
      return;
    } catch (error) {
      const transient = isGuestError(error, "unreachable", "unauthorized");
      if (!transient || systemClock.now() >= until) throw error;
      const seconds = Math.round((systemClock.now() - began) / 1000).toString();
      call.status(`waiting for SSH at ${args.guest.host}, ${seconds} s`);
    }
    await systemClock.sleep(pauseMs, call.signal);
  }
}

async function versions(
  call: ResourceCall<BedContext>,
  shell: GuestShell,
  args: Inputs,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const tool of args.tools) {
    const result = await shell.exec(call, [tool, "--version"], { allowFailure: true });
    if (result.exitCode === 127) {
      throw new GuestError(args.guest.name, "use the guest", `${tool} is not installed on it`);
    }
    found[tool] = (result.stdout || result.stderr).split("\n")[0]?.trim() ?? "";
  }
  return found;
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
