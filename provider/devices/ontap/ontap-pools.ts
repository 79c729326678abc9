import { DeviceError } from "../../../bed/errors";
import { bedOfName, withMark } from "../../../bed/mark";
import type { PoolBuilder, PoolInfo, Scope } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import type { Aggregate } from "./objects";
import { settle } from "./settle";

/** Pools on ONTAP: aggregates. They have no comment, so the name carries the mark. */
export class OntapPools {
  readonly #ontap: OntapGateway;

  constructor(ontap: OntapGateway) {
    this.#ontap = ontap;
  }

  async list(call: DeviceCall): Promise<readonly PoolInfo[]> {
    return (await this.#ontap.aggregates.list(call)).map((aggregate) => this.#info(aggregate));
  }

  async ensure(
    call: DeviceCall,
    scope: Scope,
    spec: Parameters<PoolBuilder["ensurePool"]>[2],
  ): Promise<PoolInfo> {
    const name = withMark(scope.bedId, spec.name);
    const found = await this.#find(call, name);
    if (found !== undefined) return this.#info(found);
    const { controller: node, driveCount: disks, raid } = spec;
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.aggregates.create(call, { name, node, disks, raid }),
      async () => (await this.#find(call, name)) !== undefined,
    );
    const made = await this.#find(call, name);
    if (made !== undefined) return this.#info(made);
    throw this.#error(
      "protocol",
      "create pool",
      name,
      "the array answered success, but it is not there",
    );
  }

  async remove(call: DeviceCall, scope: Scope, wanted: string): Promise<void> {
    const name = withMark(scope.bedId, wanted);
    const found = await this.#find(call, name);
    if (found === undefined) return;
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.aggregates.remove(call, found),
      async () => (await this.#find(call, name)) === undefined,
    );
    if ((await this.#find(call, name)) === undefined) return;
    throw this.#error(
      "protocol",
      "remove pool",
      name,
      "the array answered success, but it is still there",
    );
  }

  async #find(call: DeviceCall, name: string): Promise<Aggregate | undefined> {
    const [aggregate] = await this.#ontap.aggregates.list(call, name);
    return aggregate;
  }

  #info(aggregate: Aggregate): PoolInfo {
    const { sizeBytes, freeBytes } = aggregate;
    if (sizeBytes === undefined || freeBytes === undefined) {
      throw this.#error(
        "protocol",
        "read pool",
        aggregate.name,
        "the array does not tell its space",
      );
    }
    return {
      name: aggregate.name,
      controller: aggregate.node,
      sizeBytes,
      freeBytes,
      bedId: bedOfName(aggregate.name),
    };
  }

  #error(kind: "protocol", operation: string, object: string, reason: string): DeviceError {
    return new DeviceError({ kind, device: this.#ontap.device, operation, object, reason });
  }
}
