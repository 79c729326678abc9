import type { DeviceCall } from "../call";
import { exactly } from "./naming";
import type { OntapClient } from "./ontap-client";
import { recoveryEntryShape } from "./wire";

/**
 * Deleted FlexVols stay for twelve hours under `<name>_<number>` and keep their space (ONTAP volume
 * recovery queue). REST reaches the queue only through the private CLI before 9.12.1.
 */
export class RecoveryQueue {
  readonly #client: OntapClient;

  constructor(client: OntapClient) {
    this.#client = client;
  }

  /** Names in the queue of one tenant, or of all as `<tenant>/<name>`. */
  async list(call: DeviceCall, svm?: string): Promise<readonly string[]> {
    const records = await this.#client.list(call, recoveryEntryShape, {
      path: "/private/cli/volume/recovery-queue",
      ...(svm === undefined ? {} : { query: { vserver: exactly(this.#client.device, [svm]) } }),
      operation: "read the volume recovery queue",
      object: svm,
    });
    return records.map((entry) =>
      svm === undefined ? `${entry.vserver}/${entry.volume}` : entry.volume,
    );
  }

  async purge(call: DeviceCall, svm: string, entry: string): Promise<void> {
    await this.#client.settle(
      call,
      {
        method: "POST",
        path: "/private/cli/volume/recovery-queue/purge",
        body: { vserver: svm, volume: entry },
        operation: "purge from the volume recovery queue",
        object: entry,
        jobMs: 300_000,
      },
      async () => !(await this.list(call, svm)).includes(entry),
    );
  }
}

/** Name that the volume of an entry had before it was deleted. Pure. */
export function volumeOfEntry(entry: string): string | undefined {
  return /^(.+)_\d+$/.exec(entry)?.[1];
}

/** Entries of a deleted volume: its name and a decimal number. `<name>_x` is somebody else's. Pure. */
export function entriesOf(queue: readonly string[], volumes: readonly string[]): readonly string[] {
  const names = new Set(volumes);
  return queue.filter((entry) => {
    const volume = volumeOfEntry(entry);
    return volume !== undefined && names.has(volume);
  });
}
