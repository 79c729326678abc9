import type { DeviceCall } from "../call";
import type { FlexVolCalls, InterfaceCalls, ServiceCalls, SvmCalls } from "../ontap/gateway";
import { exactly } from "../ontap/naming";
import type { DataService, FcInterface, Svm } from "../ontap/objects";
import type { OntapiClient } from "./ontapi-client";
import { fcpServiceShape, interfaceShape, svmShape } from "./ontapi-wire";

export class OntapiSvms implements SvmCalls {
  readonly #client: OntapiClient;
  readonly #flexVols: FlexVolCalls;

  constructor(client: OntapiClient, flexVols: FlexVolCalls) {
    this.#client = client;
    this.#flexVols = flexVols;
  }

  /** Data SVMs: the cluster's and the nodes' own are none of a bed. */
  async list(call: DeviceCall, name?: string): Promise<readonly Svm[]> {
    return await this.#client.list(call, svmShape, {
      api: "vserver-get-iter",
      element: "vserver-info",
      query: {
        "vserver-type": "data",
        "vserver-name": name === undefined ? undefined : exactly(this.#client.device, [name]),
      },
      operation: name === undefined ? "list SVMs" : "read SVM",
      object: name,
    });
  }

  /** The list of aggregates is not taken at creation: it is set afterwards. */
  async create(call: DeviceCall, spec: Parameters<SvmCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "vserver-create",
      input: {
        "vserver-name": spec.name,
        "root-volume": `${spec.name}_root`,
        "root-volume-aggregate": spec.aggregates[0],
        "root-volume-security-style": "unix",
        "snapshot-policy": "none",
        comment: spec.comment,
      },
      operation: "create SVM",
      object: spec.name,
    });
  }

  async setAggregates(call: DeviceCall, svm: Svm, aggregates: readonly string[]): Promise<void> {
    await this.#client.write(call, {
      api: "vserver-modify",
      input: { "vserver-name": svm.name, "aggr-list": { "aggr-name": aggregates } },
      operation: "let the SVM use pools",
      object: svm.name,
    });
  }

  /**
   * All volumes go before the SVM, its root volume last; then it is stopped and removed (Clustered Data
   * ONTAP System Administration Guide, "Deleting SVMs").
   */
  async remove(call: DeviceCall, svm: Svm): Promise<void> {
    const volumes = await this.#flexVols.list(call, { svm: svm.name });
    for (const root of volumes.filter((volume) => volume.isRoot)) {
      await this.#flexVols.remove(call, root);
    }
    const input = { "vserver-name": svm.name };
    const object = svm.name;
    if (svm.state !== "stopped") {
      const stop = { api: "vserver-stop", input, operation: "stop SVM", object };
      await this.#client.writeUnless(call, "alreadyExists", stop);
    }
    const operation = "remove SVM";
    await this.#client.write(call, { api: "vserver-destroy", input, operation, object });
  }
}

export class OntapiServices implements ServiceCalls {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, svm?: string): Promise<readonly DataService[]> {
    return await this.#client.list(call, fcpServiceShape, {
      api: "fcp-service-get-iter",
      element: "fcp-service-info",
      query: svm === undefined ? undefined : { vserver: exactly(this.#client.device, [svm]) },
      operation: "read FCP service of SVM",
      object: svm,
    });
  }

  async create(call: DeviceCall, svm: Svm): Promise<void> {
    await this.#client.write(call, {
      api: "fcp-service-create",
      vserver: svm.name,
      input: { start: "true" },
      operation: "create FCP service of SVM",
      object: svm.name,
    });
  }

  async setEnabled(call: DeviceCall, svm: Svm, enabled: boolean): Promise<void> {
    await this.#client.writeUnless(call, "alreadyExists", {
      api: enabled ? "fcp-service-start" : "fcp-service-stop",
      vserver: svm.name,
      operation: `${enabled ? "enable" : "disable"} FCP service of SVM`,
      object: svm.name,
    });
  }

  async remove(call: DeviceCall, svm: Svm): Promise<void> {
    await this.#client.write(call, {
      api: "fcp-service-destroy",
      vserver: svm.name,
      operation: "remove FCP service of SVM",
      object: svm.name,
    });
  }
}

export class OntapiInterfaces implements InterfaceCalls {
  readonly #client: OntapiClient;
  readonly #services: ServiceCalls;

  constructor(client: OntapiClient, services: ServiceCalls) {
    this.#client = client;
    this.#services = services;
  }

  /** Those with a WWPN, among LIFs of every protocol; their WWNN is that of the SVM's service. */
  async list(call: DeviceCall, svm?: string): Promise<readonly FcInterface[]> {
    const [lifs, services] = await Promise.all([
      this.#client.list(call, interfaceShape, {
        api: "net-interface-get-iter",
        element: "net-interface-info",
        query: svm === undefined ? undefined : { vserver: exactly(this.#client.device, [svm]) },
        operation: "list FC interfaces of SVM",
        object: svm,
      }),
      this.#services.list(call, svm),
    ]);
    return lifs.flatMap(({ protocols, wwpn, ...lif }) => {
      if (wwpn === undefined) return [];
      const wwnn = services.find((service) => service.svm === lif.svm)?.target ?? "";
      return [{ ...lif, wwpn, wwnn, protocol: protocols[0]?.replace("-", "_") }];
    });
  }

  async create(call: DeviceCall, spec: Parameters<InterfaceCalls["create"]>[1]): Promise<void> {
    await this.#client.write(call, {
      api: "net-interface-create",
      input: {
        "interface-name": spec.name,
        vserver: spec.svm,
        role: "data",
        "data-protocols": { "data-protocol": "fcp" },
        "home-node": spec.node,
        "home-port": spec.port,
        "administrative-status": "up",
        comment: spec.comment,
      },
      operation: "create target port",
      object: spec.name,
    });
  }

  async setEnabled(call: DeviceCall, entry: FcInterface, enabled: boolean): Promise<void> {
    await this.#client.write(call, {
      api: "net-interface-modify",
      input: {
        "interface-name": entry.name,
        vserver: entry.svm,
        "administrative-status": enabled ? "up" : "down",
      },
      operation: `${enabled ? "enable" : "disable"} target port`,
      object: entry.name,
    });
  }

  async remove(call: DeviceCall, entry: FcInterface): Promise<void> {
    await this.#client.write(call, {
      api: "net-interface-delete",
      input: { "interface-name": entry.name, vserver: entry.svm },
      operation: "remove target port",
      object: entry.name,
    });
  }
}
