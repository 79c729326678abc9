import { rmSync } from "node:fs";
import { saveWorld } from "./snapshot";
import type { WorldState } from "./state";

const settleMs = 50;
const retryMs = 1_000;

/**
 * Keeps a world in its file: soon after each change, all changes of a moment at once. A disk that takes
 * nothing (full, read-only) must not end the lab: the file stays as it was, and it is tried again.
 */
export class WorldFile {
  #timer: NodeJS.Timeout | undefined;
  #failing = false;
  #closed = false;

  constructor(
    private readonly path: string,
    private readonly state: () => WorldState,
    private readonly log: (line: string) => void,
  ) {}

  /** To be called after each change. One after the end is not kept: the folder may be gone by then. */
  changed(): void {
    if (this.#closed) return;
    this.#later(settleMs);
  }

  /** Writes at once and for the last time. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#save();
  }

  #later(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (!this.#save() && !this.#closed) this.#later(retryMs);
    }, delayMs);
    this.#timer.unref();
  }

  /** @returns false when the file stays as it was. */
  #save(): boolean {
    try {
      saveWorld(this.path, this.state());
    } catch (error) {
      if (!this.#failing) {
        const reason = error instanceof Error ? error.message : String(error);
        this.log(
          `cannot save the lab's state in ${this.path}: ${reason}. The lab goes on and tries again; ` +
            "what has changed since is lost if it ends before",
        );
      }
      this.#failing = true;
      removeHalf(`${this.path}.new`);
      return false;
    }
    if (this.#failing) this.log(`the lab's state is saved in ${this.path} again`);
    this.#failing = false;
    return true;
  }
}

/** Half a file would only fill the disk further. */
function removeHalf(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What cannot be written may not be removable either.
  }
}
