import type { HostAdapter } from "../../../provider/devices/host-storage";
import {
  lostPairs,
  refusePathLoss,
  strandedDevices,
} from "../../../provider/resources/fabric-path-loss";
import { parseWwpn, type Wwpn } from "../../../bed/identities";
import { bedWithHosts, hostDevice, naa } from "../../support/fake-hosts";

const wwpn = (last: number): Wwpn =>
  parseWwpn(`10:00:00:00:00:00:00:0${last.toString()}`) ?? fail("no WWPN");
const [hba2, hba3, old, other, fresh] = [1, 2, 3, 4, 5].map(wwpn) as [Wwpn, Wwpn, Wwpn, Wwpn, Wwpn];
const side = (device: string, hba: string, initiator: Wwpn, ...targets: Wwpn[]) => ({
  device,
  initiators: { [hba]: initiator },
  targets,
  zonePrefix: "t",
});
const before = {
  A: side("fabricA", "vmhba2", hba2, old),
  B: side("fabricB", "vmhba3", hba3, other),
};
const swapped = {
  A: side("fabricA", "vmhba2", hba2, fresh),
  B: side("fabricB", "vmhba3", hba3, fresh),
};
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

test("a pair is lost when its zone goes, and kept when only names change", () => {
  expect([...lostPairs(before, swapped)]).toEqual([`${hba2}|${old}`, `${hba3}|${other}`]);
  const renamed = { ...before, A: { ...side("fabricA", "hbaX", hba2, old), zonePrefix: "u" } };
  expect(lostPairs(before, renamed).size).toBe(0);
});

test("a device is stranded when no usable path is left, and only then", () => {
  const all = lostPairs(before, swapped);
  expect(strandedDevices([lun], adapters, all)).toEqual([lun]);
  const oneSide = lostPairs(before, { ...before, A: swapped.A });
  expect(strandedDevices([lun], adapters, oneSide)).toEqual([]);
  const dead = { ...lun, paths: [lun.paths[0], { ...lun.paths[1], state: "dead" as const }] };
  expect(strandedDevices([dead], adapters, oneSide)).toEqual([dead]);
  const gone = { ...lun, paths: lun.paths.map((path) => ({ ...path, state: "dead" as const })) };
  expect(strandedDevices([gone], adapters, all)).toEqual([]);
});

test("zones that carry the last paths of a device are not swapped", async () => {
  const bed = (devices: (typeof lun)[]) =>
    bedWithHosts({
      hosts: () =>
        Promise.resolve([
          { name: "esx01", id: "h", cluster: undefined, connected: true, version: "8" },
        ]),
      devices: () => Promise.resolve(devices),
      adapters: () => Promise.resolve(adapters),
    });
  const call = { signal: AbortSignal.timeout(5000) };
  await expect(refusePathLoss(bed([lun]), call, "esx01", before, swapped)).rejects.toThrow(
    lun.name,
  );
  await refusePathLoss(bed([]), call, "esx01", before, swapped);
  await refusePathLoss(bed([lun]), call, "esx01", before, { ...swapped, B: before.B });
});
