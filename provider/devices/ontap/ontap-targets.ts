import { DeviceError } from "../../../bed/errors";
import { bedOfComment, markComment } from "../../../bed/mark";
import type { ArrayTargets, Scope, TargetPort, TargetsSpec } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import { allSettledOrThrow } from "./naming";
import type { DataService, FcInterface, Svm } from "./objects";
import { readBack, settle } from "./settle";
import { sideOf, sidesOf, type Side } from "./side";
import { toPort } from "./target-port";

/** Targets on ONTAP: an SVM with an FCP or NVMe service and FC interfaces (LIFs, virtual ports). */
export class OntapTargets implements ArrayTargets {
  readonly #ontap: OntapGateway;

  constructor(ontap: OntapGateway) {
    this.#ontap = ontap;
  }

  async list(call: DeviceCall, scope: Scope): Promise<readonly TargetPort[]> {
    if ((await this.#svm(call, scope)) === undefined) throw this.#noTenant(scope);
    const interfaces = await this.#interfaces(call, scope);
    return interfaces.map((entry) => toPort(this.#ontap.device, entry));
  }

  async ensure(call: DeviceCall, spec: TargetsSpec): Promise<Readonly<Record<string, TargetPort>>> {
    const side = sideOf(this.#ontap, spec.protocol);
    const svm = (await this.#svm(call, spec)) ?? (await this.#createSvm(call, spec));
    this.#refuseForeign(svm, spec);
    const [service, before] = await Promise.all([
      this.#service(call, spec, side),
      this.#interfaces(call, spec),
      this.#ensurePools(call, spec, svm),
    ]);
    await this.#ensureService(call, side, svm, service);
    await allSettledOrThrow(
      Object.values(spec.ports).map((port) => this.#ensurePort(call, spec, port, before)),
    );
    const names = Object.values(spec.ports).map((port) => port.name);
    const after = await readBack(
      this.#ontap,
      call,
      () => this.#interfaces(call, spec),
      (seen) => names.every((name) => seen.some((entry) => entry.name === name)),
    );
    return Object.fromEntries(
      Object.entries(spec.ports).map(([key, port]) => {
        const found = after.find((entry) => entry.name === port.name);
        if (found === undefined) {
          const reason = "the array answered success, but a fresh read does not show it";
          throw this.#error("protocol", "create target port", port.name, reason);
        }
        return [key, toPort(this.#ontap.device, found)];
      }),
    );
  }

  async remove(call: DeviceCall, scope: Scope): Promise<void> {
    const svm = await this.#svm(call, scope);
    if (svm === undefined) return;
    this.#refuseForeign(svm, scope);
    const sides = sidesOf(this.#ontap);
    const [interfaces, services] = await Promise.all([
      this.#interfaces(call, scope),
      Promise.all(sides.map((side) => this.#service(call, scope, side))),
      this.#refuseInUse(call, scope),
    ]);
    for (const entry of interfaces) this.#refuseForeignPort(entry, scope);
    await allSettledOrThrow(interfaces.map((entry) => this.#removePort(call, scope, entry)));
    for (const [index, side] of sides.entries()) {
      await this.#removeService(call, side, svm, services[index]);
    }
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.svms.remove(call, svm),
      async () => (await this.#svm(call, scope)) === undefined,
    );
    const left = await readBack(
      this.#ontap,
      call,
      () => this.#svm(call, scope),
      (seen) => seen === undefined,
    );
    if (left === undefined) return;
    const reason = "the array answered success, but a fresh read still shows it";
    throw this.#error("protocol", "remove SVM", svm.name, reason);
  }

  async #svm(call: DeviceCall, scope: Scope): Promise<Svm | undefined> {
    const [svm] = await this.#ontap.svms.list(call, scope.target);
    return svm;
  }

  async #createSvm(call: DeviceCall, spec: TargetsSpec): Promise<Svm> {
    const { target: name, pools: aggregates, protocol } = spec;
    const comment = markComment(spec.bedId, "target");
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.svms.create(call, { name, protocol, aggregates, comment }),
      async () => bedOfComment((await this.#svm(call, spec))?.comment) === spec.bedId,
    );
    const svm = await readBack(
      this.#ontap,
      call,
      () => this.#svm(call, spec),
      (seen) => seen !== undefined,
    );
    if (svm !== undefined) return svm;
    const reason = "the array answered success, but a fresh read does not show it";
    throw this.#error("protocol", "create SVM", spec.target, reason);
  }

  async #ensurePools(call: DeviceCall, spec: TargetsSpec, svm: Svm): Promise<void> {
    const have = new Set(svm.aggregates);
    if (spec.pools.every((pool) => have.has(pool)) && have.size === spec.pools.length) return;
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.svms.setAggregates(call, svm, spec.pools),
      async () => {
        const now = (await this.#svm(call, spec))?.aggregates ?? [];
        return spec.pools.every((pool) => now.includes(pool));
      },
    );
  }

  async #ensureService(
    call: DeviceCall,
    side: Side,
    svm: Svm,
    service: DataService | undefined,
  ): Promise<void> {
    if (service?.enabled === true) return;
    const write = (): Promise<void> =>
      service === undefined
        ? side.calls.services.create(call, svm)
        : side.calls.services.setEnabled(call, svm, true);
    await settle(
      this.#ontap,
      call,
      write,
      async () => (await this.#service(call, { target: svm.name }, side))?.enabled === true,
    );
  }

  async #service(
    call: DeviceCall,
    { target }: Pick<Scope, "target">,
    side: Side,
  ): Promise<DataService | undefined> {
    const [service] = await side.calls.services.list(call, target);
    return service;
  }

  async #removeService(
    call: DeviceCall,
    side: Side,
    svm: Svm,
    service: DataService | undefined,
  ): Promise<void> {
    if (service === undefined) return;
    const now = (): Promise<DataService | undefined> =>
      this.#service(call, { target: svm.name }, side);
    if (service.enabled) {
      await settle(
        this.#ontap,
        call,
        () => side.calls.services.setEnabled(call, svm, false),
        async () => (await now())?.enabled !== true,
      );
    }
    await settle(
      this.#ontap,
      call,
      () => side.calls.services.remove(call, svm),
      async () => (await now()) === undefined,
    );
  }

  async #interfaces(call: DeviceCall, scope: Scope): Promise<readonly FcInterface[]> {
    return await this.#ontap.interfaces.list(call, scope.target);
  }

  async #ensurePort(
    call: DeviceCall,
    spec: TargetsSpec,
    port: TargetsSpec["ports"][string],
    present: readonly FcInterface[],
  ): Promise<void> {
    const found = present.find((entry) => entry.name === port.name);
    if (found === undefined) {
      const create = {
        svm: spec.target,
        name: port.name,
        protocol: spec.protocol,
        node: port.controller,
        port: port.port,
        comment: markComment(spec.bedId, "targetPort"),
      };
      await settle(
        this.#ontap,
        call,
        () => this.#ontap.interfaces.create(call, create),
        async () => (await this.#interfaces(call, spec)).some((entry) => entry.name === port.name),
      );
      return;
    }
    this.#refuseForeignPort(found, spec);
    const place = toPort(this.#ontap.device, found);
    if (place.protocol !== spec.protocol) {
      throw this.#error(
        "refused",
        "adopt target port",
        port.name,
        `it serves ${place.protocol}, not ${spec.protocol}`,
        "Remove the targets and make them anew: a port keeps its protocol.",
      );
    }
    if (place.controller !== port.controller || place.physicalPort !== port.port) {
      throw this.#error(
        "refused",
        "adopt target port",
        port.name,
        `it is on ${place.controller}:${place.physicalPort}, not on ${port.controller}:${port.port}`,
        "Remove the targets and make them anew: a port does not move while hosts use it.",
      );
    }
    if (found.enabled) return;
    await this.#setEnabled(call, spec, found, true);
  }

  async #setEnabled(
    call: DeviceCall,
    scope: Scope,
    entry: FcInterface,
    enabled: boolean,
  ): Promise<void> {
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.interfaces.setEnabled(call, entry, enabled),
      async () => {
        const now = (await this.#interfaces(call, scope)).find((one) => one.uuid === entry.uuid);
        return now === undefined ? !enabled : now.enabled === enabled;
      },
    );
  }

  async #removePort(call: DeviceCall, scope: Scope, entry: FcInterface): Promise<void> {
    if (entry.enabled) await this.#setEnabled(call, scope, entry, false);
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.interfaces.remove(call, entry),
      async () => !(await this.#interfaces(call, scope)).some((now) => now.uuid === entry.uuid),
    );
  }

  async #refuseInUse(call: DeviceCall, scope: Scope): Promise<void> {
    const sides = sidesOf(this.#ontap);
    const filter = { svm: scope.target };
    const [volumes, ...groups] = await Promise.all([
      this.#ontap.flexVols.list(call, filter),
      ...sides.map((side) => side.calls.groups.list(call, filter)),
    ]);
    const used = [
      ...volumes.filter((volume) => !volume.isRoot).map((volume) => `volume ${volume.name}`),
      ...sides.flatMap(({ words }, index) =>
        (groups[index] ?? []).map((group) => `${words.group} ${group.name}`),
      ),
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

  #refuseForeign(svm: Svm, scope: Scope): void {
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
  #refuseForeignPort(entry: FcInterface, scope: Scope): void {
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
      device: this.#ontap.device,
      operation,
      object,
      reason,
      remedy,
    });
  }
}
