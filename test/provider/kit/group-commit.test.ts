import fc from "fast-check";
import { GroupCommit } from "../../../provider/kit/group-commit";
import type { Batch, Outcome } from "../../../provider/kit/group-commit";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function doubled(items: readonly number[]): Outcome<number>[] {
  return items.map((n) => ({ ok: true, value: n * 2 }));
}

/** A commit whose end the test decides, batch by batch. */
function held(): {
  group: GroupCommit<number, number>;
  batches: { batch: Batch<number>; end: (outcomes?: Outcome<number>[]) => void }[];
} {
  const batches: { batch: Batch<number>; end: (outcomes?: Outcome<number>[]) => void }[] = [];
  const group = new GroupCommit<number, number>(
    (batch) =>
      new Promise((resolve) => {
        batches.push({
          batch,
          end: (outcomes) => {
            resolve(outcomes ?? doubled(batch.items));
          },
        });
      }),
  );
  return { group, batches };
}

test("calls of one turn share a commit; those that come while it runs share the next one", async () => {
  const { group, batches } = held();
  const first = [group.run("a", 1), group.run("a", 2)];
  await turn();
  expect(batches.map(({ batch }) => batch.items)).toEqual([[1, 2]]);
  const second = [group.run("a", 3), group.run("a", 4)];
  await turn();
  await turn();
  expect(batches).toHaveLength(1);
  batches[0]?.end();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await turn();
  expect(batches[1]?.batch.items).toEqual([3, 4]);
  batches[1]?.end();
  expect(await Promise.all(second)).toEqual([6, 8]);
});

test("other keys do not wait", async () => {
  const { group, batches } = held();
  const calls = [group.run("a", 1), group.run("b", 2)];
  await turn();
  expect(batches.map(({ batch }) => batch.key)).toEqual(["a", "b"]);
  for (const { end } of batches) end();
  expect(await Promise.all(calls)).toEqual([2, 4]);
});

test("a window gathers calls of several turns, a limit splits them", async () => {
  const sizes: number[] = [];
  const group = new GroupCommit<number, number>(
    (batch) => {
      sizes.push(batch.items.length);
      return Promise.resolve(doubled(batch.items));
    },
    { windowMs: 20, maxItems: 2 },
  );
  const calls = [group.run("a", 1)];
  await turn();
  calls.push(group.run("a", 2), group.run("a", 3));
  expect(await Promise.all(calls)).toEqual([2, 4, 6]);
  expect(sizes).toEqual([2, 1]);
});

