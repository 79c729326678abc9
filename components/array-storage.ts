import * as pulumi from "@pulumi/pulumi";
import { SanbedError } from "../bed/errors";
import { parseWwpn } from "../bed/identities";
import type { ReviewBed } from "../bed/review-bed";
import type { Site, SiteHost } from "../bed/site";
import type { PlannedVolumeGroup } from "../bed/volume-plan";
import {
  HostEntry,
  HostGroup,
  NamespaceMap,
  NamespaceSet,
  Targets,
  VolumeMap,
  VolumeSet,
} from "../provider/sdk/array";
import { RescanGuard } from "../provider/sdk/host";
import { byKey, outputKey } from "./keyed";

type Protocol = ReviewBed["array"]["protocol"];

export interface ArrayTargetsArgs {
  readonly array: Site["array"];
  readonly target: { readonly name: string; readonly mode: "create" | "use" };
  /** Begins the names of ports that are made. */
  readonly prefix: string;
  /** How hosts reach the volumes; default `fcp`. */
  readonly protocol?: Protocol | undefined;
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
      protocol: args.protocol ?? "fcp",
      ports,
      pools: args.array.pools.map((pool) => pool.name),
    },
    opts,
  );
}

export interface ArrayStorageArgs {
  readonly array: Site["array"];
  readonly targets: Targets;
  /** As of the targets; default `fcp`. */
  readonly protocol?: Protocol | undefined;
  readonly hostGroup: string;
  readonly hosts: readonly SiteHost[];
  readonly volumeGroups: readonly PlannedVolumeGroup[];
  /** Deduplication and compression, both before the array writes: on or off. Default: as the array makes it. */
  readonly dataReduction?: boolean | undefined;
  /** Name of the vCenter device, which rescans the hosts after an unmap. */
  readonly hypervisor: string;
}

/** Volumes and their maps, of either protocol: what comes after them sees no difference. */
export type VolumeGroupSet = VolumeSet | NamespaceSet;
export type VolumeGroupMap = VolumeMap | NamespaceMap;

/**
 * Volumes on an array and their mapping to a group of hosts. Per volume group: the volumes, a guard
 * that rescans after the unmap, the map; per host: its entry in the host group, and a guard. Over NVMe
 * volumes are namespaces, the group is a subsystem, and a host's entry is its NQN.
 */
export class ArrayStorage extends pulumi.ComponentResource {
  readonly hostGroup: HostGroup;
  /** By host name. */
  readonly hostEntries: Readonly<Record<string, HostEntry>>;
  /** By group name. */
  readonly volumeSets: Readonly<Record<string, VolumeGroupSet>>;
  readonly volumeMaps: Readonly<Record<string, VolumeGroupMap>>;

  constructor(name: string, args: ArrayStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:ArrayStorage", name, {}, opts);
    this.volumeSets = Object.fromEntries(
      args.volumeGroups.map((group) => [
        group.name,
        volumeSet(`${name}-${group.name}`, this, args, group),
      ]),
    );
    this.hostGroup = new HostGroup(
      `${name}-hosts`,
      { ...placeOf(args), ...sideOf(args), name: args.hostGroup },
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
        ...this.subsystem(args),
      },
      { parent: this },
    );
    return new HostEntry(
      `${name}-${host.name}`,
      {
        ...placeOf(args),
        ...sideOf(args),
        group,
        host: host.name,
        initiators: initiatorsOf(host, args.protocol),
      },
      { parent: this, dependsOn: [guard] },
    );
  }

  /** With it a guard ends the connections to the subsystem that hold nothing any more. */
  private subsystem({ protocol }: ArrayStorageArgs) {
    // The array gives every subsystem one.
    const subsystem = this.hostGroup.subsystemNqn as pulumi.Output<string>;
    return protocol === "nvme-fc" ? { subsystem } : {};
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
  ): VolumeGroupMap {
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
        ...this.subsystem(args),
      },
      { parent: this, dependsOn: [set] },
    );
    const place = { ...placeOf(args), group: hostGroup, guard: guard.id };
    const opts = { parent: this, dependsOn: [set, guard, ...Object.values(this.hostEntries)] };
    const onArray = (key: string) => outputKey(set.set, key).name;
    const mapName = `${name}-${group.name}-map`;
    if (args.protocol === "nvme-fc") {
      const namespaces = group.volumes.map(({ key }) => [key, onArray(key)] as const);
      return new NamespaceMap(
        mapName,
        { ...place, namespaces: Object.fromEntries(namespaces) },
        opts,
      );
    }
    const luns = group.volumes.map(
      (v) => [v.key, { volume: onArray(v.key), lun: lunOf(group, v) }] as const,
    );
    return new VolumeMap(mapName, { ...place, luns: Object.fromEntries(luns) }, opts);
  }
}

function volumeSet(
  name: string,
  parent: pulumi.Resource,
  args: ArrayStorageArgs,
  group: PlannedVolumeGroup,
): VolumeGroupSet {
  const Set = args.protocol === "nvme-fc" ? NamespaceSet : VolumeSet;
  return new Set(
    name,
    {
      ...placeOf(args),
      thin: group.thin,
      generation: group.generation,
      ...reductionOf(args),
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

function reductionOf({ dataReduction }: ArrayStorageArgs) {
  if (dataReduction === undefined) return {};
  const when = dataReduction ? "inline" : "off";
  return { dataReduction: { deduplication: when, compression: when } } as const;
}

function placeOf({ array, targets }: ArrayStorageArgs) {
  return { device: array.device, target: targets.target };
}

/** Said only where it is not the default, so that beds over FCP keep their state as it is. */
function sideOf({ protocol }: ArrayStorageArgs) {
  return protocol === "nvme-fc" ? { protocol } : {};
}

/** What the array knows a host by. */
function initiatorsOf(host: SiteHost, protocol: Protocol = "fcp"): string[] {
  if (protocol === "fcp") return host.hbas.flatMap((hba) => parseWwpn(hba.wwpn) ?? []);
  if (host.nqn !== undefined) return [host.nqn];
  throw new SanbedError("config", `host ${host.name} has no NQN, which a subsystem knows it by`);
}

function lunOf(group: PlannedVolumeGroup, volume: PlannedVolumeGroup["volumes"][number]): number {
  if (volume.lun !== undefined) return volume.lun;
  throw new SanbedError("config", `volume ${group.name}/${volume.key} has no LUN number`);
}
