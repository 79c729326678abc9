/**
 * The only place that quotes for a POSIX shell. Every remote command line and every generated script
 * goes through here; nothing else splices text into a shell.
 */

/**
 * One word of a POSIX shell (POSIX.1-2017, Shell Command Language 2.2.2: within single quotes every
 * character but the single quote stands for itself).
 * @throws {RangeError} on NUL, which no argument of a program can hold.
 */
export function quoteWord(word: string): string {
  if (word.includes("\0")) throw new RangeError("a program's argument cannot hold a NUL character");
  return /^[A-Za-z0-9_\-+:,./@%]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A command line that runs exactly this argument vector. */
export function quoteArgv(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}
