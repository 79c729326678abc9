/** All output of the command goes through here: plain lines, with the time since the start. */
export interface Terminal {
  line(text: string): void;
  /** A line with the elapsed time in front. */
  step(text: string): void;
  heading(text: string): void;
}

export function createTerminal(
  write: (text: string) => void,
  now: () => number = Date.now,
): Terminal {
  const started = now();
  return {
    line: (text) => {
      write(`${text}\n`);
    },
    step: (text) => {
      write(`${((now() - started) / 1000).toFixed(1).padStart(7)}s  ${text}\n`);
    },
    heading: (text) => {
      write(`\n== ${text}\n`);
    },
  };
}

/** Lines up columns; the first row is the head. Numbers stay as they are given. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
}
