import { markName } from "../../bed/mark";
import type { Remembered } from "./bed-plugin";
import { BedPlugin } from "./bed-plugin";
import { testBedId } from "./device-rig";
import { present, type Presented } from "./host-rig";
import { RawVcenter } from "./raw-vcenter";
import type { Made, Place, VsphereRig } from "./vsphere-rig";
import { first, place, second, withVsphere } from "./vsphere-rig";

export const gate = "sanbed:host:TeardownGate";
const datastoreGuard = "sanbed:host:DatastoreGuard";
const blockDevices = "sanbed:host:BlockDevices";
const rescanGuard = "sanbed:host:RescanGuard";

/** A volume group that stands on two hosts, from the guard below the map to the gate above the datastore. */
export interface StandingGroup {
  readonly rig: VsphereRig;
  readonly plugin: BedPlugin;
  readonly raw: RawVcenter;
  readonly at: Place;
  readonly shown: Presented;
  readonly datastore: Made;
  readonly gate: Remembered;
  readonly guard: Remembered;
  /** What destroy does with it, in its order. A step that was done is done again. */
  teardown(): Promise<void>;
  /** What hosts and vCenter still have of the group: nothing after a teardown. */
  remains(): Promise<readonly string[]>;
}

export const datastoreName = "t-data";

export async function withStandingGroup(
  test: (group: StandingGroup) => Promise<void>,
): Promise<void> {
  await withVsphere(async (rig) => {
    const plugin = await BedPlugin.start(rig.lab);
    const raw = new RawVcenter(rig.lab);
    const shown = await present(rig.lab, [first, second], 1);
    try {
      await test(await stand(rig, plugin, raw, shown));
    } finally {
      await Promise.all([raw.close(), shown.close(), plugin.close()]);
    }
  });
}

async function stand(
  rig: VsphereRig,
  plugin: BedPlugin,
  raw: RawVcenter,
  shown: Presented,
): Promise<StandingGroup> {
  const at = await place(rig);
  const devices = { v0: shown.devices[0] ?? "" };
  const group = { device: "vcenter", group: "data", devices };
  const hosts = [first, second];
  const rescan = await plugin.create(rescanGuard, { ...group, hosts });
  const sets = await Promise.all(
    hosts.map((host) =>
      plugin.create(blockDevices, {
        ...{ device: "vcenter", host, devices, expectedPaths: 4, map: "map-1", waitSeconds: 20 },
      }),
    ),
  );
  const { datacenterId, hostSystemId } = at;
  const path = markName(testBedId, "stores");
  const folder = await rig.create("Folder", { path, type: "datastore", datacenterId });
  const guard = await plugin.create(datastoreGuard, group);
  const datastore = await rig.create("VmfsDatastore", {
    ...{ name: datastoreName, hostSystemId, disks: Object.values(devices), folder: path },
  });
  const made = await plugin.create(gate, { ...group, hosts });
  return {
    ...{ rig, plugin, raw, at, shown, datastore, gate: made, guard },
    teardown: async () => {
      await plugin.delete(gate, made);
      await plugin.delete(datastoreGuard, guard);
      await rig.client.delete("vsphere:index/folder:Folder", folder.id, folder.state);
      await Promise.all(sets.map((set) => plugin.delete(blockDevices, set)));
      await shown.unmap();
      await plugin.delete(rescanGuard, rescan);
    },
    remains: () => remainsOf(rig, shown.devices),
  };
}

interface Item {
  readonly kind: string;
  readonly path: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const hostKinds = ["HostDevice", "HostDetachedState", "HostUnmountedState", "HostNvmeController"];

async function remainsOf(rig: VsphereRig, devices: readonly string[]): Promise<readonly string[]> {
  const items = (await rig.lab.client.call("GET", "/san/inventory")) as readonly Item[];
  return items
    .filter(
      ({ kind, attributes }) =>
        hostKinds.includes(kind) || devices.includes(attributes["device"] ?? "none"),
    )
    .map(({ kind, path, attributes }) => `${kind} ${path} ${attributes["state"] ?? ""}`.trim());
}
