import { DeviceError, isDeviceError } from "../../../bed/errors";
import { bedOfComment, withMark } from "../../../bed/mark";
import type { Scope } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import { allSettledOrThrow } from "./naming";
import type { DeletedVolume } from "./objects";
import { entriesOf } from "./recovery-queue";
import { readBack, settle } from "./settle";
import { refuseRemoval, type VolumeOnArray } from "./volume-decisions";

type Find = (
  call: DeviceCall,
  scope: Scope,
  names: readonly string[],
) => Promise<Map<string, VolumeOnArray>>;

/** Removal of volumes of the bed for good: deleted, and purged from the recovery queue. */
export class VolumeRemoval {
  readonly #ontap: OntapGateway;
  readonly #find: Find;

  constructor(ontap: OntapGateway, find: Find) {
    this.#ontap = ontap;
    this.#find = find;
  }

  async remove(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<void> {
    const forGood = this.#ontap.flexVols.removesForGood;
    // In the queue a volume has no comment. Where others have theirs too, its name carries the mark: so an
    // interrupted try is known again, and what another deleted under one of our names is left alone.
    const named = !forGood && !(await this.#isOurTenant(call, scope));
    const marked = names.map((name) => withMark(scope.bedId, name));
    const found = await this.#findOnline(
      call,
      scope,
      named ? unique([...names, ...marked]) : names,
    );
    await this.#refuseDependents(call, scope, [...found.values()]);
    await allSettledOrThrow(
      [...found].map(async ([name, volume]) => {
        const last = named ? await this.#rename(call, scope, name, volume) : name;
        await this.#deleteFlexVol(call, scope, last, volume);
      }),
    );
    if (!forGood) await this.#purge(call, scope, named ? marked : names);
    const left = await readBack(
      this.#ontap,
      call,
      () => this.#find(call, scope, named ? unique([...names, ...marked]) : names),
      (seen) => seen.size === 0,
    );
    if (left.size === 0) return;
    throw this.#error(
      "protocol",
      "remove volume",
      [...left.keys()].join(", "),
      "the array answered success, but a fresh read still shows it",
    );
  }

  /**
   * The volumes, which may go as far as they themselves tell. What lies in one that somebody took out of
   * service, and hangs on it, can only be seen once it is back.
   */
  async #findOnline(
    call: DeviceCall,
    scope: Scope,
    names: readonly string[],
  ): Promise<Map<string, VolumeOnArray>> {
    const found = await this.#find(call, scope, names);
    this.#refuse(scope, found);
    const away = [...found.values()].filter(
      ({ flexVol }) => (flexVol.state ?? "online") !== "online",
    );
    if (away.length === 0) return found;
    await allSettledOrThrow(
      away.map(({ flexVol }) =>
        settle(
          this.#ontap,
          call,
          () => this.#ontap.flexVols.bringOnline(call, flexVol),
          async () =>
            (await this.#find(call, scope, [flexVol.name])).get(flexVol.name)?.flexVol.state ===
            "online",
        ),
      ),
    );
    const again = await this.#find(call, scope, names);
    this.#refuse(scope, again);
    const still = [...again.values()].filter(
      ({ flexVol }) => (flexVol.state ?? "online") !== "online",
    );
    if (still.length === 0) return again;
    throw this.#error(
      "refused",
      "remove volume",
      still.map(({ flexVol }) => flexVol.name).join(", "),
      `it is ${still[0]?.flexVol.state ?? "offline"} and does not come online: what others have in it cannot be seen`,
      "Bring it online (volume online), or remove it yourself if nobody needs it.",
    );
  }

  #refuse(scope: Scope, found: ReadonlyMap<string, VolumeOnArray>): void {
    for (const [name, volume] of found) {
      const refusal = refuseRemoval(volume, scope.bedId);
      if (refusal === undefined) continue;
      throw this.#error("refused", "remove volume", name, refusal.reason, refusal.remedy);
    }
  }

  /** Beds make none of that: what there is belongs to somebody. */
  async #refuseDependents(
    call: DeviceCall,
    scope: Scope,
    volumes: readonly VolumeOnArray[],
  ): Promise<void> {
    if (volumes.length === 0) return;
    const dependents = await this.#ontap.flexVols.dependents(call, volumes);
    if (dependents.length === 0) return;
    throw this.#error(
      "refused",
      "remove volume",
      [...new Set(dependents.map((one) => one.volume))].join(", "),
      `others' data hangs on it: ${dependents.map((one) => `${one.what} of ${one.volume}`).join(", ")}`,
      `Remove that from SVM ${scope.target} first, if nobody needs it (clones can be split off, mirrors released).`,
    );
  }

  async #deleteFlexVol(
    call: DeviceCall,
    scope: Scope,
    name: string,
    volume: VolumeOnArray,
  ): Promise<void> {
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.flexVols.remove(call, { ...volume.flexVol, name }),
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
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.flexVols.rename(call, volume.flexVol, wanted),
      async () => (await this.#find(call, scope, [wanted])).has(wanted),
    );
    return wanted;
  }

  async #queueOf(call: DeviceCall, scope: Scope): Promise<readonly DeletedVolume[]> {
    try {
      return await this.#ontap.queue.list(call, scope.target);
    } catch (error) {
      // No such tenant: its queue went with it.
      if (isDeviceError(error, "notFound")) return [];
      throw error;
    }
  }

  async #purge(call: DeviceCall, scope: Scope, names: readonly string[]): Promise<void> {
    const deleted = await this.#queueOf(call, scope);
    const ours = new Set(
      entriesOf(
        deleted.map(({ entry }) => entry),
        names,
      ),
    );
    await allSettledOrThrow(
      deleted
        .filter(({ entry }) => ours.has(entry))
        .map((one) =>
          settle(
            this.#ontap,
            call,
            () => this.#ontap.queue.purge(call, one),
            async () =>
              !(await this.#queueOf(call, scope)).some(({ entry }) => entry === one.entry),
          ),
        ),
    );
  }

  async #isOurTenant(call: DeviceCall, scope: Scope): Promise<boolean> {
    const [svm] = await this.#ontap.svms.list(call, scope.target);
    return bedOfComment(svm?.comment) === scope.bedId;
  }

  #error(
    kind: "refused" | "protocol",
    operation: string,
    object: string,
    reason: string,
    remedy?: string,
  ): DeviceError {
    const device = this.#ontap.device;
    return new DeviceError({ kind, device, operation, object, reason, remedy });
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
