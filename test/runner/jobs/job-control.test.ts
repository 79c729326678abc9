import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseBedId } from "../../../bed/identities";
import type { GuestShell } from "../../../provider/devices/guest-shell";
import { openGuestShell } from "../../../provider/devices/guest-ssh/guest-ssh";
import { GuestJobs } from "../../../runner/jobs/guest-jobs";
import { SshGuest } from "../../support/ssh-guest";

jest.setTimeout(30_000);

const call = { signal: new AbortController().signal };

describe("stopping a detached job", () => {
  let root: string;
  let guest: SshGuest;
  let shell: GuestShell;
  let jobs: GuestJobs;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "sanbed-jobs-"));
    guest = await new SshGuest("g01").start();
    shell = openGuestShell(guest.address(), guest.options());
    jobs = new GuestJobs(
      { shell, workRoot: root, supervisor: "session" },
      parseBedId("abcdefghij")!,
    );
  });
  afterEach(async () => {
    await shell.close();
    guest.killForeground();
    await guest.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it("ends one that was handed over but has no process yet", async () => {
    await jobs.prepare(call, "late", {}, []);
    const folder = jobs.jobFolder("late");
    // A supervisor that takes its time: the job is launched, its process comes half a second later.
    writeFileSync(join(folder, "launched"), "");
    const job = 'sleep 0.5; exec sh "$0/job.sh" "$0" 0 60 sleep 60';
    const supervisor = spawn("sh", ["-c", job, folder], { detached: true, stdio: "ignore" });
    const ended = new Promise((resolve) => supervisor.once("exit", resolve));
    expect((await jobs.look(call, "late")).state).toMatchObject({ kind: "launched" });
    const state = await jobs.stop(call, "late");
    expect(state.kind).toBe("exited");
    await ended;
  });

  it("answers at once for one that was only prepared, or is unknown", async () => {
    await jobs.prepare(call, "idle", {}, []);
    const started = Date.now();
    expect(await jobs.stop(call, "idle")).toEqual({ kind: "prepared" });
    expect(await jobs.stop(call, "nothing")).toEqual({ kind: "absent" });
    expect(Date.now() - started).toBeLessThan(2000);
  });
});
