import { DeviceError, isDeviceError } from "../../../bed/errors";
import { bedOfComment, withMark } from "../../../bed/mark";
import type { Scope } from "../block-array";
import type { DeviceCall } from "../call";
import { allSettledOrThrow, exactly } from "./naming";
import type { OntapClient } from "./ontap-client";
import { entriesOf, RecoveryQueue } from "./recovery-queue";
import { refuseRemoval, type VolumeOnArray } from "./volume-decisions";
import { svmShape } from "./wire";

export const volumeJobMs = 300_000;

type Find = (
  call: DeviceCall,
  scope: Scope,
  names: readonly string[],
) => Promise<Map<string, VolumeOnArray>>;

/** Removal of volumes of the bed for good: deleted, and purged from the recovery queue. */
export class VolumeRemoval {
  readonly #client: OntapClient;
  readonly #queue: RecoveryQueue;
  readonly #find: Find;

  constructor(client: OntapClient, find: Find) {
    this.#client = client;
    this.#queue = new RecoveryQueue(client);
    this.#find = find;
  }

  async remove(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<void> {
    const forced = await this.#client.has(call, "forcedVolumeDelete");
    // In the queue a volume has no comment. Where others have theirs too, its name carries the mark: so an
    // interrupted try is known again, and what another deleted under one of our names is left alone.
    const named = !forced && !(await this.#isOurTenant(call, scope));
    const marked = names.map((name) => withMark(scope.bedId, name));
    const found = await this.#find(call, scope, named ? unique([...names, ...marked]) : names);
    for (const [name, volume] of found) {
      const refusal = refuseRemoval(volume, scope.bedId);
      if (refusal === undefined) continue;
      throw this.#error("refused", "remove volume", name, refusal.reason, refusal.remedy);
    }
    await allSettledOrThrow(
      [...found].map(async ([name, volume]) => {
        const last = named ? await this.#rename(call, scope, name, volume) : name;
        await this.#deleteFlexVol(call, scope, last, volume, forced);
      }),
    );
    if (!forced) await this.#purge(call, scope, named ? marked : names);
    const left = await this.#find(call, scope, named ? unique([...names, ...marked]) : names);
    if (left.size === 0) return;
    throw this.#error(
      "protocol",
      "remove volume",
      [...left.keys()].join(", "),
      "the array answered success, but a fresh read still shows it",
    );
  }

  async #deleteFlexVol(
    call: DeviceCall,
    scope: Scope,
    name: string,
    volume: VolumeOnArray,
    forced: boolean,
  ): Promise<void> {
    await this.#client.settle(
      call,
      {
        method: "DELETE",
        path: `/storage/volumes/${volume.flexVol.uuid}`,
        ...(forced ? { query: { force: "true" } } : {}),
        operation: "remove volume",
        object: name,
        jobMs: volumeJobMs,
      },
      async () => !(await this.#find(call, scope, [name])).has(name),
    );
  }

  /** Gives a volume that is about to be deleted a name with the mark. Answers that name. */
  async #rename(
    call: DeviceCall,
    scope: Scope,
    name: string,
    volume: VolumeOnArray,
  ): Promise<string> {
    const wanted = withMark(scope.bedId, name);
    if (wanted === name) return name;
    await this.#client.settle(
      call,
      {
        method: "PATCH",
        path: `/storage/volumes/${volume.flexVol.uuid}`,
        body: { name: wanted },
        operation: "mark for removal volume",
        object: name,
        jobMs: volumeJobMs,
      },
      async () => (await this.#find(call, scope, [wanted])).has(wanted),
    );
    return wanted;
  }

  async #queueOf(call: DeviceCall, scope: Scope): Promise<readonly string[]> {
    try {
      return await this.#queue.list(call, scope.target);
    } catch (error) {
      // No such tenant: its queue went with it.
      if (isDeviceError(error, "notFound")) return [];
      throw error;
    }
  }

  async #purge(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<void> {
    const entries = entriesOf(await this.#queueOf(call, scope), names);
    await allSettledOrThrow(entries.map((entry) => this.#queue.purge(call, scope.target, entry)));
  }

  async #isOurTenant(call: DeviceCall, scope: Scope): Promise<boolean> {
    const [svm] = await this.#client.list(call, svmShape, {
      path: "/svm/svms",
      query: { name: exactly(this.#client.device, [scope.target]), fields: "uuid,name,comment" },
      operation: "read tenant",
      object: scope.target,
    });
    return bedOfComment(svm?.comment) === scope.bedId;
  }

  #error(
    kind: "refused" | "protocol",
    operation: string,
    object: string,
    reason: string,
    remedy?: string,
  ): DeviceError {
    const device = this.#client.device;
    return new DeviceError({ kind, device, operation, object, reason, remedy });
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
