import { DeviceError } from "../../../../bed/errors";
import type { Bytes } from "../../../../bed/units";
import type { Initiator } from "../../block-array";
import type { DeviceCall } from "../../call";
import type { GroupCalls, GroupFilter, MapCalls, UnitCalls, VolumeFilter } from "../gateway";
import type { Group, Unit, UnitMap } from "../objects";
import { supports, versionText, type OntapVersion } from "../ontap-versions";
import { hostBlockBytes } from "../volume-decisions";
import type { RestClient } from "./rest-client";
import { groupQuery } from "./rest-hosts";
import { inNameParts } from "./rest-volumes";
import { subsystemMapShape, subsystemShape } from "./group-wire";
import { namespaceShape } from "./volume-wire";

const namespacePath = "/storage/namespaces";

export class RestNamespaces implements UnitCalls {
  readonly fixedSize: string | undefined;
  readonly #client: RestClient;

  constructor(client: RestClient, version: OntapVersion) {
    this.#client = client;
    this.fixedSize = supports(version, "namespaceGrowth")
      ? undefined
      : `namespaces cannot grow on ONTAP ${versionText(version)}, only from 9.10.1 on`;
  }

  async list(call: DeviceCall, filter?: VolumeFilter): Promise<readonly Unit[]> {
    return await inNameParts(this.#client, filter, "location.volume.name", (query) =>
      this.#client.list(call, namespaceShape, {
        path: namespacePath,
        query: {
          ...query,
          // `status.mapped` is an expensive property: it comes only when named.
          fields:
            "uuid,name,svm.name,os_type,comment,location.volume.name,space.size,space.block_size,status.state,status.mapped",
        },
        operation: "list namespaces",
        object: filter?.svm,
      }),
    );
  }

  async create(call: DeviceCall, spec: Parameters<UnitCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: namespacePath,
      body: {
        svm: { name: spec.svm },
        name: spec.path,
        os_type: "vmware",
        space: {
          size: Number(spec.sizeBytes),
          // Never left to the array: its default differs between releases.
          block_size: hostBlockBytes,
          // Its reservation cannot be set on all releases; the FlexVol around it holds the space.
        },
        comment: spec.comment,
      },
      operation: "create namespace",
      object: spec.path,
    });
  }

  async resize(call: DeviceCall, unit: Unit, sizeBytes: Bytes): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `${namespacePath}/${unit.uuid}`,
      body: { space: { size: Number(sizeBytes) } },
      operation: "grow namespace",
      object: unit.path,
    });
  }

  /** Never asked for: what a namespace holds is not read ({@link Unit.reserved}). */
  setReserved(_call: DeviceCall, unit: Unit): Promise<void> {
    return Promise.reject(
      new DeviceError({
        kind: "unsupported",
        device: this.#client.device,
        operation: "hold space of namespace",
        object: unit.path,
        reason: "not every release lets it be set; the FlexVol around it holds the space",
      }),
    );
  }

  /** A namespace has no switch of its own (`enabled` is read-only): something else keeps it offline. */
  bringOnline(_call: DeviceCall, unit: Unit): Promise<void> {
    return Promise.reject(
      new DeviceError({
        kind: "refused",
        device: this.#client.device,
        operation: "bring namespace online",
        object: unit.path,
        reason: `it is ${unit.state ?? "offline"} although its volume is online`,
        remedy: "See `vserver nvme namespace show` on the array for the cause.",
      }),
    );
  }
}

const subsystemPath = "/protocols/nvme/subsystems";

export class RestSubsystems implements GroupCalls {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly Group[]> {
    return await this.#client.list(call, subsystemShape, {
      path: subsystemPath,
      query: {
        ...groupQuery(this.#client.device, filter, "name"),
        fields: "uuid,name,svm.name,os_type,comment,target_nqn,hosts",
      },
      operation: filter?.group === undefined ? "list subsystems" : "read subsystem",
      object: filter?.group ?? filter?.svm,
    });
  }

  async create(call: DeviceCall, spec: Parameters<GroupCalls["create"]>[1]): Promise<void> {
    const { svm, name, comment } = spec;
    await this.#client.write(call, {
      method: "POST",
      path: subsystemPath,
      body: { svm: { name: svm }, name, os_type: "vmware", comment },
      operation: "create subsystem",
      object: name,
    });
  }

  /** With its hosts; never while namespaces are mapped to it. */
  async remove(call: DeviceCall, group: Group): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${subsystemPath}/${group.uuid}`,
      query: { allow_delete_with_hosts: "true" },
      operation: "remove subsystem",
      object: group.name,
    });
  }

  async addMembers(call: DeviceCall, group: Group, members: readonly Initiator[]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: `${subsystemPath}/${group.uuid}/hosts`,
      body: { records: members.map((nqn) => ({ nqn })) },
      operation: `add ${members.join(", ")} to subsystem`,
      object: group.name,
    });
  }

  async removeMember(call: DeviceCall, group: Group, member: Initiator): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${subsystemPath}/${group.uuid}/hosts/${encodeURIComponent(member)}`,
      operation: "remove host from subsystem",
      object: `${group.name} ${member}`,
    });
  }
}

const mapPath = "/protocols/nvme/subsystem-maps";

export class RestSubsystemMaps implements MapCalls {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly UnitMap[]> {
    return await this.#client.list(call, subsystemMapShape, {
      path: mapPath,
      query: {
        ...groupQuery(this.#client.device, filter, "subsystem.name"),
        fields: "svm.name,nsid,namespace.name,namespace.uuid,subsystem.name,subsystem.uuid",
      },
      operation: "list namespaces of subsystem",
      object: filter?.group ?? filter?.svm,
    });
  }

  async create(call: DeviceCall, spec: Parameters<MapCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: mapPath,
      body: {
        svm: { name: spec.svm },
        subsystem: { name: spec.group },
        namespace: { name: spec.path },
      },
      operation: `map to subsystem ${spec.group}`,
      object: spec.path,
    });
  }

  async remove(call: DeviceCall, map: UnitMap): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${mapPath}/${map.groupUuid}/${map.unitUuid}`,
      operation: `unmap from subsystem ${map.group}`,
      object: map.path,
    });
  }
}
