import { GuestError, isGuestError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import type { DeviceCall } from "../../provider/devices/call";
import type { GuestShell } from "../../provider/devices/guest-shell";
import { renderTemplate } from "../../templates/render";

/** Where jobs of beds live on a guest. */
export const defaultWorkRoot = "/var/lib/sanbed";

/** How a guest is worked on. */
export interface Workplace {
  readonly shell: GuestShell;
  /** Absolute folder on the guest; each bed has a folder of its own below it. */
  readonly workRoot: string;
  /** Who looks after detached jobs: `systemd-run`, or a session of their own. */
  readonly supervisor: "auto" | "systemd" | "session";
}

export type JobState =
  | { readonly kind: "absent" | "prepared" | "running" | "lost" }
  /** Handed to the supervisor, not begun; seconds since then. */
  | { readonly kind: "launched"; readonly seconds: number }
  | { readonly kind: "exited"; readonly exitCode: number; readonly endedAtMs: number };

export interface JobLook {
  readonly state: JobState;
  /** The guest's clock, milliseconds since the epoch. */
  readonly guestNowMs: number;
  /** End of the job's standard output. */
  readonly tail: string;
}

export interface JobFile {
  readonly name: string;
  readonly content: string;
  readonly mode?: number;
}

export interface Launch {
  /** When the command begins, on the guest's clock; in the past: at once. */
  readonly launchAtMs: number;
  /** The command is ended by force after so many seconds. */
  readonly limitSeconds: number;
  readonly argv: readonly string[];
}

/** Job and file names: they become paths and unit names. */
const jobName = /^[a-z0-9][a-z0-9._-]{0,90}$/;

function isJobName(name: string): boolean {
  return jobName.test(name);
}

/**
 * Detached jobs of one bed on one guest. A job outlives the connection and this process, ends itself
 * after its limit, and leaves everything about itself in its folder. Every method may be repeated.
 * @throws {GuestError} when the guest cannot be reached or refuses.
 */
export class GuestJobs {
  readonly guest: string;
  /** Folder of the bed on the guest. */
  readonly folder: string;

  constructor(
    private readonly place: Workplace,
    private readonly bedId: BedId,
  ) {
    this.guest = place.shell.guest;
    this.folder = `${place.workRoot}/${bedId}`;
  }

  jobFolder(jobId: string): string {
    if (!isJobName(jobId)) throw new RangeError(`"${jobId}" is no job name`);
    return `${this.folder}/${jobId}`;
  }

  /** Makes the job's folder with its files. `job.json` comes last: a folder without it is no job. */
  async prepare(
    call: DeviceCall,
    jobId: string,
    declaration: object,
    files: readonly JobFile[],
  ): Promise<void> {
    const folder = this.jobFolder(jobId);
    const { shell } = this.place;
    await shell.exec(call, ["mkdir", "-p", "-m", "0700", this.folder]);
    await shell.exec(call, ["mkdir", "-p", "-m", "0700", folder]);
    await Promise.all(
      files.map((f) => shell.writeFile(call, `${folder}/${f.name}`, f.content, f.mode)),
    );
    await shell.writeFile(call, `${folder}/job.sh`, renderTemplate("guests/job.sh", {}, plain));
    await shell.writeFile(call, `${folder}/job.json`, JSON.stringify(declaration, null, 2));
  }

  /**
   * Starts the job detached. A job that was launched before is left as it is.
   * @throws {GuestError} when the guest refuses to start it.
   */
  async launch(call: DeviceCall, jobId: string, launch: Launch): Promise<void> {
    const folder = this.jobFolder(jobId);
    const before = await this.look(call, jobId);
    if (before.state.kind !== "prepared") return;
    const job = [
      "sh",
      `${folder}/job.sh`,
      folder,
      Math.round(launch.launchAtMs).toString(),
      launch.limitSeconds.toString(),
      ...launch.argv,
    ];
    const waitSeconds = Math.max(0, Math.ceil((launch.launchAtMs - before.guestNowMs) / 1000));
    const outerLimit = (waitSeconds + launch.limitSeconds + 60).toString();
    const supervisor = await this.supervisor(call);
    await this.control(call, supervisor, jobId, [outerLimit, ...job]);
  }

  /** What the job does now. */
  async look(call: DeviceCall, jobId: string): Promise<JobLook> {
    const { stdout } = await this.control(call, "state", jobId);
    const [first = "", second = "", ...rest] = stdout.split("\n");
    return {
      state: readState(this.guest, first),
      guestNowMs: Number(second),
      tail: rest.join("\n"),
    };
  }

  /** Asks the job to end, waits, ends its own processes by force, and answers its last state. */
  async stop(call: DeviceCall, jobId: string): Promise<JobState> {
    const { stdout } = await this.control(call, "stop", jobId);
    return readState(this.guest, stdout.trim().split("\n").at(-1) ?? "");
  }

  /** Names of all jobs of the bed on this guest, whoever recorded them. */
  async list(call: DeviceCall): Promise<string[]> {
    const { stdout } = await this.run(call, ["list", this.folder]);
    return stdout.split("\n").filter(isJobName);
  }

  /** Files of a job with their sizes in bytes. */
  async files(call: DeviceCall, jobId: string): Promise<{ name: string; bytes: number }[]> {
    const { stdout } = await this.control(call, "files", jobId);
    return stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [, bytes = "", name = ""] = /^(\d+) (.*)$/.exec(line) ?? [];
        return { name, bytes: Number(bytes) };
      })
      .filter((file) => isJobName(file.name) && !file.name.endsWith(".part"));
  }

  /** Removes the job's folder. Only for jobs that have ended and were harvested. */
  async remove(call: DeviceCall, jobId: string): Promise<void> {
    await this.place.shell.exec(call, ["rm", "-rf", "--", this.jobFolder(jobId)]);
  }

  private async supervisor(call: DeviceCall): Promise<"systemd" | "session"> {
    if (this.place.supervisor !== "auto") return this.place.supervisor;
    // sd_booted(3): the directory exists exactly when systemd is the init system.
    const argv = ["test", "-d", "/run/systemd/system"];
    const booted = await this.place.shell.exec(call, argv, { allowFailure: true });
    return booted.exitCode === 0 ? "systemd" : "session";
  }

  private control(
    call: DeviceCall,
    action: string,
    jobId: string,
    rest: readonly string[] = [],
  ): Promise<{ stdout: string }> {
    const unit = `sanbed-${this.bedId}-${jobId}`;
    return this.run(call, [action, this.jobFolder(jobId), unit, ...rest]);
  }

  private run(call: DeviceCall, args: readonly string[]): Promise<{ stdout: string }> {
    const script = renderTemplate("guests/job-control.sh", {}, plain);
    return this.place.shell.exec(call, ["sh", "-c", script, "job-control.sh", ...args]);
  }
}

