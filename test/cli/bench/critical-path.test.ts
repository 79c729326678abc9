import fc from "fast-check";
import {
  busySpans,
  criticalPath,
  devicesOf,
  lengthWithin,
  mostAtOnce,
  resourceSpans,
  type DeviceRequest,
  type Span,
} from "../../../cli/bench/critical-path";
import type { EngineEvent, StackResource } from "../../../cli/stack-runner";

const request = (device: string, startedAtMs: number, durationMs: number): DeviceRequest => ({
  device,
  method: "GET",
  path: "/",
  startedAtMs,
  durationMs,
  write: false,
});

const resource = (
  name: string,
  type: string,
  more: Partial<StackResource> = {},
): StackResource => ({ urn: name, type, custom: true, ...more });

const spans = (entries: Readonly<Record<string, readonly [number, number]>>): Map<string, Span> =>
  new Map(Object.entries(entries).map(([urn, [fromMs, toMs]]) => [urn, { fromMs, toMs }]));

const volumes = "sanbed:array:VolumeSet";
const zones = "sanbed:fabric:HostZones";
const blockDevices = "sanbed:host:BlockDevices";

describe("the critical path of device time", () => {
  it("is the longest chain of dependent resources, not their sum", () => {
    const resources = [
      resource("set", volumes),
      resource("zones", zones),
      resource("devices", blockDevices, { dependencies: ["set", "zones"] }),
    ];
    const path = criticalPath(
      resources,
      spans({ set: [0, 100], zones: [0, 70], devices: [100, 150] }),
      [request("array", 10, 80), request("fabricA", 5, 60), request("vcenter", 110, 30)],
    );
    expect(path.deviceMs).toBe(110);
    expect(path.steps.map(({ urn, deviceMs }) => [urn, deviceMs])).toEqual([
      ["set", 80],
      ["devices", 30],
    ]);
  });

  it("follows parents and providers too", () => {
    const resources = [
      resource("provider", "pulumi:providers:sanbed"),
      resource("targets", "sanbed:array:Targets", { provider: "provider::id-1" }),
      resource("part", "sanbed:components:ArrayStorage", { dependencies: ["targets"] }),
      resource("set", volumes, { parent: "part" }),
    ];
    const times = spans({ targets: [0, 50], part: [50, 50], set: [50, 90] });
    const requests = [request("array", 0, 40), request("array", 60, 20)];
    expect(criticalPath(resources, times, requests).deviceMs).toBe(60);
  });

  it("counts a moment once, however many requests are in hand", () => {
    const requests = [request("array", 0, 30), request("array", 10, 30), request("array", 15, 5)];
    const path = criticalPath([resource("set", volumes)], spans({ set: [0, 100] }), requests);
    expect(path.deviceMs).toBe(40);
  });

  it("leaves out what other devices do meanwhile, and what is outside the resource's span", () => {
    const requests = [
      request("vcenter", 0, 100),
      request("array", 90, 30),
      request("array", -20, 25),
    ];
    const path = criticalPath([resource("set", volumes)], spans({ set: [0, 100] }), requests);
    expect(path.deviceMs).toBe(15);
  });

  it("is nothing where no device was asked", () => {
    const path = criticalPath([resource("set", volumes)], spans({ set: [0, 100] }), []);
    expect(path).toEqual({ deviceMs: 0, steps: [] });
  });
});

test("the inventory of the certificate may ask every device, a component none", () => {
  const all = ["array", "fabricA", "fabricB", "vcenter"];
  expect(devicesOf("sanbed:bench:Certificate", all)).toEqual(all);
  expect(devicesOf("sanbed:fabric:HostZones", all)).toEqual(["fabricA", "fabricB"]);
  expect(devicesOf("vsphere:index/virtualMachine:VirtualMachine", all)).toEqual(["vcenter"]);
  expect(devicesOf("sanbed:components:TestBed", all)).toEqual([]);
});

test("a resource's span goes from its first step to the end of its last", () => {
  const event = (
    kind: "resourcePreEvent" | "resOutputsEvent" | "resOpFailedEvent",
    urn: string,
    seenAtMs: number,
  ): EngineEvent => ({ [kind]: { metadata: { op: "create", urn, type: volumes } }, seenAtMs });
  const found = resourceSpans([
    event("resourcePreEvent", "set", 10),
    event("resourcePreEvent", "map", 20),
    event("resOutputsEvent", "set", 30),
    event("resourcePreEvent", "set", 40),
    event("resOutputsEvent", "set", 60),
    event("resOpFailedEvent", "map", 70),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    set: { fromMs: 10, toMs: 60 },
    map: { fromMs: 20, toMs: 70 },
  });
});

test("requests that follow at once are not at the same time", () => {
  expect(mostAtOnce([request("array", 0, 10), request("array", 10, 10)])).toBe(1);
  expect(mostAtOnce([request("array", 0, 11), request("array", 10, 10)])).toBe(2);
  expect(mostAtOnce([])).toBe(0);
});

test("busy time is never more than the time itself nor than all requests together", () => {
  const any = fc.array(
    fc.record({ start: fc.integer({ min: 0, max: 500 }), length: fc.integer({ min: 0, max: 99 }) }),
  );
  fc.assert(
    fc.property(any, (list) => {
      const requests = list.map(({ start, length }) => request("array", start, length));
      const whole = { fromMs: 0, toMs: 600 };
      const busy = lengthWithin(busySpans(requests), whole);
      const sum = list.reduce((total, { length }) => total + length, 0);
      const longest = list.reduce((most, { length }) => Math.max(most, length), 0);
      expect(busy).toBeLessThanOrEqual(Math.min(600, sum));
      expect(busy).toBeGreaterThanOrEqual(longest);
    }),
  );
});
