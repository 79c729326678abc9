import type { DeviceCall } from "../../../provider/devices/call";
import type { ZoningState } from "../../../provider/devices/fabric-switch";
import type { BedContext } from "../../../provider/resources/context";
import { readHostGroup, readZoning } from "../../../provider/resources/shared-read";
import { testBedId } from "../../support/device-rig";
import { testCall } from "../../support/handler-rig";

interface Asked {
  readonly device: string;
  answer(version: string): void;
  fail(error: Error): void;
}

const stateOf = (version: string): ZoningState =>
  ({ version, aliases: new Map(), zones: new Map() }) as unknown as ZoningState;

/** A bed whose switches answer when the test says so. */
function heldBed(): { context: BedContext; asked: Asked[]; groups: string[] } {
  const asked: Asked[] = [];
  const groups: string[] = [];
  const fabric = (device: string) => ({
    zoning: () =>
      new Promise<ZoningState>((resolve, fail) => {
        asked.push({
          device,
          fail,
          answer: (version) => {
            resolve(stateOf(version));
          },
        });
      }),
  });
  const array = () => ({
    hosts: {
      get: (_call: DeviceCall, { target }: { target: string }, group: string) => {
        groups.push(`${target}/${group}`);
        return Promise.resolve(undefined);
      },
    },
  });
  return { context: { bedId: testBedId, fabric, array } as unknown as BedContext, asked, groups };
}

const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test("hosts that are read at one moment share one read of each switch", async () => {
  const { context, asked } = heldBed();
  const reads = ["fabricA", "fabricB", "fabricA", "fabricA", "fabricB"].map((device) =>
    readZoning(testCall(context), device),
  );
  await until(() => asked.length === 2);
  for (const one of asked) one.answer(`of ${one.device}`);
  const versions = (await Promise.all(reads)).map(({ version }) => version);
  expect(versions).toEqual(["A", "B", "A", "A", "B"].map((name) => `of fabric${name}`));
  expect(asked).toHaveLength(2);
});

test("who asks while a read is on its way does not get its answer", async () => {
  const { context, asked } = heldBed();
  const first = readZoning(testCall(context), "fabricA");
  await until(() => asked.length === 1);
  const second = readZoning(testCall(context), "fabricA");
  asked[0]?.answer("old");
  expect((await first).version).toBe("old");
  await until(() => asked.length === 2);
  asked[1]?.answer("new");
  expect((await second).version).toBe("new");
});

test("a failed read fails all that shared it, and the next one is tried anew", async () => {
  const { context, asked } = heldBed();
  const reads = [1, 2].map(() => readZoning(testCall(context), "fabricA"));
  await until(() => asked.length === 1);
  asked[0]?.fail(new Error("no answer"));
  const outcomes = await Promise.allSettled(reads);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const again = readZoning(testCall(context), "fabricA");
  await until(() => asked.length === 2);
  asked[1]?.answer("there");
  expect((await again).version).toBe("there");
});

test("one caller's cancel does not harm the others", async () => {
  const { context, asked } = heldBed();
  const abort = new AbortController();
  const leaving = readZoning(testCall(context, abort.signal), "fabricA");
  const staying = readZoning(testCall(context), "fabricA");
  await until(() => asked.length === 1);
  abort.abort(new Error("cancelled"));
  await expect(leaving).rejects.toThrow("cancelled");
  asked[0]?.answer("there");
  expect((await staying).version).toBe("there");
});

test("only reads of the same group are shared", async () => {
  const { context, groups } = heldBed();
  const read = (target: string, group: string) =>
    readHostGroup(testCall(context), { device: "array", target, group });
  await Promise.all([read("t", "one"), read("t", "two"), read("t", "one"), read("u", "one")]);
  expect(groups.sort()).toEqual(["t/one", "t/two", "u/one"]);
});
