import { Decide, type Draft } from "./draft";

/** What the file that discovery began with decides already. */
export class Decided {
  readonly #given: unknown;

  constructor(given: unknown) {
    this.#given = given;
  }

  /** The value at a place; undefined when the file says nothing there. */
  at(...path: readonly string[]): unknown {
    return path.reduce<unknown>(
      (value, key) =>
        typeof value === "object" && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      this.#given,
    );
  }

  /** The value as it was decided, or the question. */
  or(path: readonly string[], question: string, options: readonly string[] = []): Draft {
    const value = this.at(...path);
    return value === undefined || value === null ? new Decide(question, options) : (value as Draft);
  }

  /** Entries of a list in the file; undefined when there is no such list. */
  entries(...path: readonly string[]): readonly Readonly<Record<string, unknown>>[] | undefined {
    const value = this.at(...path);
    if (!Array.isArray(value)) return undefined;
    return value.filter(
      (one): one is Record<string, unknown> => typeof one === "object" && one !== null,
    );
  }
}