/** Repeats work while the guest cannot be reached, with growing pauses, until the time is up. */
export async function withReconnect<T>(
  work: () => Promise<T>,
  options: {
    readonly untilMs: number;
    readonly now: () => number;
    readonly sleep: (ms: number) => Promise<void>;
    readonly onLoss?: (error: GuestError) => void;
  },
): Promise<T> {
  for (let pause = 500; ; pause = Math.min(pause * 2, 10_000)) {
    try {
      return await work();
    } catch (error) {
      if (!isGuestError(error, "unreachable") || options.now() >= options.untilMs) throw error;
      options.onLoss?.(error);
      await options.sleep(Math.min(pause, Math.max(0, options.untilMs - options.now())));
    }
  }
}

/** These templates hold no value at all. */
function plain(value: string): string {
  throw new RangeError(
    `no value belongs into a fixed script, got ${value.length.toString()} characters`,
  );
}

function readState(guest: string, line: string): JobState {
  const [word = "", first, second] = line.trim().split(" ");
  switch (word) {
    case "absent":
    case "prepared":
    case "running":
    case "lost":
      return { kind: word };
    case "launched":
      return { kind: "launched", seconds: Number(first) };
    case "exited":
      return { kind: "exited", exitCode: Number(first), endedAtMs: Number(second) };
    default:
      throw new GuestError(guest, "look at a job", `unexpected answer ${JSON.stringify(line)}`);
  }
}
