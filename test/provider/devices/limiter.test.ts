import fc from "fast-check";
import type { Clock } from "../../../provider/devices/clock";
import { Limiter, Semaphore } from "../../../provider/devices/limiter";

const never = new AbortController().signal;

/** Time that passes only by sleeping. */
function testClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    sleep: (ms) => {
      now += ms;
      return Promise.resolve();
    },
  };
}

test("never runs more at once than it may, and runs all", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 20 }),
      async (places, jobs) => {
        const limiter = new Limiter({ concurrency: places }, testClock());
        let running = 0;
        let most = 0;
        let done = 0;
        await Promise.all(
          Array.from({ length: jobs }, () =>
            limiter.run(never, async () => {
              most = Math.max(most, ++running);
              await Promise.resolve();
              running--;
              done++;
            }),
          ),
        );
        expect(done).toBe(jobs);
        expect(most).toBeLessThanOrEqual(places);
      },
    ),
  );
});

test("never begins more in a span of time than the device takes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 30 }),
      async (requests, jobs) => {
        const clock = testClock();
        const limiter = new Limiter({ concurrency: 1, rate: { requests, perMs: 1000 } }, clock);
        const begun: number[] = [];
        for (let job = 0; job < jobs; job++) {
          await limiter.run(never, () => Promise.resolve(begun.push(clock.now())));
        }
        for (const start of begun) {
          expect(begun.filter((at) => at >= start && at < start + 1000).length).toBeLessThanOrEqual(
            requests,
          );
        }
      },
    ),
  );
});

test("gives a place back after a failure", async () => {
  const limiter = new Limiter({ concurrency: 1 }, testClock());
  await expect(limiter.run(never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(limiter.run(never, () => Promise.resolve(1))).resolves.toBe(1);
});

test("lets one who gives up out of the queue, and serves the next", async () => {
  const lock = new Semaphore(1);
  const release = await lock.acquire(never);
  const controller = new AbortController();
  const left = lock.acquire(controller.signal);
  const next = lock.acquire(never);
  controller.abort(new Error("given up"));
  await expect(left).rejects.toThrow("given up");
  release();
  release();
  const releaseNext = await next;
  const last = lock.acquire(never);
  let served = false;
  void last.then(() => (served = true));
  await Promise.resolve();
  // Releasing twice did not make a second place.
  expect(served).toBe(false);
  releaseNext();
  await last;
});
