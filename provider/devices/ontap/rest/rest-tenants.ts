import type { DeviceCall } from "../../call";
import type { InterfaceCalls, ServiceCalls, SvmCalls } from "../gateway";
import { exactly } from "../naming";
import type { DataService, FcInterface, Svm } from "../objects";
import { supports, type OntapVersion } from "../ontap-versions";
import type { RestClient, RestWrite } from "./rest-client";
import { ontapCode } from "./rest-errors";
import { fcInterfaceShape, serviceShape } from "./port-wire";
import { svmShape } from "./system-wire";

const svmJobMs = 600_000;
/** The SVM does not allow this protocol. */
const notAllowedCode = "2621507";

export class RestSvms implements SvmCalls {
  readonly #client: RestClient;
  readonly #allowed: boolean;

  constructor(client: RestClient, release: OntapVersion) {
    this.#client = client;
    this.#allowed = supports(release, "allowedProtocols");
  }

  async list(call: DeviceCall, name?: string): Promise<readonly Svm[]> {
    return await this.#client.list(call, svmShape, {
      path: "/svm/svms",
      query: {
        ...(name === undefined ? {} : { name: exactly(this.#client.device, [name]) }),
        fields: "uuid,name,state,comment,aggregates",
      },
      operation: name === undefined ? "list SVMs" : "read SVM",
      object: name,
    });
  }

  async create(call: DeviceCall, spec: Parameters<SvmCalls["create"]>[1]): Promise<void> {
    // Before 9.9.1 a new SVM allows every protocol and the field does not exist.
    const allowed = this.#allowed
      ? {
          fcp: { allowed: spec.protocol === "fcp" },
          nvme: { allowed: spec.protocol === "nvme-fc" },
          iscsi: { allowed: false },
          nfs: { allowed: false },
          cifs: { allowed: false },
        }
      : {};
    await this.#client.write(call, {
      method: "POST",
      path: "/svm/svms",
      body: {
        name: spec.name,
        snapshot_policy: { name: "none" },
        aggregates: spec.aggregates.map((name) => ({ name })),
        comment: spec.comment,
        ...allowed,
      },
      operation: "create SVM",
      object: spec.name,
      jobMs: svmJobMs,
    });
  }

  async setAggregates(call: DeviceCall, svm: Svm, aggregates: readonly string[]): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `/svm/svms/${svm.uuid}`,
      body: { aggregates: aggregates.map((name) => ({ name })) },
      operation: "let the SVM use pools",
      object: svm.name,
      jobMs: svmJobMs,
    });
  }

  async remove(call: DeviceCall, svm: Svm): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `/svm/svms/${svm.uuid}`,
      operation: "remove SVM",
      object: svm.name,
      jobMs: svmJobMs,
    });
  }
}

/** What differs between the services of the two protocols. */
interface ServiceKind {
  readonly path: string;
  readonly fields: string;
  /** Name of the protocol in messages, and for `vserver add-protocols`. */
  readonly word: string;
  readonly cli: string;
}

export const fcpService: ServiceKind = {
  path: "/protocols/san/fcp/services",
  fields: "svm.name,svm.uuid,enabled,target.name",
  word: "FCP",
  cli: "fcp",
};
export const nvmeService: ServiceKind = {
  path: "/protocols/nvme/services",
  fields: "svm.name,svm.uuid,enabled",
  word: "NVMe",
  cli: "nvme",
};

export class RestServices implements ServiceCalls {
  readonly #client: RestClient;
  readonly #kind: ServiceKind;
  readonly #allowed: boolean;

  constructor(client: RestClient, release: OntapVersion, kind: ServiceKind) {
    this.#client = client;
    this.#kind = kind;
    this.#allowed = supports(release, "allowedProtocols");
  }

  async list(call: DeviceCall, svm?: string): Promise<readonly DataService[]> {
    return await this.#client.listIfAny(call, serviceShape, {
      path: this.#kind.path,
      query: {
        ...(svm === undefined ? {} : { "svm.name": exactly(this.#client.device, [svm]) }),
        fields: this.#kind.fields,
      },
      operation: `read ${this.#kind.word} service of SVM`,
      object: svm,
    });
  }

  async create(call: DeviceCall, svm: Svm): Promise<void> {
    const create: RestWrite = {
      method: "POST",
      path: this.#kind.path,
      body: { svm: { name: svm.name }, enabled: true },
      operation: `create ${this.#kind.word} service of SVM`,
      object: svm.name,
    };
    try {
      await this.#client.write(call, create);
    } catch (error) {
      if (ontapCode(error) !== notAllowedCode || this.#allowed) throw error;
      await this.#client.write(call, {
        method: "PATCH",
        path: "/private/cli/vserver/add-protocols",
        query: { vserver: svm.name },
        body: { protocols: [this.#kind.cli] },
        operation: `allow ${this.#kind.word} in SVM`,
        object: svm.name,
      });
      await this.#client.write(call, create);
    }
  }

  async setEnabled(call: DeviceCall, svm: Svm, enabled: boolean): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `${this.#kind.path}/${svm.uuid}`,
      body: { enabled },
      operation: `${enabled ? "enable" : "disable"} ${this.#kind.word} service of SVM`,
      object: svm.name,
    });
  }

  async remove(call: DeviceCall, svm: Svm): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${this.#kind.path}/${svm.uuid}`,
      operation: `remove ${this.#kind.word} service of SVM`,
      object: svm.name,
    });
  }
}

const interfacePath = "/network/fc/interfaces";

export class RestInterfaces implements InterfaceCalls {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, svm?: string): Promise<readonly FcInterface[]> {
    return await this.#client.list(call, fcInterfaceShape, {
      path: interfacePath,
      query: {
        ...(svm === undefined ? {} : { "svm.name": exactly(this.#client.device, [svm]) }),
        fields: "uuid,name,svm.name,data_protocol,enabled,state,wwpn,wwnn,comment,location",
      },
      operation: "list FC interfaces of SVM",
      object: svm,
    });
  }

  async create(call: DeviceCall, spec: Parameters<InterfaceCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      method: "POST",
      path: interfacePath,
      body: {
        svm: { name: spec.svm },
        name: spec.name,
        data_protocol: spec.protocol === "fcp" ? "fcp" : "fc_nvme",
        location: { home_port: { name: spec.port, node: { name: spec.node } } },
        enabled: true,
        comment: spec.comment,
      },
      operation: "create target port",
      object: spec.name,
    });
  }

  async setEnabled(call: DeviceCall, entry: FcInterface, enabled: boolean): Promise<void> {
    await this.#client.write(call, {
      method: "PATCH",
      path: `${interfacePath}/${entry.uuid}`,
      body: { enabled },
      operation: `${enabled ? "enable" : "disable"} target port`,
      object: entry.name,
    });
  }

  async remove(call: DeviceCall, entry: FcInterface): Promise<void> {
    await this.#client.write(call, {
      method: "DELETE",
      path: `${interfacePath}/${entry.uuid}`,
      operation: "remove target port",
      object: entry.name,
    });
  }
}
