import * as pulumi from "@pulumi/pulumi";
import * as vsphere from "@pulumi/vsphere";
import type { Site, SiteHost } from "../bed/site";
import type { PlannedVolumeGroup } from "../bed/volume-plan";
import type { HostZoning } from "../bed/zoning-plan";
import type { Targets } from "../provider/sdk/array";
import { BlockDevices, DatastoreGuard } from "../provider/sdk/host";
import type { ArrayStorage } from "./array-storage";
import { byKey, outputKey } from "./keyed";

export interface DatastoresArgs {
  readonly hypervisor: Site["hypervisor"];
  readonly hosts: readonly SiteHost[];
  readonly zoning: readonly HostZoning[];
  readonly volumeGroups: readonly PlannedVolumeGroup[];
  readonly storage: ArrayStorage;
  /** Over NVMe: where hosts look for what they did not find by themselves. */
  readonly nvmeTargets?: Targets | undefined;
  /** Zones by host: a device is only looked for when the host is zoned. */
  readonly hostZones: Readonly<Record<string, pulumi.Resource>>;
  /** Folder for the datastores; its name carries the mark. */
  readonly folder: string;
  readonly pathPolicy: string;
  readonly queueDepth: number;
}

/**
 * VMFS datastores on mapped volumes, one each. Per volume group and host the devices are rescanned,
 * waited for on every expected path and set up first; a datastore needs them on all hosts. The engine only
 * forgets datastores: the group's guard removes them, once nothing of others is on them.
 */
export class Datastores extends pulumi.ComponentResource {
  /** By `<group>/<key>`. */
  readonly datastores: Readonly<Record<string, vsphere.VmfsDatastore>>;
  /** By `<group>/<host>`. */
  readonly blockDevices: Readonly<Record<string, BlockDevices>>;

  constructor(name: string, args: DatastoresArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:Datastores", name, {}, opts);
    const datacenter = vsphere.getDatacenterOutput(
      { name: args.hypervisor.datacenter },
      { parent: this },
    );
    this.blockDevices = Object.fromEntries(
      args.volumeGroups.flatMap((group) =>
        args.hosts.map((host) => [
          `${group.name}/${host.name}`,
          this.devices(name, args, group, host),
        ]),
      ),
    );
    const folder = new vsphere.Folder(
      `${name}-folder`,
      { path: args.folder, type: "datastore", datacenterId: datacenter.id },
      { parent: this },
    );
    const first = args.hosts[0];
    const home = vsphere.getHostOutput(
      { name: first?.name ?? "", datacenterId: datacenter.id },
      { parent: this },
    );
    this.datastores = Object.fromEntries(
      args.volumeGroups.flatMap((group) => {
        const guard = this.guard(name, args, group, folder);
        return group.volumes.map((volume) => [
          `${group.name}/${volume.key}`,
          new vsphere.VmfsDatastore(
            `${name}-${group.name}-${volume.key}`,
            {
              name: volume.datastore,
              hostSystemId: home.id,
              folder: folder.path,
              disks: [
                outputKey(
                  byKey(this.blockDevices, `${group.name}/${first?.name ?? ""}`, "device set")
                    .devices,
                  volume.key,
                ),
              ],
            },
            {
              parent: this,
              deleteBeforeReplace: true,
              // Removing a datastore erases whatever lies on it. Only the guard does: it looks first.
              retainOnDelete: true,
              replaceOnChanges: ["disks"],
              // The host that formats it; any host of the cluster may remove it.
              ignoreChanges: ["hostSystemId"],
              dependsOn: [guard, ...this.devicesOf(group, args.hosts)],
            },
          ),
        ]);
      }),
    );
    this.registerOutputs({});
  }

  private devicesOf(
    group: PlannedVolumeGroup,
    hosts: readonly SiteHost[],
  ): readonly BlockDevices[] {
    return hosts.map((host) =>
      byKey(this.blockDevices, `${group.name}/${host.name}`, "device set"),
    );
  }

  /** Removes the datastores of the group, before its devices are let go and the folder is removed. */
  private guard(
    name: string,
    args: DatastoresArgs,
    group: PlannedVolumeGroup,
    folder: vsphere.Folder,
  ): DatastoreGuard {
    const set = byKey(args.storage.volumeSets, group.name, "volume group");
    return new DatastoreGuard(
      `${name}-${group.name}-guard`,
      {
        device: args.hypervisor.device,
        group: group.name,
        map: byKey(args.storage.volumeMaps, group.name, "map of volume group").id,
        devices: Object.fromEntries(
          group.volumes.map((volume) => [volume.key, outputKey(set.devices, volume.key)]),
        ),
      },
      { parent: this, dependsOn: [folder, ...this.devicesOf(group, args.hosts)] },
    );
  }

  private devices(
    name: string,
    args: DatastoresArgs,
    group: PlannedVolumeGroup,
    host: SiteHost,
  ): BlockDevices {
    const map = byKey(args.storage.volumeMaps, group.name, "map of volume group");
    const set = byKey(args.storage.volumeSets, group.name, "volume group");
    const entry = byKey(args.storage.hostEntries, host.name, "array entry of host");
    const zoning = args.zoning.find((one) => one.host === host.name);
    return new BlockDevices(
      `${name}-${group.name}-${host.name}`,
      {
        device: args.hypervisor.device,
        host: host.name,
        map: map.id,
        entry: pulumi.interpolate`${entry.device}/${entry.target}/${entry.group}/${entry.host}`,
        devices: Object.fromEntries(
          group.volumes.map((volume) => [volume.key, outputKey(set.devices, volume.key)]),
        ),
        expectedPaths: zoning?.expectedPaths ?? 0,
        ...nvmeTargets(args.nvmeTargets, zoning),
        policy: args.pathPolicy,
        queueDepth: args.queueDepth,
      },
      {
        parent: this,
        dependsOn: [map, byKey(args.hostZones, host.name, "zoning of host"), entry],
      },
    );
  }
}

/** The ports that the host is zoned with, on both fabrics. */
function nvmeTargets(targets: Targets | undefined, zoning: HostZoning | undefined) {
  if (targets === undefined || zoning === undefined) return {};
  const keys = [...zoning.fabrics.A.targetKeys, ...zoning.fabrics.B.targetKeys];
  const ports = keys.map((key) => {
    const { wwpn, wwnn } = outputKey(targets.targetPorts, key);
    return [key, { wwpn, wwnn }] as const;
  });
  return { targets: Object.fromEntries(ports) };
}
