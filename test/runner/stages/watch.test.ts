import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GuestError } from "../../../bed/errors";
import { parseBedId } from "../../../bed/identities";
import type { Clock } from "../../../provider/devices/clock";
import type { GuestShell } from "../../../provider/devices/guest-shell";
import { setUpCase, type CaseSetup } from "../../../runner/case-order";
import type { JobState } from "../../../runner/jobs/guest-jobs";
import { Journal } from "../../../runner/journal";
import { standingOf } from "../../../runner/stages/launch";
import { watchCase } from "../../../runner/stages/watch";
import { orderFor, smallCase } from "../../support/plain-guests";

const bedId = parseBedId("abcdefghij")!;
const running: JobState = { kind: "running" };
const prepared: JobState = { kind: "prepared" };
const exited: JobState = { kind: "exited", exitCode: 0, endedAtMs: 1 };

describe("what jobs that are found mean for a case", () => {
  it.each([
    ["start", [{ kind: "absent" }, prepared]],
    ["attach", [running, exited]],
    ["attach", [running, { kind: "launched", seconds: 1 }]],
    ["attach", [{ kind: "lost" }, running]],
    ["restart", [running, prepared]],
    ["restart", [exited, { kind: "absent" }]],
    ["restart", [running, { kind: "launched", seconds: 60 }]],
  ] as [string, JobState[]][])("%s: %j", (standing, states) => {
    expect(standingOf(states)).toBe(standing);
  });
});

/** A clock that jumps: sleeping costs nothing. */
class JumpingClock implements Clock {
  constructor(private at: number) {}
  now = (): number => this.at;
  sleep = (ms: number): Promise<void> => {
    this.at += ms;
    return Promise.resolve();
  };
}

/** A guest whose answers are those of job-control.sh, by the time of the clock. */
function guestShell(name: string, answer: () => string): GuestShell {
  const never = () => Promise.reject(new Error("not used"));
  return {
    guest: name,
    exec: () => Promise.resolve().then(() => ({ exitCode: 0, stderr: "", stdout: answer() })),
    writeFile: never,
    fetchFile: never,
    clockOffset: never,
    close: () => Promise.resolve(),
  };
}

describe("watching a case", () => {
  const start = 1_800_000_000_000;
  let folder: string;
  let clock: JumpingClock;
  let status: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sanbed-watch-"));
    clock = new JumpingClock(start);
    status = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function setup(...answers: (() => string)[]): CaseSetup {
    const guests = answers.map((answer, i) => ({
      name: `g0${(i + 1).toString()}`,
      vmUuid: "u",
      place: {
        shell: guestShell(`g0${(i + 1).toString()}`, answer),
        workRoot: "/w",
        supervisor: "session" as const,
      },
      socket: "/s",
    }));
    return setUpCase(orderFor(bedId, "one", smallCase(), guests, folder));
  }
  const watch = (cases: CaseSetup) => {
    const call = {
      signal: new AbortController().signal,
      status: (line: string) => void status.push(line),
    };
    return watchCase({ call, clock }, cases, start, new Journal(join(folder, "journal.jsonl")));
  };
  const gone = (): string => {
    throw new GuestError("g02", "connect", "no SSH", undefined, undefined, "unreachable");
  };

  it("takes a guest that is away for unknown, and its job for finished when it is back", async () => {
    const ends = await watch(
      setup(
        () => (clock.now() < start + 8000 ? "running\n1\n" : "exited 0 1\n1\n"),
        () => (clock.now() < start + 20_000 ? gone() : "exited 0 1\n1\n"),
      ),
    );
    expect([...ends.values()]).toEqual([
      { kind: "exited", exitCode: 0 },
      { kind: "exited", exitCode: 0 },
    ]);
    expect(status.join("\n")).toContain("no contact with g02 (its job goes on)");
  });

  it("gives a guest up when its job's time limit is over", async () => {
    const ends = await watch(setup(() => "exited 0 1\n1\n", gone));
    expect(ends.get("g02")).toEqual({ kind: "unreachable" });
    // 8 s of load, a tenth more, a minute, and the grace of half a minute.
    expect(clock.now() - start).toBeGreaterThan(98_000);
    expect(clock.now() - start).toBeLessThan(105_000);
  });

  it("ends a job that hangs beyond its limit, and says so", async () => {
    const cases = setup(() => "running\n");
    const stop = jest.spyOn(cases.seats[0]!.jobs, "stop");
    const ends = await watch(cases);
    expect(ends.get("g01")).toEqual({ kind: "timeLimit" });
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it("stops the others when one has failed, and says which", async () => {
    let asked = 0;
    const ends = await watch(
      setup(
        () => "exited 1 1\n1\n",
        () => ((asked += 1) === 1 ? "running\n1\n" : "exited 143 1\n"),
      ),
    );
    expect(ends.get("g02")).toEqual({ kind: "stopped" });
    expect(status.join("\n")).toContain("g01 failed: stopping the other guests");
    expect(readFileSync(join(folder, "journal.jsonl"), "utf8")).toContain('"failed":["g01"]');
  });

  it("shows rate, time and rest", async () => {
    const line =
      "[ 3s ] thds: 4 tps: 812.50 qps: 16250.00 (r/w/o: 11375.00/3250.00/1625.00) lat (ms,99%): 9.91 err/s: 0.00 reconn/s: 0.00\n";
    const answer = () =>
      clock.now() < start + 3000 ? `running\n1\n${line}` : `exited 0 1\n1\n${line}`;
    await watch(setup(answer, answer));
    expect(status.join("\n")).toContain("measuring on 2 guests: 1625 TPS, 2s of 8s, 6s left");
  });
});

it("the journal keeps whole lines only, over restarts", () => {
  const folder = mkdtempSync(join(tmpdir(), "sanbed-journal-"));
  const path = join(folder, "deep", "journal.jsonl");
  new Journal(path).add("launched", { guests: ["g01"] });
  new Journal(path).add("ended");
  const text = readFileSync(path, "utf8");
  expect(new Journal(path).entries().map((e) => e.event)).toEqual(["launched", "ended"]);
  expect(text.trim().split("\n")).toHaveLength(2);
  rmSync(folder, { recursive: true });
});
