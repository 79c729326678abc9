import { parseNaa, parseWwnn, parseWwpn } from "../../../bed/identities";
import { a250Preset } from "../../../lab/presets/a250";
import type { StorageArray, WorldState } from "../../../lab/world/state";
import { hostDevices } from "../../../lab/world/visibility";

const host = "esx01.lab.invalid";
const initiators = { A: "10:00:00:10:9b:aa:01:01", B: "10:00:00:10:9b:aa:01:02" } as const;
const targets = {
  A: ["20:11:00:a0:98:00:00:01", "20:12:00:a0:98:00:00:01"],
  B: ["20:13:00:a0:98:00:00:01", "20:14:00:a0:98:00:00:01"],
} as const;

/** A preset with one tenant of ours: a LIF per controller and fabric, a LUN, a group, a map, zones. */
function world(): WorldState {
  const state = a250Preset();
  const array = arrayOf(state);
  array.tenants["t"] = { id: "t", name: "svm", attributes: {} };
  for (const fabric of ["A", "B"] as const) {
    targets[fabric].forEach((wwpn, index) => {
      addLif(array, fabric, wwpn, index);
    });
    zone(state, fabric, [initiators[fabric], ...targets[fabric]]);
  }
  array.volumes["v"] = {
    id: "v",
    name: "/vol/v/lun",
    tenantId: "t",
    poolId: Object.keys(array.pools)[0]!,
    containerId: undefined,
    serial: "abc",
    deviceName: parseNaa("naa.600a0980383030303030303030303030")!,
    vendor: "NETAPP",
    model: "LUN C-Mode",
    revision: "9800",
    sizeBytes: 1024n,
    thin: true,
    online: true,
    vmfs: undefined,
    attributes: {},
  };
  array.groups["g"] = {
    id: "g",
    name: "ig",
    tenantId: "t",
    initiators: [parseWwpn(initiators.A)!, parseWwpn(initiators.B)!],
    attributes: {},
  };
  array.maps.push({ volumeId: "v", groupId: "g", lun: 7, attributes: {} });
  return state;
}

function arrayOf(state: WorldState): StorageArray {
  return state.arrays["array"]!;
}

function addLif(array: StorageArray, fabric: "A" | "B", wwpn: string, index: number): void {
  const name = fabric === "A" ? "2a" : "2b";
  const node = Object.keys(array.controllers)[index]!;
  const port = Object.values(array.ports).find((p) => p.controller === node && p.name === name)!;
  array.targetPorts[wwpn] = {
    id: wwpn,
    name: wwpn,
    tenantId: "t",
    portId: port.id,
    wwpn: parseWwpn(wwpn)!,
    wwnn: parseWwnn("20:00:00:a0:98:00:00:01")!,
    enabled: true,
    npivIndex: 2,
    attributes: {},
  };
}

function zone(state: WorldState, fabric: string, members: string[]): void {
  state.fabrics[fabric]!.zoning.effective!.zones["ours"] = { type: 0, members, principals: [] };
}

function pathCount(state: WorldState): number {
  return hostDevices(state, host).flatMap((device) => device.paths).length;
}

describe("what a host sees", () => {
  it("sees a mapped LUN on every zoned path, two of four optimized", () => {
    const [device, ...others] = hostDevices(world(), host);
    expect(others).toEqual([]);
    expect(device).toMatchObject({ lun: 7, volumeId: "v", capacityBytes: 1024n });
    expect(device!.paths).toHaveLength(4);
    expect(device!.paths.filter((path) => path.optimized)).toHaveLength(2);
    expect(new Set(device!.paths.map((path) => path.adapter))).toEqual(
      new Set(["vmhba2", "vmhba3"]),
    );
  });

  it("shows nothing to another host and nothing of the foreign LUN to ours", () => {
    expect(hostDevices(world(), "esx02.lab.invalid")).toEqual([]);
    expect(hostDevices(a250Preset(), host)).toEqual([]);
  });

  it("loses the paths of a fabric whose zone is missing, wrong, or names the physical port", () => {
    const missing = world();
    delete missing.fabrics["B"]!.zoning.effective!.zones["ours"];
    expect(pathCount(missing)).toBe(2);
    const typo = world();
    zone(typo, "A", ["10:00:00:10:9b:aa:01:0f", ...targets.A]);
    expect(pathCount(typo)).toBe(2);
    const physical = world();
    const port = Object.values(arrayOf(physical).ports)[0]!;
    zone(physical, "A", [initiators.A, port.wwpn]);
    expect(pathCount(physical)).toBe(2);
  });

  it("follows only the effective configuration, and the default access without one", () => {
    const state = world();
    state.fabrics["A"]!.zoning.effective = undefined;
    expect(pathCount(state)).toBe(2);
    state.fabrics["A"]!.zoning.defaultAccess = "all";
    expect(pathCount(state)).toBe(4);
  });

  it("takes members by node name and by domain and port index", () => {
    const state = world();
    zone(state, "A", ["1,0", "20:00:00:a0:98:00:00:01"]);
    expect(pathCount(state)).toBe(4);
  });

  it("joins peers to principals only", () => {
    const state = world();
    const zones = state.fabrics["A"]!.zoning.effective!.zones;
    zones["ours"] = { type: 1, members: [initiators.A], principals: [...targets.A] };
    expect(pathCount(state)).toBe(4);
    zones["ours"] = { type: 1, members: [initiators.A, ...targets.A], principals: ["1,63"] };
    expect(pathCount(state)).toBe(2);
  });

  it("needs map, membership, an online volume, and every port on the way", () => {
    const changes: [string, number, (state: WorldState) => void][] = [
      ["unmapped", 0, (s) => (arrayOf(s).maps = [])],
      ["one initiator", 2, (s) => arrayOf(s).groups["g"]!.initiators.pop()],
      ["offline", 0, (s) => (arrayOf(s).volumes["v"]!.online = false)],
      ["HBA off", 2, (s) => (s.hosts[host]!.hbas["vmhba2"]!.online = false)],
      ["switch off", 2, (s) => (s.fabrics["B"]!.switches["fabricB"]!.enabled = false)],
      ["controller down", 2, (s) => (arrayOf(s).controllers["a250-01"]!.up = false)],
      ["LIF off", 3, (s) => (arrayOf(s).targetPorts[targets.A[0]]!.enabled = false)],
      ["cross-cabled", 2, (s) => (s.hosts[host]!.hbas["vmhba2"]!.cable!.switch = "fabricB")],
      ["other tenant", 0, (s) => (arrayOf(s).volumes["v"]!.tenantId = "other")],
    ];
    for (const [, paths, change] of changes) {
      const state = world();
      change(state);
      expect(pathCount(state)).toBe(paths);
    }
  });
});
