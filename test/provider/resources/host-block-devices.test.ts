import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlockArray, VolumeMapping } from "../../../provider/devices/block-array";
import type { BedContext } from "../../../provider/resources/context";
import type { HostInfo, HostStorage } from "../../../provider/devices/host-storage";
import type { PropertyChange } from "../../../provider/kit/handler";
import { blockDevices } from "../../../provider/resources/host-block-devices";
import { rescanGuard } from "../../../provider/resources/host-rescan-guard";
import { bedWithHosts, hostDevice, naa, refusal } from "../../support/fake-hosts";
import { Driven, testCall } from "../../support/handler-rig";

const first = naa("naa.600a098000000000000000000000001a");
const second = naa("naa.600a098000000000000000000000002b");
const host = "esx01";
const id = `vcenter/${host}/map`;
const info = (name: string): HostInfo => ({
  name,
  id: `host-${name}`,
  cluster: undefined,
  connected: true,
  version: "8.0",
});
const state = {
  device: "vcenter",
  host,
  devices: { a: first, b: second },
  expectedPaths: 4,
  map: "map",
  paths: { a: 4, b: 4 },
  previous: { a: { policy: "VMW_PSP_MRU" }, b: { policy: "VMW_PSP_MRU" } },
};

/** A host with both devices; what a test gives replaces single calls. */
function storage(parts: Partial<HostStorage>): Partial<HostStorage> {
  return {
    hosts: () => Promise.resolve([info(host), info("esx02")]),
    devices: () => Promise.resolve([hostDevice(first), hostDevice(second)]),
    configure: () => Promise.resolve(),
    ...parts,
  };
}

describe("deleting block devices", () => {
  const driven = new Driven(blockDevices);

  it("detaches every device though one is not known to the host any more", async () => {
    const detached: string[] = [];
    const put: string[] = [];
    const bed = bedWithHosts(
      storage({
        configure: (_call, _host, [setting]) => {
          if (setting?.device === first) return Promise.reject(refusal("notFound", "set policy"));
          put.push(setting?.device ?? "");
          return Promise.resolve();
        },
        detach: (_call, on, devices) => {
          detached.push(...devices.map((device) => `${on}/${device}`));
          return Promise.resolve();
        },
      }),
    );
    const { logged } = await driven.delete(bed, id, state);
    expect(detached).toEqual([`${host}/${first}`, `${host}/${second}`]);
    expect(put).toEqual([second]);
    expect(logged.join()).toMatch(/cannot set policy/);
  });

  it("lets the host look again for a device that was lost, and forget it", async () => {
    const done: string[] = [];
    const note =
      (what: string) =>
      (_call: unknown, on: string | readonly string[], devices: readonly string[] = []) => {
        done.push([what, ...[on].flat(), ...devices].join(" "));
        return Promise.resolve();
      };
    const dead = { ...hostDevice(first, 0), state: "lostCommunication" };
    const bed = bedWithHosts(
      storage({
        devices: () => Promise.resolve([dead, hostDevice(second)]),
        rescan: note("rescan"),
        detach: note("detach"),
        purge: note("purge"),
      }),
    );
    await driven.delete(bed, id, state);
    expect(done).toEqual([
      `rescan ${host}`,
      `detach ${host} ${first} ${second}`,
      `purge ${host} ${first}`,
    ]);
  });

  it("works on the new reference of a host that was removed and added again", async () => {
    let reads = 0;
    const detach = jest.fn(() => Promise.resolve());
    const bed = bedWithHosts(
      storage({
        devices: () => {
          reads += 1;
          return reads === 1
            ? Promise.reject(refusal("notFound", "read the storage of host"))
            : Promise.resolve([hostDevice(first)]);
        },
        detach,
      }),
    );
    await driven.delete(bed, id, state);
    expect(detach).toHaveBeenCalledTimes(1);
  });

  it("fails when a listed host keeps saying that something is not there", async () => {
    const bed = bedWithHosts(
      storage({ detach: () => Promise.reject(refusal("notFound", "detach devices on host")) }),
    );
    await expect(driven.delete(bed, id, state)).rejects.toThrow(/detach devices on host/);
  });

  it("is done when the vCenter lists other hosts but not this one, and says so", async () => {
    const bed = bedWithHosts({
      hosts: () => Promise.resolve([info("esx02")]),
      devices: () => Promise.reject(refusal("notFound", "find host")),
    });
    const { logged } = await driven.delete(bed, id, state);
    expect(logged.join()).toMatch(/esx01 has left/);
  });

  it("takes an empty list of hosts for no evidence", async () => {
    const bed = bedWithHosts({
      hosts: () => Promise.resolve([]),
      devices: () => Promise.reject(refusal("notFound", "find host")),
    });
    await expect(driven.delete(bed, id, state)).rejects.toThrow(/find host/);
  });
});

