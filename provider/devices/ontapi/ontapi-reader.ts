import { z } from "zod";
import { XmlElement } from "../xml";

/** Reads one element; every missing or malformed part is an issue with its path. */
export function element<T>(read: (from: Reader) => T): z.ZodType<T> {
  return z.instanceof(XmlElement).transform((one, context) => {
    const value = read(
      new Reader(one, (path, message) => {
        context.addIssue({ code: "custom", path: [path], message });
      }),
    );
    return value;
  });
}

class Reader {
  readonly #element: XmlElement;
  readonly #report: (path: string, message: string) => void;

  constructor(element: XmlElement, report: (path: string, message: string) => void) {
    this.#element = element;
    this.#report = report;
  }

  /** Undefined when it is missing or empty: ONTAPI writes unset texts both ways. */
  maybe(path: string): string | undefined {
    const text = this.#element.string(path)?.trim();
    return text === "" ? undefined : text;
  }

  text(path: string): string {
    const text = this.maybe(path);
    if (text === undefined) this.#report(path, "it is missing");
    return text ?? "";
  }

  /** As it was sent: in serial numbers and comments every character counts. */
  exact(path: string): string {
    const text = this.#element.string(path);
    if (text === undefined || text === "") this.#report(path, "it is missing");
    return text ?? "";
  }

  maybeBytes(path: string): bigint | undefined {
    const text = this.maybe(path);
    if (text === undefined) return undefined;
    if (/^\d+$/.test(text)) return BigInt(text);
    this.#report(path, `"${text}" is no number`);
    return undefined;
  }

  bytes(path: string): bigint {
    const value = this.maybeBytes(path);
    if (value === undefined && this.maybe(path) === undefined) this.#report(path, "it is missing");
    return value ?? 0n;
  }

  maybeNumber(path: string): number | undefined {
    const value = this.maybeBytes(path);
    return value === undefined ? undefined : Number(value);
  }

  number(path: string): number {
    return Number(this.bytes(path));
  }

  flag(path: string): boolean | undefined {
    const text = this.maybe(path);
    return text === undefined ? undefined : text === "true";
  }

  /** Texts of the elements of one name in a list. */
  texts(listPath: string, name: string): readonly string[] {
    return (this.#element.find(listPath)?.all(name) ?? []).map((one) => one.text.trim());
  }

  elements(listPath: string, name: string): readonly XmlElement[] {
    return this.#element.find(listPath)?.all(name) ?? [];
  }
}
