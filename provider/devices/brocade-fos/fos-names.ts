import { isDeviceError } from "../../../bed/errors";

/** FOS before 8.2.1b calls the containers `zoning` and `switch`, later ones `brocade-...`. */
export class FosNames {
  #old = false;

  get areOld(): boolean {
    return this.#old;
  }

  zoning(part: string, old = this.#old): string {
    return `/rest/running/${old ? "zoning" : "brocade-zone"}/${part}`;
  }

  switch(part: string, old = this.#old): string {
    return `/rest/running/${old ? "switch" : "brocade-fibrechannel-switch"}/${part}`;
  }

  /** Tries the new names, then those of FOS 8.2.0 to 8.2.1a, and keeps what answered. */
  async withFallback<T>(read: (old: boolean) => Promise<T>): Promise<T> {
    try {
      return await read(this.#old);
    } catch (error) {
      if (this.#old || !isDeviceError(error, "unsupported")) throw error;
      const answer = await read(true).catch(() => {
        throw error;
      });
      this.#old = true;
      return answer;
    }
  }
}
