import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

/**
 * The one kernel setting that many guests need raised. systemd, D-Bus and logind of a guest hold seven inotify instances
 * (counted), all of them root's in the kernel's eyes, and root has 128 by default (inotify(7)): the nineteenth guest
 * would die without a word. The old value is written down before the change, and put back when the lab ends.
 */
const SETTING = "/proc/sys/fs/inotify/max_user_instances";
const PER_GUEST = 8;
/** What the rest of the machine may use. */
const OTHERS = 64;

const Record = z.object({ before: z.int(), raisedTo: z.int() });

/** File that says what was changed, beside the list of control groups. */
function recordBeside(cgroupList: string): string {
  return path.join(path.dirname(cgroupList), "host-limits.json");
}

/**
 * Makes sure that so many guests can run at once. Up to eight need no change.
 *
 * @throws Error when the setting must be raised and cannot be
 */
export async function ensureGuestsFit(
  guests: number,
  cgroupList: string,
  log: (line: string) => void,
): Promise<void> {
  const needed = OTHERS + PER_GUEST * guests;
  const present = Number(await readFile(SETTING, "utf8"));
  if (present >= needed) return;
  const raisedTo = Math.max(512, 2 * needed);
  const record = recordBeside(cgroupList);
  const earlier = await readRecord(record);
  const before = earlier?.raisedTo === present ? earlier.before : present;
  await writeFile(record, JSON.stringify({ before, raisedTo }));
  await writeFile(SETTING, String(raisedTo));
  log(`raised ${SETTING} from ${present} to ${raisedTo} for ${guests} guests, until the lab ends`);
}

/** Puts the setting back, unless somebody else has changed it since. */
export async function restoreHostLimits(cgroupList: string): Promise<void> {
  const file = recordBeside(cgroupList);
  const record = await readRecord(file);
  if (record === undefined) return;
  const present = Number(await readFile(SETTING, "utf8"));
  if (present === record.raisedTo) await writeFile(SETTING, String(record.before));
  await rm(file);
}

async function readRecord(file: string): Promise<z.infer<typeof Record> | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  return text === undefined ? undefined : Record.parse(JSON.parse(text));
}
