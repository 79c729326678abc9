import { DeviceError } from "../../../bed/errors";
import type { DeviceName } from "../../../bed/identities";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import { abortedError } from "../http-session";
import { Limiter } from "../limiter";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import { HostDirectory, type HostEntry } from "./host-directory";
import { hostConcurrency } from "./limits";
import type { HostLun } from "./storage-info";
import { StorageSystem, type StorageView } from "./storage-system";
import type { MoRef } from "./values";

export interface Located {
  readonly host: HostEntry;
  readonly system: MoRef;
}

/** The way to a host's storage: where it is, what it shows, and how many calls it takes at once. */
export class HostAccess {
  readonly directory: HostDirectory;
  readonly storage: StorageSystem;
  readonly #limiters = new Map<string, Limiter>();

  constructor(
    private readonly client: VimClient,
    private readonly clock: Clock,
  ) {
    this.directory = new HostDirectory(client);
    this.storage = new StorageSystem(client);
  }

  async view(
    call: DeviceCall,
    host: string,
    options: { readonly queueDepths: boolean },
  ): Promise<StorageView> {
    return this.viewOf(call, await this.locate(call, host, "read the storage of"), options);
  }

  viewOf(
    call: DeviceCall,
    at: Located,
    options: { readonly queueDepths: boolean },
  ): Promise<StorageView> {
    return this.on(call, at.host, () => this.storage.view(call, at.host, at.system, options));
  }

  /** @param operation what is about to be done, for the error: `rescan`, `detach devices on`. */
  async locate(call: DeviceCall, host: string, operation: string): Promise<Located> {
    const attempt = { operation: `${operation} host`, object: host };
    const entry = await this.directory.find(call, attempt, host);
    return { host: entry, system: await this.directory.storageSystem(call, attempt, host) };
  }

  /** Works on a host within its limit of calls at once. */
  async on<T>(call: DeviceCall, host: HostEntry, work: () => Promise<T>): Promise<T> {
    const limiter =
      this.#limiters.get(host.id) ?? new Limiter({ concurrency: hostConcurrency }, this.clock);
    this.#limiters.set(host.id, limiter);
    try {
      return await limiter.run(call.signal, work);
    } catch (error) {
      // A host that was removed and added again has new references: look them up next time.
      if (isFault(error, "ManagedObjectNotFound")) this.directory.forget();
      if (error instanceof DeviceError) throw error;
      const fields = { device: this.client.device, operation: "work on host", object: host.name };
      throw call.signal.aborted ? abortedError(fields, call.signal) : error;
    }
  }
}

/** What a host shows of some devices. */
export function lunsOf(view: StorageView, devices: readonly DeviceName[]): readonly HostLun[] {
  const wanted = new Set<string>(devices);
  return view.luns.filter((lun) => wanted.has(lun.device.name));
}

/** Lets all work end before it fails with the first error: nothing goes on behind the caller's back. */
export async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
