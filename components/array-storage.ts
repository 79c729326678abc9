import * as pulumi from "@pulumi/pulumi";
import { SanbedError } from "../bed/errors";
import { parseWwpn } from "../bed/identities";
import type { Site, SiteHost } from "../bed/site";
import type { PlannedVolumeGroup } from "../bed/volume-plan";
import { HostEntry, HostGroup, Targets, VolumeMap, VolumeSet } from "../provider/sdk/array";
import { RescanGuard } from "../provider/sdk/host";
import { byKey, outputKey } from "./keyed";

export interface ArrayTargetsArgs {
  readonly array: Site["array"];
  readonly target: { readonly name: string; readonly mode: "create" | "use" };
  /** Begins the names of ports that are made. */
  readonly prefix: string;
}

/** Tenant, service and target ports on the array; or a look at those the site already has. */
export function createTargets(
  name: string,
  args: ArrayTargetsArgs,
  opts: pulumi.CustomResourceOptions,
): Targets {
  const ports = Object.fromEntries(
    args.array.ports.map((port) => [
      port.key,
      { name: `${args.prefix}_${port.key}`, controller: port.controller, port: port.port },
    ]),
  );
  return new Targets(
    name,
    {
      device: args.array.device,
      target: args.target.name,
      mode: args.target.mode,
      protocol: "fcp",
      ports,
      pools: args.array.pools.map((pool) => pool.name),
    },
    opts,
  );
}

export interface ArrayStorageArgs {
  readonly array: Site["array"];
  readonly targets: Targets;
  readonly hostGroup: string;
  readonly hosts: readonly SiteHost[];
  readonly volumeGroups: readonly PlannedVolumeGroup[];
  /** Name of the vCenter device, which rescans the hosts after an unmap. */
  readonly hypervisor: string;
}

/**
 * Volumes on an array and their mapping to a group of hosts. Per volume group: the volumes, a guard
 * that rescans after the unmap, the map; per host: its entry in the host group, and a guard.
 */
export class ArrayStorage extends pulumi.ComponentResource {
  readonly hostGroup: HostGroup;
  /** By host name. */
  readonly hostEntries: Readonly<Record<string, HostEntry>>;
  /** By group name. */
  readonly volumeSets: Readonly<Record<string, VolumeSet>>;
  readonly volumeMaps: Readonly<Record<string, VolumeMap>>;

  constructor(name: string, args: ArrayStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:ArrayStorage", name, {}, opts);
    const { device } = args.array;
    const target = args.targets.target;
    this.volumeSets = Object.fromEntries(
      args.volumeGroups.map((group) => [
        group.name,
        volumeSet(`${name}-${group.name}`, this, args, group),
      ]),
    );
    this.hostGroup = new HostGroup(
      `${name}-hosts`,
      { device, target, name: args.hostGroup },
      { parent: this, dependsOn: [args.targets] },
    );
    const groupName = this.hostGroup.groupName;
    this.hostEntries = Object.fromEntries(
      args.hosts.map((host) => [host.name, this.hostEntry(name, args, host, groupName)]),
    );
    this.volumeMaps = Object.fromEntries(
      args.volumeGroups.map((group) => [group.name, this.volumeMap(name, args, group, groupName)]),
    );
    this.registerOutputs({});
  }

  private hostEntry(
    name: string,
    args: ArrayStorageArgs,
    host: SiteHost,
    group: pulumi.Output<string>,
  ): HostEntry {
    // Deleted after the entry: the host then forgets devices that it can no longer see.
    const guard = new RescanGuard(
      `${name}-${host.name}-rescan`,
      {
        device: args.hypervisor,
        hosts: [host.name],
        group: host.name,
        devices: this.allDevices(args),
      },
      { parent: this },
    );
    return new HostEntry(
      `${name}-${host.name}`,
      {
        device: args.array.device,
        target: args.targets.target,
        group,
        host: host.name,
        initiators: host.hbas.flatMap((hba) => parseWwpn(hba.wwpn) ?? []),
      },
      { parent: this, dependsOn: [guard] },
    );
  }

  private allDevices(args: ArrayStorageArgs): Record<string, pulumi.Output<string>> {
    return Object.fromEntries(
      args.volumeGroups.flatMap((group) => {
        const set = byKey(this.volumeSets, group.name, "volume group");
        return group.volumes.map((v) => [`${group.name}/${v.key}`, outputKey(set.devices, v.key)]);
      }),
    );
  }

  private volumeMap(
    name: string,
    args: ArrayStorageArgs,
    group: PlannedVolumeGroup,
    hostGroup: pulumi.Output<string>,
  ): VolumeMap {
    const set = byKey(this.volumeSets, group.name, "volume group");
    const guard = new RescanGuard(
      `${name}-${group.name}-rescan`,
      {
        device: args.hypervisor,
        hosts: args.hosts.map((host) => host.name),
        group: group.name,
        volumes: set.id,
        devices: Object.fromEntries(
          group.volumes.map((v) => [v.key, outputKey(set.devices, v.key)]),
        ),
      },
      { parent: this, dependsOn: [set] },
    );
    return new VolumeMap(
      `${name}-${group.name}-map`,
      {
        device: args.array.device,
        target: args.targets.target,
        group: hostGroup,
        guard: guard.id,
        luns: Object.fromEntries(
          group.volumes.map((v) => [
            v.key,
            { volume: outputKey(set.set, v.key).name, lun: lunOf(group, v) },
          ]),
        ),
      },
      { parent: this, dependsOn: [set, guard, ...Object.values(this.hostEntries)] },
    );
  }
}

function volumeSet(
  name: string,
  parent: pulumi.Resource,
  args: ArrayStorageArgs,
  group: PlannedVolumeGroup,
): VolumeSet {
  return new VolumeSet(
    name,
    {
      device: args.array.device,
      target: args.targets.target,
      thin: group.thin,
      generation: group.generation,
      volumes: Object.fromEntries(
        group.volumes.map((v) => [
          v.key,
          { name: v.name, sizeBytes: v.sizeBytes.toString(), pool: v.pool },
        ]),
      ),
    },
    { parent, dependsOn: [args.targets] },
  );
}

function lunOf(group: PlannedVolumeGroup, volume: PlannedVolumeGroup["volumes"][number]): number {
  if (volume.lun !== undefined) return volume.lun;
  throw new SanbedError("config", `volume ${group.name}/${volume.key} has no LUN number`);
}
