import { DeviceError, isDeviceError } from "../../../bed/errors";
import { Breaker } from "../../../provider/devices/breaker";
import { failure } from "../../support/array-bed";
import { call } from "../../support/device-rig";
import { leapingClock, scriptedLine } from "../../support/ontap-line";

const silent = (): Promise<never> =>
  Promise.reject(
    new DeviceError({ kind: "unreachable", device: "array", operation: "read", reason: "503" }),
  );

function breaker() {
  const clock = leapingClock();
  return {
    clock,
    breaker: new Breaker({ device: "array", clock, patienceMs: 60_000, probeMs: 15_000 }),
  };
}

describe("a device that has answered nothing for long", () => {
  test("is not waited for again by every call; one in a while finds out", async () => {
    const { clock, breaker: one } = breaker();
    await failure(one.run("read", silent));
    expect(one.open).toBe(false);
    clock.leap(60_000);
    expect(one.open).toBe(true);
    let sent = 0;
    const send = (): Promise<never> => {
      sent++;
      return silent();
    };
    await failure(one.run("read", send));
    for (let again = 0; again < 5; again++) {
      const error = await failure(one.run("list volumes", send));
      expect(isDeviceError(error, "unreachable")).toBe(true);
      expect(error.message).toContain("array: cannot list volumes");
      expect(error.message).toContain("60 s");
    }
    expect(sent).toBe(1);
    clock.leap(15_000);
    await failure(one.run("read", send));
    expect(sent).toBe(2);
  });

  test("is back with its first answer, be it a refusal", async () => {
    const { clock, breaker: one } = breaker();
    await failure(one.run("read", silent));
    clock.leap(61_000);
    const refused = new DeviceError({
      kind: "refused",
      device: "array",
      operation: "write",
      reason: "no",
    });
    await failure(one.run("write", () => Promise.reject(refused)));
    expect(one.open).toBe(false);
    expect(await one.run("read", () => Promise.resolve("here"))).toBe("here");
  });

  test("is no worse for a call that was cancelled", async () => {
    const { clock, breaker: one } = breaker();
    const aborted = new DeviceError({
      kind: "aborted",
      device: "array",
      operation: "read",
      reason: "cancelled",
    });
    await failure(one.run("read", () => Promise.reject(aborted)));
    clock.leap(61_000);
    expect(one.open).toBe(false);
  });
});

test("a hundred reads of an array that answers 503 wait about a minute together, not each", async () => {
  const clock = leapingClock();
  const begun = clock.now();
  const { line, requests } = scriptedLine(() => [503, ""], clock);
  for (let read = 0; read < 100; read++) {
    const error = await failure(
      line.read(call(), "read", async () => {
        const { status } = await line.send(
          call(),
          { method: "GET", path: "/", operation: "read" },
          {},
        );
        throw new DeviceError({
          kind: "unreachable",
          device: "array",
          operation: "read",
          reason: `HTTP ${status.toString()}`,
        });
      }),
    );
    expect(isDeviceError(error, "unreachable")).toBe(true);
  }
  expect(clock.now() - begun).toBeLessThan(120_000);
  expect(requests.length).toBeLessThan(20);
});