describe("changing block devices", () => {
  const diff = (change: PropertyChange, olds: object, news: object): readonly PropertyChange[] =>
    blockDevices.diff!(
      [change],
      blockDevices.state.parse({ ...state, ...olds }),
      blockDevices.inputs.parse({ ...state, ...news }),
    );

  it("lets them go before another entry of the host or another map takes the old one's place", () => {
    expect(blockDevices.replaceOn).toEqual(expect.arrayContaining(["entry", "map"]));
    const entry = { path: "entry", kind: "update", replace: true } as const;
    expect(diff(entry, { entry: "one" }, { entry: "two" })).toEqual([entry]);
  });

  it("does not when an import only learns them", () => {
    const learnt = { path: "entry", kind: "add", replace: true } as const;
    expect(diff(learnt, {}, { entry: "one" })[0]?.replace).toBe(false);
    const map = { path: "map", kind: "update", replace: true } as const;
    expect(diff(map, { map: "" }, { map: "m" })[0]?.replace).toBe(false);
  });
});

describe("refreshing block devices", () => {
  const driven = new Driven(blockDevices);
  it("shows an outage as often as it is asked, and the way back", async () => {
    const dark = bedWithHosts(
      storage({ devices: () => Promise.resolve([hostDevice(first, 0), hostDevice(second, 0)]) }),
    );
    // Called as the server does, which takes recorded states as they are.
    const olds = blockDevices.state.parse(state);
    const once = await blockDevices.read?.(testCall(dark), id, olds, undefined);
    expect(once?.inputs).toMatchObject({ expectedPaths: 0 });
    const twice = await blockDevices.read?.(testCall(dark), id, once?.state, undefined);
    expect(twice?.inputs).toMatchObject({ expectedPaths: 0, devices: state.devices });
    expect(twice?.state).toMatchObject({ previous: state.previous });
  });

  it("does not call a device set gone because something on its host is not found", async () => {
    const bed = bedWithHosts(
      storage({ devices: () => Promise.reject(refusal("notFound", "read the storage of host")) }),
    );
    await expect(driven.read(bed, id, state)).rejects.toThrow(/read the storage/);
  });
});

describe("deleting a rescan guard", () => {
  it("does not skip its proof because something on a listed host is not found", async () => {
    const bed = bedWithHosts(
      storage({
        rescan: () => Promise.resolve(),
        purge: () => Promise.reject(refusal("notFound", "purge devices on host")),
      }),
    );
    const guard = { device: "vcenter", hosts: [host], devices: { a: first }, group: "g" };
    await expect(new Driven(rescanGuard).delete(bed, "g", guard)).rejects.toThrow(/purge devices/);
  });

  /** One volume that is still mapped, in no state: what the guard asks the array, and when it is gone. */
  function stillMapped(): { readonly bed: BedContext; readonly unmapped: string[] } {
    const unmapped: string[] = [];
    const bed = bedWithHosts(
      storage({
        rescan: () => Promise.resolve(),
        purge: () => Promise.resolve(),
        detach: () => Promise.resolve(),
        devices: () => Promise.resolve(unmapped.length === 0 ? [hostDevice(first)] : []),
      }),
    );
    const map = {
      protocol: "fcp" as const,
      target: "svm",
      volume: "data",
      group: "hosts",
      device: first,
    };
    const remove = (_call: unknown, _scope: unknown, maps: readonly VolumeMapping[]) => {
      unmapped.push(...maps.map((one) => one.volume));
      return Promise.resolve();
    };
    const array = {
      remains: () => Promise.resolve({ maps: [map], volumes: [], groups: [] }),
      maps: { remove },
    } as unknown as BlockArray;
    const folder = mkdtempSync(join(tmpdir(), "sanbed-"));
    folders.push(folder);
    return {
      bed: { ...bed, folder, array: () => array, arrays: new Map([["array", array]]) },
      unmapped,
    };
  }
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  it("unmaps volumes of its group that a killed up has mapped unrecorded", async () => {
    const { bed, unmapped } = stillMapped();
    const guard = { device: "vcenter", hosts: [host], devices: { a: first }, group: "g" };
    await new Driven(rescanGuard).delete(bed, "g", { ...guard, volumes: "set" });
    expect(unmapped).toEqual(["data"]);
  });

  it("never unmaps for one host alone, whose neighbours still use the volumes", async () => {
    const { bed, unmapped } = stillMapped();
    const guard = { device: "vcenter", hosts: [host], devices: { a: first }, group: host };
    await expect(new Driven(rescanGuard).delete(bed, host, guard)).rejects.toThrow(/still mapped/);
    expect(unmapped).toEqual([]);
  });
});
