import { countCalls, minimumCalls, type BedSize } from "../../../cli/bench/calls";
import type { DeviceRequest } from "../../../cli/bench/critical-path";

const size: BedSize = { hosts: 4, portsPerHost: 2, volumes: 4, targetPorts: 4 };

const request = (device: string, write: boolean): DeviceRequest => ({
  device,
  method: write ? "POST" : "GET",
  path: "/",
  startedAtMs: 0,
  durationMs: 1,
  write,
});

test("calls to the vCenter are told apart by the plugin's own log", () => {
  const requests = [true, true, false, false, false].map((write) => request("vcenter", write));
  const found = countCalls(
    "up",
    { requests, ownVcenterRequests: [{ write: true }, { write: false }] },
    size,
  );
  expect(found).toMatchObject([
    { device: "vcenter", reads: 1, writes: 1 },
    { device: "vcenter (vSphere plugin)", reads: 2, writes: 1, minimum: undefined },
  ]);
});

test("each device has its own line", () => {
  const requests = [request("fabricB", true), request("array", false), request("fabricB", false)];
  const found = countCalls("destroy", { requests, ownVcenterRequests: [] }, size);
  expect(found.map(({ device, reads, writes }) => [device, reads, writes])).toEqual([
    ["array", 1, 0],
    ["fabricB", 1, 1],
  ]);
});

test("the least of a second up is no call at all; zoning does not grow with the hosts", () => {
  expect(minimumCalls("second up", "array", size)).toEqual({ reads: 0, writes: 0 });
  const larger = { ...size, hosts: 128 };
  expect(minimumCalls("up", "fabricA", larger)).toEqual(minimumCalls("up", "fabricA", size));
});

test("the array's writes grow by three with each volume and by one with each port", () => {
  const writes = (change: Partial<BedSize>): number =>
    minimumCalls("up", "array", { ...size, ...change })?.writes ?? 0;
  expect(writes({ volumes: 5 }) - writes({})).toBe(3);
  expect(writes({ targetPorts: 5 }) - writes({})).toBe(1);
  expect(writes({ hosts: 8 })).toBe(writes({}));
});
