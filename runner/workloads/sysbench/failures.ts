/** A failure that sysbench reported, with the database server's own error number where it has one. */
export interface SysbenchFailure {
  /** MySQL/MariaDB error number, for instance 2013. */
  readonly code: number | undefined;
  readonly text: string;
  /** How often the same line came. */
  readonly count: number;
}

/**
 * Reads one line of a failed run.
 * FATAL: mysql_stmt_execute() returned error 2013 (Lost connection to server during query) for query 'BEGIN'
 * FATAL: MySQL error: 1146 "Table 'sbtest.sbtest5' doesn't exist"
 * FATAL: error 1045: Access denied for user 'sbtest'@'localhost' (using password: YES)
 * FATAL: Thread initialization failed!
 * invalid option: --warmup-time=3
 */
export function readFailure(line: string): SysbenchFailure | undefined {
  if (line.startsWith("invalid option:")) return { code: undefined, text: line, count: 1 };
  if (!line.startsWith("FATAL:")) return undefined;
  const text = line.slice("FATAL:".length).trim();
  const returned = /returned error (\d+) \((.*?)\)(?: for query|$)/.exec(text);
  if (returned !== null) return coded(returned[1], returned[2]);
  const server = /^MySQL error: (\d+) "(.*?)"?$/.exec(text) ?? /^error (\d+): (.*)$/.exec(text);
  if (server !== null) return coded(server[1], server[2]);
  const lua = /errno = (\d+), state = '[^']*': (.*)$/.exec(text);
  if (lua !== null) return coded(lua[1], lua[2]);
  return { code: undefined, text, count: 1 };
}

function coded(code: string | undefined, text: string | undefined): SysbenchFailure {
  return { code: Number(code), text: text ?? "", count: 1 };
}

/** What an error number means for a run, and what to do. Numbers: MariaDB "Error Codes". */
const meanings: Readonly<Record<number, string>> = {
  1045: "the password or user is refused; the data set's connection file does not fit the server",
  1050: "the tables exist already; drop the data set first",
  1114: "the disk of the database is full",
  1146: "a table is missing; the data set has fewer tables than the case asks for",
  1461: "the server allows too few prepared statements; raise max_prepared_stmt_count",
  2002: "the database server does not listen on its socket; it is not running",
  2003: "the database server cannot be reached; it is not running",
  2006: "the database server went away during the run",
  2013: "the connection to the database server was lost during a query; it was killed or crashed",
};

/** One sentence for a person: `error 2013 (Lost connection ...): the connection ...`. */
export function explainFailure(failure: SysbenchFailure): string {
  if (failure.code === undefined) return failure.text;
  const meaning = meanings[failure.code];
  const named = `error ${failure.code.toString()} (${failure.text})`;
  return meaning === undefined ? named : `${named}: ${meaning}`;
}

/** The failure that tells most: the server's own errors before sysbench's general ones. */
export function mainFailure(failures: readonly SysbenchFailure[]): SysbenchFailure | undefined {
  const known = failures.find((f) => f.code !== undefined && f.code in meanings);
  return known ?? failures.find((f) => f.code !== undefined) ?? failures[0];
}
