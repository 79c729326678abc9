import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import type { OntapLine } from "./line";
import { readCluster, type ClusterContent } from "./ontap-inventory";

interface Picture {
  readonly content: Promise<ClusterContent>;
  readonly writes: number;
  readonly takenAt: number;
}

/** A picture of the whole cluster that is older than this is taken anew. */
const freshMs = 30_000;

/**
 * Pictures of the whole cluster. One call of the engine that asks several times (the certificate looks for
 * what carries the mark, sweeps it and compares) gets the same one, as long as nothing was written to the
 * cluster since: then another would show the same, for a dozen requests more.
 */
export class ClusterPictures {
  readonly #line: Pick<OntapLine, "writes" | "clock">;
  readonly #pictures = new WeakMap<AbortSignal, Picture>();

  constructor(line: Pick<OntapLine, "writes" | "clock">) {
    this.#line = line;
  }

  async take(ontap: OntapGateway, call: DeviceCall): Promise<ClusterContent> {
    const { clock, writes } = this.#line;
    const known = this.#pictures.get(call.signal);
    if (known?.writes === writes && clock.now() - known.takenAt < freshMs) {
      return await known.content;
    }
    const content = readCluster(ontap, call);
    this.#pictures.set(call.signal, { content, writes, takenAt: clock.now() });
    try {
      return await content;
    } catch (error) {
      this.#pictures.delete(call.signal);
      throw error;
    }
  }
}
