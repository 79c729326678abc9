import { DeviceError } from "../../../bed/errors";
import { bedOfName, withMark } from "../../../bed/mark";
import type { PoolBuilder, PoolInfo, Scope } from "../block-array";
import type { DeviceCall } from "../call";
import { exactly } from "./naming";
import type { OntapClient } from "./ontap-client";
import { aggregateShape, type WireAggregate } from "./wire";

const aggregateJobMs = 1_800_000;
const fields = "uuid,name,state,node.name,space.block_storage.size,space.block_storage.available";

/** Pools on ONTAP: aggregates. They have no comment, so the name carries the mark. */
export class OntapPools {
  readonly #client: OntapClient;

  constructor(client: OntapClient) {
    this.#client = client;
  }

  async list(call: DeviceCall): Promise<readonly PoolInfo[]> {
    const aggregates = await this.#client.list(call, aggregateShape, {
      path: "/storage/aggregates",
      query: { fields },
      operation: "list pools",
    });
    return aggregates.map((aggregate) => this.#info(aggregate));
  }

  async ensure(
    call: DeviceCall,
    scope: Scope,
    spec: Parameters<PoolBuilder["ensurePool"]>[2],
  ): Promise<PoolInfo> {
    const name = withMark(scope.bedId, spec.name);
    const found = await this.#find(call, name);
    if (found !== undefined) return this.#info(found);
    await this.#client.settle(
      call,
      {
        method: "POST",
        path: "/storage/aggregates",
        body: {
          name,
          node: { name: spec.controller },
          block_storage: { primary: { disk_count: spec.driveCount, raid_type: spec.raid } },
        },
        operation: "create pool",
        object: name,
        jobMs: aggregateJobMs,
      },
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
    await this.#client.settle(
      call,
      {
        method: "DELETE",
        path: `/storage/aggregates/${found.uuid}`,
        operation: "remove pool",
        object: name,
        jobMs: aggregateJobMs,
      },
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

  async #find(call: DeviceCall, name: string): Promise<WireAggregate | undefined> {
    const [aggregate] = await this.#client.list(call, aggregateShape, {
      path: "/storage/aggregates",
      query: { name: exactly(this.#client.device, [name]), fields },
      operation: "read pool",
      object: name,
    });
    return aggregate;
  }

  #info(aggregate: WireAggregate): PoolInfo {
    const space = aggregate.space?.block_storage;
    if (space === undefined) {
      throw this.#error(
        "protocol",
        "read pool",
        aggregate.name,
        "the array does not tell its space",
      );
    }
    return {
      name: aggregate.name,
      controller: aggregate.node?.name,
      sizeBytes: space.size,
      freeBytes: space.available,
      bedId: bedOfName(aggregate.name),
    };
  }

  #error(kind: "protocol", operation: string, object: string, reason: string): DeviceError {
    return new DeviceError({ kind, device: this.#client.device, operation, object, reason });
  }
}
