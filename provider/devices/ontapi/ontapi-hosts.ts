import type { Wwpn } from "../../../bed/identities";
import type { DeviceCall } from "../call";
import type { GroupFilter, IgroupCalls, MapCalls } from "../ontap/gateway";
import { exactly } from "../ontap/naming";
import type { Igroup, LunMap } from "../ontap/objects";
import type { OntapiClient } from "./ontapi-client";
import { igroupShape, lunMapShape } from "./ontapi-wire";

export class OntapiIgroups implements IgroupCalls {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly Igroup[]> {
    const { device } = this.#client;
    return await this.#client.list(call, igroupShape, {
      api: "igroup-get-iter",
      element: "initiator-group-info",
      query: filter && {
        vserver: exactly(device, [filter.svm]),
        "initiator-group-name": filter.igroup && exactly(device, [filter.igroup]),
      },
      operation: filter?.igroup === undefined ? "list igroups" : "read igroup",
      object: filter?.igroup ?? filter?.svm,
    });
  }

  /** Without the comment: ONTAPI has none for an igroup, its name carries the mark. */
  async create(call: DeviceCall, spec: Parameters<IgroupCalls["create"]>[1]): Promise<void> {
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

  async remove(call: DeviceCall, igroup: Igroup): Promise<void> {
    await this.#client.write(call, {
      api: "igroup-destroy",
      vserver: igroup.svm,
      input: { "initiator-group-name": igroup.name },
      operation: "remove igroup",
      object: igroup.name,
    });
  }

  /** One call takes one initiator; one that is in already counts as added. */
  async addInitiators(
    call: DeviceCall,
    igroup: Igroup,
    initiators: readonly Wwpn[],
  ): Promise<void> {
    for (const initiator of initiators) {
      await this.#client.writeUnless(call, "alreadyExists", {
        api: "igroup-add",
        vserver: igroup.svm,
        input: { "initiator-group-name": igroup.name, initiator },
        operation: "add initiator to igroup",
        object: `${igroup.name} ${initiator}`,
      });
    }
  }

  async removeInitiator(call: DeviceCall, igroup: Igroup, initiator: Wwpn): Promise<void> {
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

  async list(call: DeviceCall, filter?: GroupFilter): Promise<readonly LunMap[]> {
    const { device } = this.#client;
    return await this.#client.list(call, lunMapShape, {
      api: "lun-map-get-iter",
      element: "lun-map-info",
      query: filter && {
        vserver: exactly(device, [filter.svm]),
        "initiator-group": filter.igroup && exactly(device, [filter.igroup]),
      },
      operation: "list maps of igroup",
      object: filter?.igroup ?? filter?.svm,
    });
  }

  async create(call: DeviceCall, spec: Parameters<MapCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "lun-map",
      vserver: spec.svm,
      input: {
        path: spec.path,
        "initiator-group": spec.igroup,
        "lun-id": spec.lun.toString(),
      },
      operation: `map as LUN ${spec.lun.toString()} to ${spec.igroup}`,
      object: spec.path,
    });
  }

  async remove(call: DeviceCall, map: LunMap): Promise<void> {
    await this.#client.write(call, {
      api: "lun-unmap",
      vserver: map.svm,
      input: { path: map.path, "initiator-group": map.igroup },
      operation: `unmap from ${map.igroup}`,
      object: map.path,
    });
  }
}
