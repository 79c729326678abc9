import type { Initiator } from "../../block-array";
import type { DeviceCall } from "../../call";
import type { GroupCalls, GroupFilter, MapCalls } from "../gateway";
import { exactly } from "../naming";
import type { Group, UnitMap } from "../objects";
import { supports, type OntapVersion } from "../ontap-versions";
import type { RestClient } from "./rest-client";
import { igroupShape, lunMapShape } from "./group-wire";

const igroupPath = "/protocols/san/igroups";

export class RestIgroups implements GroupCalls {
  readonly #client: RestClient;
  readonly #comments: boolean;

  constructor(client: RestClient, release: OntapVersion) {
    this.#client = client;
    this.#comments = supports(release, "igroupComment");
  }

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly Group[]> {
    const comment = this.#comments ? ",comment" : "";
    return await this.#client.list(call, igroupShape, {
      path: igroupPath,
      query: {
        ...groupQuery(this.#client.device, filter, "name"),
        fields: `uuid,name,svm.name,os_type,protocol,initiators${comment}`,
      },
      operation: filter?.group === undefined ? "list igroups" : "read igroup",
      object: filter?.group ?? filter?.svm,
    });
  }

  async create(call: DeviceCall, spec: Parameters<GroupCalls["create"]>[1]): Promise<void> {
    const { svm, name, comment } = spec;
    const mark = this.#comments ? { comment } : {};
    await this.#client.write(call, {
      method: "POST",
      path: igroupPath,
      body: { svm: { name: svm }, name, os_type: "vmware", protocol: "fcp", ...mark },
      operation: "create igroup",
      object: name,
    });
  }

  async remove(call: DeviceCall, igroup: Group): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${igroupPath}/${igroup.uuid}`,
      operation: "remove igroup",
      object: igroup.name,
    });
  }

  async addMembers(
    call: DeviceCall,
    igroup: Group,
    initiators: readonly Initiator[],
  ): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: `${igroupPath}/${igroup.uuid}/initiators`,
      body: { records: initiators.map((name) => ({ name })) },
      operation: `add ${initiators.join(", ")} to igroup`,
      object: igroup.name,
    });
  }

  async removeMember(call: DeviceCall, igroup: Group, initiator: Initiator): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${igroupPath}/${igroup.uuid}/initiators/${encodeURIComponent(initiator)}`,
      query: { allow_delete_while_mapped: "true" },
      operation: "remove initiator from igroup",
      object: `${igroup.name} ${initiator}`,
    });
  }
}

const mapPath = "/protocols/san/lun-maps";

export class RestMaps implements MapCalls {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly UnitMap[]> {
    return await this.#client.list(call, lunMapShape, {
      path: mapPath,
      query: {
        ...groupQuery(this.#client.device, filter, "igroup.name"),
        fields: "svm.name,logical_unit_number,lun.name,lun.uuid,igroup.name,igroup.uuid",
      },
      operation: "list maps of igroup",
      object: filter?.group ?? filter?.svm,
    });
  }

  async create(call: DeviceCall, spec: Parameters<MapCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: mapPath,
      body: {
        svm: { name: spec.svm },
        lun: { name: spec.path },
        igroup: { name: spec.group },
        logical_unit_number: spec.number,
      },
      operation: `map as LUN ${String(spec.number)} to ${spec.group}`,
      object: spec.path,
    });
  }

  async remove(call: DeviceCall, map: UnitMap): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${mapPath}/${map.unitUuid}/${map.groupUuid}`,
      operation: `unmap from ${map.group}`,
      object: map.path,
    });
  }
}

export function groupQuery(
  device: string,
  filter: GroupFilter | undefined,
  nameField: string,
): Readonly<Record<string, string>> {
  if (filter === undefined) return {};
  const { svm, group } = filter;
  return {
    "svm.name": exactly(device, [svm]),
    ...(group === undefined ? {} : { [nameField]: exactly(device, [group]) }),
  };
}