test("a window starts anew with each call that joins, and ends after four in any case", async () => {
  const sizes: number[] = [];
  const group = new GroupCommit<number, number>(
    (batch) => {
      sizes.push(batch.items.length);
      return Promise.resolve(doubled(batch.items));
    },
    { windowMs: 100 },
  );
  const calls: Promise<number>[] = [];
  for (let call = 0; call < 20 && sizes.length === 0; call++) {
    calls.push(group.run("a", call));
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  await Promise.all(calls);
  // One window alone would have gathered two.
  expect(sizes[0]).toBeGreaterThan(2);
  expect(sizes[0]).toBeLessThan(20);
});

test("each member gets its own error; a failed commit fails all of its members and no others", async () => {
  const { group, batches } = held();
  const good = group.run("a", 1);
  const bad = group.run("a", 2);
  await turn();
  batches[0]?.end([
    { ok: true, value: 10 },
    { ok: false, error: new Error("only two") },
  ]);
  expect(await good).toBe(10);
  await expect(bad).rejects.toThrow("only two");
  const broken = new GroupCommit<number, number>(({ items }) =>
    items.includes(13) ? Promise.reject(new Error("device gone")) : Promise.resolve(doubled(items)),
  );
  const doomed = [broken.run("a", 13), broken.run("a", 1)];
  for (const call of doomed) await expect(call).rejects.toThrow("device gone");
  expect(await broken.run("a", 2)).toBe(4);
  const short = new GroupCommit<number, number>(() => Promise.resolve([]));
  await expect(short.run("a", 1)).rejects.toThrow("gave no outcome");
});

test("aborting one member answers it at once and leaves the others alone", async () => {
  const { group, batches } = held();
  const stop = new AbortController();
  const leaver = group.run("a", 1, { signal: stop.signal });
  const stayer = group.run("a", 2, { signal: new AbortController().signal });
  await turn();
  stop.abort(new Error("enough"));
  await expect(leaver).rejects.toThrow("enough");
  expect(batches[0]?.batch.signal.aborted).toBe(false);
  batches[0]?.end();
  expect(await stayer).toBe(4);
});

test("a member that leaves a running batch is told that its work may go on; a waiting one is not", async () => {
  const { group, batches } = held();
  const stop = new AbortController();
  const told: string[] = [];
  const leave = (n: number): Promise<number> =>
    group.run("a", n, {
      signal: stop.signal,
      leftBehind: () => void told.push(n.toString()),
    });
  const running = leave(1).catch(() => told.push("rejected"));
  await turn();
  const waiting = leave(2).catch(() => undefined);
  stop.abort(new Error("enough"));
  await Promise.all([running, waiting]);
  expect(told).toEqual(["1", "rejected"]);
  batches[0]?.end();
});

test("a member that is aborted while it waits is never committed", async () => {
  const { group, batches } = held();
  const running = group.run("a", 1);
  await turn();
  const stop = new AbortController();
  const waiting = group.run("a", 2, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough");
  batches[0]?.end();
  await running;
  await turn();
  expect(batches).toHaveLength(1);
  await expect(group.run("a", 3, { signal: stop.signal })).rejects.toThrow("enough");
});

test("the commit is aborted when all of its members are", async () => {
  const { group, batches } = held();
  const stops = [new AbortController(), new AbortController()];
  const calls = stops.map((stop, i) => group.run("a", i, { signal: stop.signal }));
  await turn();
  for (const stop of stops) stop.abort(new Error("all stop"));
  for (const call of calls) await expect(call).rejects.toThrow("all stop");
  expect(batches[0]?.batch.signal.aborted).toBe(true);
});

test("a batch has the latest deadline of its members, none if one has none", async () => {
  const { group, batches } = held();
  void group.run("a", 1, { deadline: 100 });
  void group.run("a", 2, { deadline: 300 });
  void group.run("b", 3, { deadline: 100 });
  void group.run("b", 4);
  await turn();
  expect(batches.map(({ batch }) => batch.deadline)).toEqual([300, undefined]);
});

test("whatever comes when: one commit per key at a time, every item once and in order, own results", async () => {
  const step = fc.record({
    key: fc.constantFrom("a", "b"),
    turnsBefore: fc.nat({ max: 3 }),
    abortAfterTurns: fc.option(fc.nat({ max: 5 }), { nil: undefined }),
    fails: fc.boolean(),
  });
  const scene = fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 25 }),
    commitTurns: fc.nat({ max: 4 }),
    maxItems: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(scene, async ({ steps, commitTurns, maxItems }) => {
      const running = new Set<string>();
      const committed: number[] = [];
      const group = new GroupCommit<number, string>(
        async ({ key, items }) => {
          expect(running.has(key)).toBe(false);
          expect(items.length).toBeGreaterThan(0);
          expect(items.length).toBeLessThanOrEqual(maxItems ?? Infinity);
          running.add(key);
          committed.push(...items);
          for (let i = 0; i < commitTurns; i++) await turn();
          running.delete(key);
          return items.map((n) =>
            steps[n]?.fails === true
              ? { ok: false, error: new Error(`failed ${n.toString()}`) }
              : { ok: true, value: `done ${n.toString()}` },
          );
        },
        maxItems === undefined ? {} : { maxItems },
      );
      const answers: Promise<string>[] = [];
      for (const [n, { key, turnsBefore, abortAfterTurns }] of steps.entries()) {
        for (let i = 0; i < turnsBefore; i++) await turn();
        const stop = new AbortController();
        const call = group.run(key, n, { signal: stop.signal });
        answers.push(call.catch((error: unknown) => (error as Error).message));
        if (abortAfterTurns === undefined) continue;
        void (async () => {
          for (let i = 0; i < abortAfterTurns; i++) await turn();
          stop.abort(new Error(`aborted ${n.toString()}`));
        })();
      }
      const results = await Promise.all(answers);
      for (const [n, { fails, abortAfterTurns }] of steps.entries()) {
        const own = `${fails ? "failed" : "done"} ${n.toString()}`;
        const allowed = abortAfterTurns === undefined ? [own] : [own, `aborted ${n.toString()}`];
        expect(allowed).toContain(results[n]);
        if (results[n] === own) expect(committed.filter((m) => m === n)).toHaveLength(1);
      }
      for (const key of ["a", "b"]) {
        const ofKey = committed.filter((n) => steps[n]?.key === key);
        expect(ofKey).toEqual([...new Set(ofKey)].sort((x, y) => x - y));
      }
    }),
    { numRuns: 200 },
  );
});
