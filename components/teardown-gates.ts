import type * as pulumi from "@pulumi/pulumi";
import type { Site, SiteHost } from "../bed/site";
import type { PlannedVolumeGroup } from "../bed/volume-plan";
import { TeardownGate } from "../provider/sdk/host";
import type { ArrayStorage } from "./array-storage";
import type { Datastores } from "./datastores";
import { byKey, outputKey } from "./keyed";

export interface TeardownGatesArgs {
  readonly hypervisor: Site["hypervisor"];
  readonly hosts: readonly SiteHost[];
  readonly volumeGroups: readonly PlannedVolumeGroup[];
  readonly storage: ArrayStorage;
  readonly datastores: Datastores;
  /** Machines on the datastores: they are not deleted before the gates are open. */
  readonly machines: readonly pulumi.Resource[];
}

/** A gate per volume group, created last and asked first when the group is taken down. */
export function createTeardownGates(
  name: string,
  args: TeardownGatesArgs,
  parent: pulumi.Resource,
): readonly TeardownGate[] {
  return args.volumeGroups.map((group) => {
    const set = byKey(args.storage.volumeSets, group.name, "volume group");
    const datastores = group.volumes.map(({ key }) =>
      byKey(args.datastores.datastores, `${group.name}/${key}`, "datastore"),
    );
    return new TeardownGate(
      `${name}-${group.name}`,
      {
        device: args.hypervisor.device,
        group: group.name,
        map: byKey(args.storage.volumeMaps, group.name, "map of volume group").id,
        hosts: args.hosts.map((host) => host.name),
        devices: Object.fromEntries(
          group.volumes.map(({ key }) => [key, outputKey(set.devices, key)]),
        ),
      },
      { parent, dependsOn: [...datastores, ...args.machines] },
    );
  });
}
