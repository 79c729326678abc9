/** Releases of SQL Server that guests can be set up with, and what differs between their setups. */
export interface SqlServerRelease {
  /** Year in the product's name. */
  readonly year: SqlServerYear;
  /** Major version, which names the instance's key in the registry: `MSSQL12.MSSQLSERVER`. */
  readonly major: number;
  /** Trace flags at every start, each with its reason. */
  readonly traceFlags: readonly { readonly flag: number; readonly reason: string }[];
  /** Settings of the setup that this release knows, beyond those that all know. */
  readonly setup: ReadonlySet<SetupAddition>;
}

export const sqlServerYears = ["2014", "2016", "2017", "2019", "2022"] as const;
export type SqlServerYear = (typeof sqlServerYears)[number];

/**
 * Parameters that came with a release (Microsoft, "Install SQL Server from the Command Prompt"):
 * tempdb files and instant file initialization with 2016, the privacy statement with 2017, memory with
 * 2019, Software Assurance with 2022.
 */
type SetupAddition = "tempdb" | "instantFiles" | "privacy" | "memory" | "assurance";

const quiet = { flag: 3226, reason: "no message in the error log for each log backup" };
/** From 2016 on tempdb behaves so by itself (Microsoft, DBCC TRACEON, flags 1117 and 1118). */
const tempdb2014 = [
  { flag: 1117, reason: "files of a filegroup grow together" },
  { flag: 1118, reason: "no mixed extents: less contention in tempdb" },
];

/**
 * The reviews ran 2014; trace flags are not stated there. The choice: those that Microsoft recommends
 * for tempdb of 2014, and a quiet log. None changes durability.
 */
export const sqlServerReleases: Readonly<Record<SqlServerYear, SqlServerRelease>> = {
  "2014": release("2014", 12, [...tempdb2014, quiet]),
  "2016": release("2016", 13, [quiet], "tempdb", "instantFiles"),
  "2017": release("2017", 14, [quiet], "tempdb", "instantFiles", "privacy"),
  "2019": release("2019", 15, [quiet], "tempdb", "instantFiles", "privacy", "memory"),
  "2022": release("2022", 16, [quiet], "tempdb", "instantFiles", "privacy", "memory", "assurance"),
};

function release(
  year: SqlServerYear,
  major: number,
  traceFlags: SqlServerRelease["traceFlags"],
  ...setup: SetupAddition[]
): SqlServerRelease {
  return { year, major, traceFlags, setup: new Set(setup) };
}

/** The release that a bed's words name: `Microsoft SQL Server 2014` is 2014, also without a name. */
export function sqlServerYear(software: string | undefined): SqlServerYear {
  return sqlServerYears.find((year) => software?.includes(year)) ?? "2014";
}
