import fc from "fast-check";
import type { ZoningChange, ZoningState } from "../../../provider/devices/fabric-switch";
import type { HostAdapter } from "../../../provider/devices/host-storage";
import {
  lostPairs,
  pathLossError,
  pathUse,
  portPair,
  strandedDevices,
} from "../../../provider/resources/fabric-path-loss";
import { isDeviceError } from "../../../bed/errors";
import { parseWwpn, type Wwpn } from "../../../bed/identities";
import { bedWithHosts, hostDevice, naa } from "../../support/fake-hosts";
import { changeArbitrary, stateArbitrary } from "../../support/zoning-arbitraries";

const wwpn = (last: number): Wwpn =>
  parseWwpn(`10:00:00:00:00:00:00:0${last.toString()}`) ?? fail("no WWPN");
const [hba2, hba3, old, other, fresh] = [1, 2, 3, 4, 5].map(wwpn) as [Wwpn, Wwpn, Wwpn, Wwpn, Wwpn];
const adapters = [
  { name: "vmhba2", wwpn: hba2 },
  { name: "vmhba3", wwpn: hba3 },
] as HostAdapter[];
const lun = {
  ...hostDevice(naa("naa.600a098000000000000000000000001a")),
  paths: [
    { adapter: "vmhba2", targetWwpn: old, lun: 1, state: "active" },
    { adapter: "vmhba3", targetWwpn: other, lun: 1, state: "active" },
  ],
} as const;

function fail(reason: string): never {
  throw new Error(reason);
}

const none: ZoningChange = {
  upsertAliases: new Map(),
  upsertZones: new Map(),
  removeAliases: [],
  removeZones: [],
};

/** A fabric on which these zones, of alias `a` and WWPNs, are in force. */
function fabric(zones: Readonly<Record<string, readonly string[]>>): ZoningState {
  const list = Object.entries(zones);
  return {
    aliases: new Map([["a", [hba2]]]),
    zones: new Map(list.map(([name, members]) => [name, { name, members, type: "standard" }])),
    configs: new Map([["cfg", { name: "cfg", zones: list.map(([name]) => name) }]]),
    effective: {
      name: "cfg",
      zones: new Map(
        list.map(([name, members]) => [name, members.map((m) => (m === "a" ? hba2 : m))]),
      ),
    },
    defaultAccess: "none",
    version: "v",
  };
}

describe("a pair of ports", () => {
  const state = fabric({ z: ["a", old] });

  test("is lost when its zone goes or no longer has both", () => {
    const lost = [portPair(hba2, old)];
    expect([...lostPairs(state, { ...none, removeZones: ["z"] })]).toEqual(lost);
    const swapped = new Map([["z", ["a", fresh]]]);
    expect([...lostPairs(state, { ...none, upsertZones: swapped })]).toEqual(lost);
    const other = new Map([["a", [hba3]]]);
    expect([...lostPairs(state, { ...none, upsertAliases: other })]).toEqual(lost);
  });

  test("is kept by another zone, whoever's it is, and by a new one", () => {
    const both = fabric({ z: ["a", old], theirs: [old, hba2, fresh] });
    expect(lostPairs(both, { ...none, removeZones: ["z"] }).size).toBe(0);
    const renamed = { ...none, removeZones: ["z"], upsertZones: new Map([["y", ["a", old]]]) };
    expect(lostPairs(state, renamed).size).toBe(0);
  });

  test("is never lost where nothing is in force, nor by adding", () => {
    const off = { ...state, effective: undefined };
    expect(lostPairs(off, { ...none, removeZones: ["z"] }).size).toBe(0);
    fc.assert(
      fc.property(stateArbitrary, changeArbitrary, (base, change) => {
        const fresh = [...change.upsertZones].filter(([name]) => !base.zones.has(name));
        expect(lostPairs(base, { ...none, upsertZones: new Map(fresh) }).size).toBe(0);
      }),
    );
  });
});

test("a device is stranded when no usable path is left, and only then", () => {
  const all = new Set([portPair(hba2, old), portPair(hba3, other)]);
  expect(strandedDevices([lun], adapters, all)).toEqual([lun]);
  const oneSide = new Set([portPair(hba2, old)]);
  expect(strandedDevices([lun], adapters, oneSide)).toEqual([]);
  const dead = { ...lun, paths: [lun.paths[0], { ...lun.paths[1], state: "dead" as const }] };
  expect(strandedDevices([dead], adapters, oneSide)).toEqual([dead]);
  const gone = { ...lun, paths: lun.paths.map((path) => ({ ...path, state: "dead" as const })) };
  expect(strandedDevices([gone], adapters, all)).toEqual([]);
});

test("hosts that use what goes are found, and the last path of a device is refused", async () => {
  let reads = 0;
  const bed = (devices: (typeof lun)[]) =>
    bedWithHosts({
      hosts: () =>
        Promise.resolve([
          { name: "esx01", id: "h", cluster: undefined, connected: true, version: "8" },
          { name: "esx02", id: "i", cluster: undefined, connected: false, version: "8" },
        ]),
      devices: () => Promise.resolve(devices),
      adapters: () => Promise.resolve((reads++, adapters)),
    });
  const call = { signal: AbortSignal.timeout(5000) };
  const hosts = ["esx01", "esx02", "elsewhere"];
  const use = async (devices: (typeof lun)[], ...lost: string[]) =>
    await pathUse(bed(devices), call, hosts, new Set(lost));
  const [a, b] = [portPair(hba2, old), portPair(hba3, other)];
  expect(await use([], a, b)).toEqual([]);
  expect(await use([lun], portPair(hba2, fresh))).toEqual([]);
  expect(reads).toBe(0);
  const kept = await use([lun], a);
  expect(kept).toEqual([{ host: "esx01", device: "vcenter", stranded: [] }]);
  expect(pathLossError(kept)).toBeUndefined();
  const refusal = pathLossError(await use([lun], a, b));
  expect(isDeviceError(refusal, "refused")).toBe(true);
  expect(refusal?.message).toContain(`${lun.name} on esx01 would lose every path`);
});
