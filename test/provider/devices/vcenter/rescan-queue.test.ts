import { isDeviceError } from "../../../../bed/errors";
import { RescanQueue } from "../../../../provider/devices/vcenter/rescan-queue";

interface Job {
  readonly key: string;
  readonly signal: AbortSignal;
  readonly end: (error?: Error) => void;
}

function rig() {
  const jobs: Job[] = [];
  const started: (() => void)[] = [];
  const queue = new RescanQueue(
    "vcenter",
    (key, signal) =>
      new Promise((resolve, reject) => {
        jobs.push({
          key,
          signal,
          end: (error) => {
            if (error === undefined) resolve();
            else reject(error);
          },
        });
        started.splice(0).forEach((wake) => {
          wake();
        });
      }),
    1,
  );
  const until = async (count: number): Promise<void> => {
    while (jobs.length < count) await new Promise<void>((resolve) => started.push(resolve));
  };
  return { queue, jobs, until };
}

const call = (signal = new AbortController().signal) => ({ signal });

describe("rescan queue", () => {
  it("shares one rescan between calls that come together", async () => {
    const { queue, jobs, until } = rig();
    const calls = [1, 2, 3].map(() => queue.request(call(), "a"));
    await until(1);
    jobs[0]?.end();
    await Promise.all(calls);
    expect(jobs.length).toBe(1);
  });

  it("never lets a call join a rescan that already runs: it may have passed the adapter", async () => {
    const { queue, jobs, until } = rig();
    const early = queue.request(call(), "a");
    await until(1);
    let lateIsDone = false;
    const late = [1, 2].map(() => queue.request(call(), "a"));
    void late[0]?.then(() => (lateIsDone = true));
    jobs[0]?.end();
    await early;
    await until(2);
    expect(lateIsDone).toBe(false);
    jobs[1]?.end();
    await Promise.all(late);
    expect(jobs.length).toBe(2);
  });

  it("runs hosts beside each other", async () => {
    const { queue, jobs, until } = rig();
    const calls = ["a", "b"].map((key) => queue.request(call(), key));
    await until(2);
    jobs.forEach((job) => {
      job.end();
    });
    await Promise.all(calls);
    expect(jobs.map((job) => job.key).sort()).toEqual(["a", "b"]);
  });

  it("lets one caller go without taking the rescan from the others", async () => {
    const { queue, jobs, until } = rig();
    const leaving = new AbortController();
    const left = queue.request(call(leaving.signal), "a");
    const stays = queue.request(call(), "a");
    await until(1);
    leaving.abort();
    const error: unknown = await left.catch((reason: unknown) => reason);
    expect(isDeviceError(error, "aborted")).toBe(true);
    expect(jobs[0]?.signal.aborted).toBe(false);
    jobs[0]?.end();
    await stays;
  });

  it("stops the rescan when nobody waits for it any more, and still serves the next call", async () => {
    const { queue, jobs, until } = rig();
    const leaving = new AbortController();
    const left = queue.request(call(leaving.signal), "a").catch(() => undefined);
    await until(1);
    leaving.abort();
    await left;
    expect(jobs[0]?.signal.aborted).toBe(true);
    const next = queue.request(call(), "a");
    jobs[0]?.end(new Error("aborted"));
    await until(2);
    jobs[1]?.end();
    await next;
  });

  it("tells every sharer of a failure, and tries again for the next one", async () => {
    const { queue, jobs, until } = rig();
    const calls = [1, 2].map(() => queue.request(call(), "a").catch((e: unknown) => String(e)));
    await until(1);
    jobs[0]?.end(new Error("host is busy"));
    expect(await Promise.all(calls)).toEqual(["Error: host is busy", "Error: host is busy"]);
    const next = queue.request(call(), "a");
    await until(2);
    jobs[1]?.end();
    await next;
  });
});
