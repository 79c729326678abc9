import type { Initiator } from "../block-array";
import type { DeviceCall } from "../call";
import type { GroupCalls, GroupFilter, MapCalls } from "../ontap/gateway";
import { allSettledOrThrow, exactly } from "../ontap/naming";
import type { Group, UnitMap } from "../ontap/objects";
import type { OntapiClient } from "./ontapi-client";
import { igroupShape, lunMapShape } from "./ontapi-wire";

export class OntapiIgroups implements GroupCalls {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly Group[]> {
    const { device } = this.#client;
    return await this.#client.list(call, igroupShape, {
      api: "igroup-get-iter",
      element: "initiator-group-info",
      query: filter && {
        vserver: exactly(device, [filter.svm]),
        "initiator-group-name": filter.group && exactly(device, [filter.group]),
      },
      operation: filter?.group === undefined ? "list igroups" : "read igroup",
      object: filter?.group ?? filter?.svm,
    });
  }

  /** Without the comment: ONTAPI has none for an igroup, its name carries the mark. */
  async create(call: DeviceCall, spec: Parameters<GroupCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "igroup-create",
      vserver: spec.svm,
      input: {
        "initiator-group-name": spec.name,
        "initiator-group-type": "fcp",
        "os-type": "vmware",
      },
      operation: "create igroup",
      object: spec.name,
    });
  }

  async remove(call: DeviceCall, igroup: Group): Promise<void> {
    await this.#client.write(call, {
      api: "igroup-destroy",
      vserver: igroup.svm,
      input: { "initiator-group-name": igroup.name },
      operation: "remove igroup",
      object: igroup.name,
    });
  }

  /** One call takes one initiator; one that is in already counts as added. */
  async addMembers(
    call: DeviceCall,
    igroup: Group,
    initiators: readonly Initiator[],
  ): Promise<void> {
    await allSettledOrThrow(
      initiators.map((initiator) =>
        this.#client.writeUnless(call, "alreadyExists", {
          api: "igroup-add",
          vserver: igroup.svm,
          input: { "initiator-group-name": igroup.name, initiator },
          operation: "add initiator to igroup",
          object: `${igroup.name} ${initiator}`,
        }),
      ),
    );
  }

  async removeMember(call: DeviceCall, igroup: Group, initiator: Initiator): Promise<void> {
    await this.#client.write(call, {
      api: "igroup-remove",
      vserver: igroup.svm,
      // Although LUNs are mapped to the group: its other hosts keep them.
      input: { "initiator-group-name": igroup.name, initiator, force: "true" },
      operation: "remove initiator from igroup",
      object: `${igroup.name} ${initiator}`,
    });
  }
}

export class OntapiMaps implements MapCalls {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly UnitMap[]> {
    const { device } = this.#client;
    return await this.#client.list(call, lunMapShape, {
      api: "lun-map-get-iter",
      element: "lun-map-info",
      query: filter && {
        vserver: exactly(device, [filter.svm]),
        "initiator-group": filter.group && exactly(device, [filter.group]),
      },
      operation: "list maps of igroup",
      object: filter?.group ?? filter?.svm,
    });
  }

  async create(call: DeviceCall, spec: Parameters<MapCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "lun-map",
      vserver: spec.svm,
      input: {
        path: spec.path,
        "initiator-group": spec.group,
        "lun-id": spec.number?.toString(),
      },
      operation: `map as LUN ${String(spec.number)} to ${spec.group}`,
      object: spec.path,
    });
  }

  async remove(call: DeviceCall, map: UnitMap): Promise<void> {
    await this.#client.write(call, {
      api: "lun-unmap",
      vserver: map.svm,
      input: { path: map.path, "initiator-group": map.group },
      operation: `unmap from ${map.group}`,
      object: map.path,
    });
  }
}
