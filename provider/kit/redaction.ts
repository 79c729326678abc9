/** Replaces secrets in texts that people or logs will see. */
export class Redactor {
  private readonly secrets = new Set<string>();

  /** Texts shorter than four characters are left alone: they would blank out half of every message. */
  add(texts: readonly string[]): void {
    for (const text of texts) {
      if (text.length < 4) continue;
      this.secrets.add(text);
      // A PEM or JSON secret often comes back escaped, or by the line.
      this.secrets.add(JSON.stringify(text).slice(1, -1));
      for (const line of text.split(/\r?\n/)) if (line.length >= 16) this.secrets.add(line);
    }
  }

  clean(text: string): string {
    let result = text;
    const longestFirst = [...this.secrets].sort((a, b) => b.length - a.length);
    for (const secret of longestFirst) result = result.replaceAll(secret, "[secret]");
    return result;
  }
}
