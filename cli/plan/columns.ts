export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => string;
  /** Figures stand to the right. */
  readonly right?: boolean;
}

/** Rows as lines with aligned columns, a head line first; columns without any content are left out. */
export function columns<Row>(rows: readonly Row[], all: readonly Column<Row>[]): string[] {
  const filled = all
    .map((column) => ({ ...column, cells: rows.map(column.cell) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const widths = filled.map(({ head, cells }) =>
    cells.reduce((width, cell) => Math.max(width, cell.length), head.length),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return filled[index]?.right === true ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  return [
    line(filled.map(({ head }) => head)),
    ...rows.map((_, row) => line(filled.map(({ cells }) => cells[row] ?? ""))),
  ];
}

/** A text in lines of at most `width` characters, broken between words; longer words stay whole. */
export function wrapped(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(`${indent}${line}`);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, `${indent}${line}`];
}

/** `01-16`, `10-41`, `01 05 09`: runs of neighbours as a range. The texts are numbers of one width. */
export function ranges(keys: readonly string[]): string {
  const found: { first: string; last: string }[] = [];
  for (const key of keys) {
    const run = found.at(-1);
    if (run !== undefined && Number(run.last) + 1 === Number(key)) run.last = key;
    else found.push({ first: key, last: key });
  }
  return found.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(" ");
}
