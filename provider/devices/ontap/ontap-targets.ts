import type { z } from "zod";
import { DeviceError } from "../../../bed/errors";
import { bedOfComment, markComment } from "../../../bed/mark";
import type { ArrayTargets, Scope, TargetPort, TargetsSpec } from "../block-array";
import type { DeviceCall } from "../call";
import { allSettledOrThrow, exactly } from "./naming";
import type { OntapClient, OntapWrite } from "./ontap-client";
import { ontapCode } from "./ontap-errors";
import { toPort } from "./target-port";
import {
  fcInterfaceShape,
  fcpServiceShape,
  igroupShape,
  svmShape,
  volumeShape,
  type WireFcInterface,
  type WireSvm,
} from "./wire";

const svmJobMs = 600_000;

type FcpService = z.infer<typeof fcpServiceShape>;

/** Targets on ONTAP: an SVM with an FCP service and FC interfaces (LIFs, virtual ports). */
export class OntapTargets implements ArrayTargets {
  readonly #client: OntapClient;

  constructor(client: OntapClient) {
    this.#client = client;
  }

  async list(call: DeviceCall, scope: Scope): Promise<readonly TargetPort[]> {
    if ((await this.#svm(call, scope)) === undefined) throw this.#noTenant(scope);
    const interfaces = await this.#interfaces(call, scope);
    return interfaces.map((entry) => toPort(this.#client.device, entry));
  }

  async ensure(call: DeviceCall, spec: TargetsSpec): Promise<Readonly<Record<string, TargetPort>>> {
    const svm = (await this.#svm(call, spec)) ?? (await this.#createSvm(call, spec));
    this.#refuseForeign(svm, spec);
    const [service, before] = await Promise.all([
      this.#service(call, spec),
      this.#interfaces(call, spec),
      this.#ensurePools(call, spec, svm),
    ]);
    await this.#ensureService(call, spec, svm, service);
    await allSettledOrThrow(
      Object.values(spec.ports).map((port) => this.#ensurePort(call, spec, port, before)),
    );
    const after = await this.#interfaces(call, spec);
    return Object.fromEntries(
      Object.entries(spec.ports).map(([key, port]) => {
        const found = after.find((entry) => entry.name === port.name);
        if (found === undefined) {
          const reason = "the array answered success, but a fresh read does not show it";
          throw this.#error("protocol", "create target port", port.name, reason);
        }
        return [key, toPort(this.#client.device, found)];
      }),
    );
  }

  async remove(call: DeviceCall, scope: Scope): Promise<void> {
    const svm = await this.#svm(call, scope);
    if (svm === undefined) return;
    this.#refuseForeign(svm, scope);
    const [service, interfaces] = await Promise.all([
      this.#service(call, scope),
      this.#interfaces(call, scope),
      this.#refuseInUse(call, scope),
    ]);
    for (const entry of interfaces) this.#refuseForeignPort(entry, scope);
    await allSettledOrThrow(interfaces.map((entry) => this.#removePort(call, scope, entry)));
    await this.#removeService(call, scope, svm, service);
    await this.#client.settle(
      call,
      {
        method: "DELETE",
        path: `/svm/svms/${svm.uuid}`,
        operation: "remove SVM",
        object: svm.name,
        jobMs: svmJobMs,
      },
      async () => (await this.#svm(call, scope)) === undefined,
    );
    if ((await this.#svm(call, scope)) === undefined) return;
    const reason = "the array answered success, but a fresh read still shows it";
    throw this.#error("protocol", "remove SVM", svm.name, reason);
  }

  async #svm(call: DeviceCall, scope: Scope): Promise<WireSvm | undefined> {
    const [svm] = await this.#client.list(call, svmShape, {
      path: "/svm/svms",
      query: {
        name: exactly(this.#client.device, [scope.target]),
        fields: "uuid,name,state,comment,aggregates",
      },
      operation: "read SVM",
      object: scope.target,
    });
    return svm;
  }

  async #createSvm(call: DeviceCall, spec: TargetsSpec): Promise<WireSvm> {
    // Before 9.9.1 a new SVM allows every protocol and the field does not exist.
    const allowed = (await this.#client.has(call, "allowedProtocols"))
      ? {
          fcp: { allowed: true },
          nvme: { allowed: false },
          iscsi: { allowed: false },
          nfs: { allowed: false },
          cifs: { allowed: false },
        }
      : {};
    await this.#client.settle(
      call,
      {
        method: "POST",
        path: "/svm/svms",
        body: {
          name: spec.target,
          snapshot_policy: { name: "none" },
          aggregates: spec.pools.map((name) => ({ name })),
          comment: markComment(spec.bedId, "target"),
          ...allowed,
        },
        operation: "create SVM",
        object: spec.target,
        jobMs: svmJobMs,
      },
      async () => bedOfComment((await this.#svm(call, spec))?.comment) === spec.bedId,
    );
    const svm = await this.#svm(call, spec);
    if (svm !== undefined) return svm;
    const reason = "the array answered success, but a fresh read does not show it";
    throw this.#error("protocol", "create SVM", spec.target, reason);
  }

  async #ensurePools(call: DeviceCall, spec: TargetsSpec, svm: WireSvm): Promise<void> {
    const have = new Set((svm.aggregates ?? []).map((aggregate) => aggregate.name));
    if (spec.pools.every((pool) => have.has(pool)) && have.size === spec.pools.length) return;
    await this.#client.settle(
      call,
      {
        method: "PATCH",
        path: `/svm/svms/${svm.uuid}`,
        // The list replaces the old one.
        body: { aggregates: spec.pools.map((name) => ({ name })) },
        operation: "let the SVM use pools",
        object: svm.name,
        jobMs: svmJobMs,
      },
      async () => {
        const now = (await this.#svm(call, spec))?.aggregates ?? [];
        return spec.pools.every((pool) => now.some((aggregate) => aggregate.name === pool));
      },
    );
  }

  async #ensureService(
    call: DeviceCall,
    spec: TargetsSpec,
    svm: WireSvm,
    service: FcpService | undefined,
  ): Promise<void> {
    if (service?.enabled === true) return;
    const path = "/protocols/san/fcp/services";
    const isOn = async (): Promise<boolean> => (await this.#service(call, spec))?.enabled === true;
    if (service !== undefined) {
      const operation = "enable FCP service of SVM";
      const body = { enabled: true };
      await this.#client.settle(
        call,
        { method: "PATCH", path: `${path}/${svm.uuid}`, body, operation, object: svm.name },
        isOn,
      );
      return;
    }
    const create: OntapWrite = {
      method: "POST",
      path,
      body: { svm: { name: svm.name }, enabled: true },
      operation: "create FCP service of SVM",
      object: svm.name,
    };
    try {
      await this.#client.settle(call, create, isOn);
    } catch (error) {
      if (ontapCode(error) !== "2621507" || (await this.#client.has(call, "allowedProtocols")))
        throw error;
      await this.#client.write(call, {
        method: "PATCH",
        path: "/private/cli/vserver/add-protocols",
        query: { vserver: svm.name },
        body: { protocols: ["fcp"] },
        operation: "allow FCP in SVM",
        object: svm.name,
      });
      await this.#client.settle(call, create, isOn);
    }
  }

  async #service(call: DeviceCall, scope: Scope): Promise<FcpService | undefined> {
    const [service] = await this.#client.list(call, fcpServiceShape, {
      path: "/protocols/san/fcp/services",
      query: {
        "svm.name": exactly(this.#client.device, [scope.target]),
        fields: "svm.name,svm.uuid,enabled",
      },
      operation: "read FCP service of SVM",
      object: scope.target,
    });
    return service;
  }

  async #removeService(
    call: DeviceCall,
    scope: Scope,
    svm: WireSvm,
    service: FcpService | undefined,
  ): Promise<void> {
    const path = `/protocols/san/fcp/services/${svm.uuid}`;
    if (service === undefined) return;
    const object = svm.name;
    if (service.enabled !== false) {
      const operation = "disable FCP service of SVM";
      const body = { enabled: false };
      await this.#client.settle(
        call,
        { method: "PATCH", path, body, operation, object },
        async () => (await this.#service(call, scope))?.enabled !== true,
      );
    }
    const operation = "remove FCP service of SVM";
    await this.#client.settle(
      call,
      { method: "DELETE", path, operation, object },
      async () => (await this.#service(call, scope)) === undefined,
    );
  }

  async #interfaces(call: DeviceCall, scope: Scope): Promise<readonly WireFcInterface[]> {
    return await this.#client.list(call, fcInterfaceShape, {
      path: "/network/fc/interfaces",
      query: {
        "svm.name": exactly(this.#client.device, [scope.target]),
        data_protocol: "fcp",
        fields: "uuid,name,svm.name,data_protocol,enabled,state,wwpn,wwnn,comment,location",
      },
      operation: "list FC interfaces of SVM",
      object: scope.target,
    });
  }

  async #ensurePort(
    call: DeviceCall,
    spec: TargetsSpec,
    port: TargetsSpec["ports"][string],
    present: readonly WireFcInterface[],
  ): Promise<void> {
    const found = present.find((entry) => entry.name === port.name);
    if (found === undefined) {
      await this.#client.settle(
        call,
        {
          method: "POST",
          path: "/network/fc/interfaces",
          body: {
            svm: { name: spec.target },
            name: port.name,
            data_protocol: spec.protocol,
            location: { home_port: { name: port.port, node: { name: port.controller } } },
            enabled: true,
            comment: markComment(spec.bedId, "targetPort"),
          },
          operation: "create target port",
          object: port.name,
        },
        async () => (await this.#interfaces(call, spec)).some((entry) => entry.name === port.name),
      );
      return;
    }
    this.#refuseForeignPort(found, spec);
    const place = toPort(this.#client.device, found);
    if (place.controller !== port.controller || place.physicalPort !== port.port) {
      throw this.#error(
        "refused",
        "adopt target port",
        port.name,
        `it is on ${place.controller}:${place.physicalPort}, not on ${port.controller}:${port.port}`,
        "Remove the targets and make them anew: a port does not move while hosts use it.",
      );
    }
    if (found.enabled !== false) return;
    await this.#setEnabled(call, spec, found, true);
  }

  async #setEnabled(
    call: DeviceCall,
    scope: Scope,
    entry: WireFcInterface,
    enabled: boolean,
  ): Promise<void> {
    await this.#client.settle(
      call,
      {
        method: "PATCH",
        path: `/network/fc/interfaces/${entry.uuid}`,
        body: { enabled },
        operation: `${enabled ? "enable" : "disable"} target port`,
        object: entry.name,
      },
      async () => {
        const now = (await this.#interfaces(call, scope)).find((one) => one.uuid === entry.uuid);
        return now === undefined ? !enabled : now.enabled === enabled;
      },
    );
  }

  async #removePort(call: DeviceCall, scope: Scope, entry: WireFcInterface): Promise<void> {
    // Only a disabled interface can be removed (code 53280992).
    if (entry.enabled !== false) await this.#setEnabled(call, scope, entry, false);
    await this.#client.settle(
      call,
      {
        method: "DELETE",
        path: `/network/fc/interfaces/${entry.uuid}`,
        operation: "remove target port",
        object: entry.name,
      },
      async () => !(await this.#interfaces(call, scope)).some((now) => now.uuid === entry.uuid),
    );
  }

  async #refuseInUse(call: DeviceCall, scope: Scope): Promise<void> {
    const svm = exactly(this.#client.device, [scope.target]);
    const [volumes, igroups] = await Promise.all([
      this.#client.list(call, volumeShape, {
        path: "/storage/volumes",
        query: { "svm.name": svm, fields: "uuid,name,svm.name,is_svm_root" },
        operation: "list volumes",
        object: scope.target,
      }),
      this.#client.list(call, igroupShape, {
        path: "/protocols/san/igroups",
        query: { "svm.name": svm, fields: "uuid,name,svm.name" },
        operation: "list igroups",
        object: scope.target,
      }),
    ]);
    const used = [
      ...volumes
        .filter((volume) => volume.is_svm_root !== true && volume.name !== `${scope.target}_root`)
        .map((volume) => `volume ${volume.name}`),
      ...igroups.map((igroup) => `igroup ${igroup.name}`),
    ];
    if (used.length === 0) return;
    const remedy = "Remove what is in it first.";
    throw this.#error(
      "refused",
      "remove SVM",
      scope.target,
      `it still holds ${used.join(", ")}`,
      remedy,
    );
  }

  #refuseForeign(svm: WireSvm, scope: Scope): void {
    if (bedOfComment(svm.comment) === scope.bedId) return;
    throw this.#error(
      "refused",
      "change SVM",
      svm.name,
      `an SVM of this name exists and does not carry the mark of bed ${scope.bedId} (comment: "${svm.comment ?? ""}")`,
      'It belongs to somebody else: use it as it is (mode "use"), or choose another name.',
    );
  }

  /** Somebody may have made a port of their own in a tenant of ours: it stays, and so does the tenant. */
  #refuseForeignPort(entry: WireFcInterface, scope: Scope): void {
    if (bedOfComment(entry.comment) === scope.bedId) return;
    throw this.#error(
      "refused",
      "change target port",
      entry.name,
      `it does not carry the mark of bed ${scope.bedId} (comment: "${entry.comment ?? ""}")`,
      `It belongs to somebody else: remove it from SVM ${scope.target} yourself if nobody needs it.`,
    );
  }

  #noTenant(scope: Scope): DeviceError {
    const remedy = "Correct the target's name, or let the bed create it.";
    return this.#error("notFound", "use SVM", scope.target, "the cluster has no such SVM", remedy);
  }

  #error(
    kind: "refused" | "protocol" | "notFound",
    operation: string,
    object: string,
    reason: string,
    remedy?: string,
  ): DeviceError {
    return new DeviceError({
      kind,
      device: this.#client.device,
      operation,
      object,
      reason,
      remedy,
    });
  }
}
