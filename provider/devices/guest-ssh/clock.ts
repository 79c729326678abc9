import { GuestError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { GuestShell } from "../guest-shell";

/**
 * Guest clock minus ours. Several round trips; the shortest bounds the error best: the guest read its
 * clock somewhere inside it, so half of it is the uncertainty (Cristian's method).
 */
export async function measureClock(
  shell: GuestShell,
  call: DeviceCall,
  rounds = 5,
): Promise<{ offsetMs: number; uncertaintyMs: number }> {
  let best: { offsetMs: number; uncertaintyMs: number } | undefined;
  for (let round = 0; round < rounds; round += 1) {
    const before = Date.now();
    const { stdout } = await shell.exec(call, ["date", "+%s.%N"]);
    const after = Date.now();
    const guestMs = Number(stdout.trim()) * 1000;
    if (!Number.isFinite(guestMs)) {
      throw new GuestError(shell.guest, "read the clock", `date answered "${stdout.trim()}"`);
    }
    // Our own clock is read in whole milliseconds.
    const uncertaintyMs = (after - before) / 2 + 0.5;
    if (best === undefined || uncertaintyMs < best.uncertaintyMs) {
      best = { offsetMs: guestMs - (before + after) / 2, uncertaintyMs };
    }
  }
  if (best === undefined) throw new RangeError("at least one round is needed");
  return best;
}
