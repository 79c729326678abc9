import { switchTime } from "./time";

const keep = 1_000;

/** The switch's system messages (`show logging`), newest last. Lost with the process, as on a reload. */
export class SwitchLog {
  readonly #lines: string[] = [];

  constructor(
    private readonly host: () => string,
    private readonly now: () => number,
  ) {}

  /** `tag` as the switch prints it: `PORT-5-IF_DOWN_LINK_FAILURE`. */
  add(tag: string, text: string): void {
    this.#lines.push(`${switchTime(this.now()).log} ${this.host()} %${tag}: ${text}`);
    if (this.#lines.length > keep) this.#lines.shift();
  }

  last(count: number): readonly string[] {
    return count === 0 ? [] : this.#lines.slice(-count);
  }

  clear(): void {
    this.#lines.length = 0;
  }
}
