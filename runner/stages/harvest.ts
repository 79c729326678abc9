import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GuestError, isGuestAway } from "../../bed/errors";
import type { GuestShell } from "../../provider/devices/guest-shell";
import type { CaseSetup, RunContext } from "../case-order";
import { withReconnect, type GuestJobs } from "../jobs/guest-jobs";
import type { Journal } from "../journal";
import type { GuestMeasurement } from "../results/measurement";
import { measureSysbench } from "../workloads/sysbench/measure";
import type { SysbenchCase } from "../workloads/sysbench/plan";
import { jobDeclarationSchema, type JobDeclaration } from "./launch";
import { endOfExit, type JobEnd } from "./watch";

/** How long a guest that cannot be reached is waited for. */
const patienceMs = 120_000;

/** Fetches the files of one job into the run folder; answers false when the guest stays away. */
export async function harvestGuest(
  { call, clock }: RunContext,
  jobId: string,
  shell: GuestShell,
  jobs: GuestJobs,
  runFolder: string,
): Promise<boolean> {
  const target = guestFolder(runFolder, shell.guest);
  try {
    await withReconnect(
      async () => {
        for (const file of await jobs.files(call, jobId)) {
          const path = `${jobs.jobFolder(jobId)}/${file.name}`;
          const { bytes } = await shell.fetchFile(call, path, join(target, file.name));
          if (bytes < file.bytes) {
            const reason = `${bytes.toString()} of ${file.bytes.toString()} bytes came`;
            throw new GuestError(shell.guest, `fetch ${path}`, reason);
          }
        }
      },
      {
        untilMs: clock.now() + patienceMs,
        now: () => clock.now(),
        sleep: (ms) => clock.sleep(ms, call.signal),
        onLoss: () => call.status?.(`${shell.guest} cannot be reached, trying again`),
      },
    );
    return true;
  } catch (error) {
    if (isGuestAway(error)) return false;
    throw error;
  }
}

/** Harvests every guest of a case at once. Answers the guests that stayed away. */
export async function harvestCase(
  context: RunContext,
  setup: CaseSetup,
  journal: Journal,
): Promise<string[]> {
  context.call.status?.("harvesting");
  const reached = await Promise.all(
    setup.seats.map(({ guest, jobs }) =>
      harvestGuest(context, setup.order.id, guest.place.shell, jobs, setup.order.folder),
    ),
  );
  const away = setup.seats.filter((_, i) => reached[i] === false).map((seat) => seat.guest.name);
  journal.add("harvested", { away });
  return away;
}

/** What a guest's files in the run folder say. Files that are missing count as empty. */
export function measureGuest(
  spec: SysbenchCase,
  runFolder: string,
  name: string,
  end: JobEnd | undefined,
): { measurement: GuestMeasurement; declared: JobDeclaration | undefined } {
  const text = (file: string): string => readText(join(guestFolder(runFolder, name), file));
  const declared = readDeclaration(text("job.json"));
  const measurement = measureSysbench(spec, {
    guest: name,
    stdout: text("stdout"),
    stderr: text("stderr"),
    started: text("started"),
    end: end ?? endOfFile(text("exit")),
    clock: declared?.facts.clock,
  });
  return { measurement, declared };
}

/** The job's own record of its end: `<exit code> <milliseconds>`. */
function endOfFile(text: string): JobEnd {
  const code = /^(\d+) \d+\s*$/.exec(text)?.[1];
  return code === undefined ? { kind: "lost" } : endOfExit(Number(code));
}

export function guestFolder(runFolder: string, guest: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(guest)) {
    throw new GuestError(guest, "harvest", "its name cannot be the name of a folder");
  }
  return join(runFolder, "guests", guest);
}

export function readDeclaration(text: string): JobDeclaration | undefined {
  try {
    const parsed = jobDeclarationSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}
