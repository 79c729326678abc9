import { quoteIni, quotePowerShell } from "../bed/answer-words";
import { sqlServerReleases, type SqlServerYear } from "../bed/sqlserver-release";
import { renderTemplate } from "./render";

/** What the bootstrap of a SQL Server guest needs to know. Holds no secret. */
export interface SqlServerBootstrapArgs {
  readonly bedId: string;
  readonly year: SqlServerYear;
  /** UUID of the data disk's VMDK, in small letters without dashes. */
  readonly diskUuid: string;
  /** Smallest size that the data disk must have. */
  readonly diskBytes: bigint;
  /** Memory that the server may take. */
  readonly maxMemoryBytes: bigint;
  /** Virtual CPUs: tempdb gets a file for each, eight at most (Microsoft's advice). */
  readonly vcpus: number;
}

/** D: is the optical drive of most templates. */
const letter = "E";
/** TCP port of a default instance. */
export const sqlServerPort = 1433;
/** Where the template holds the setup, unpacked, and files that only administrators can read. */
const sqlServerMedia = "C:\\sanbed\\sqlserver";
const windowsSecrets = "C:\\sanbed\\secrets";

const folders = {
  root: `${letter}:\\sql`,
  data: `${letter}:\\sql\\data`,
  logFolder: `${letter}:\\sql\\log`,
  tempdb: `${letter}:\\sql\\tempdb`,
};

/** ConfigurationFile.ini for `setup.exe`. Passwords and the product key are no part of it. */
export function sqlServerConfiguration(args: SqlServerBootstrapArgs): string {
  const { setup } = sqlServerReleases[args.year];
  return renderTemplate(
    "guests/sqlserver-configuration.ini",
    {
      ...folders,
      bedId: args.bedId,
      privacy: setup.has("privacy"),
      instantFiles: setup.has("instantFiles"),
      tempdbFiles: setup.has("tempdb"),
      tempdbFileCount: Math.min(8, args.vcpus),
      memory: setup.has("memory"),
      maxMemoryMib: mebibytes(args.maxMemoryBytes),
      assurance: setup.has("assurance"),
    },
    quoteIni,
  );
}

/**
 * PowerShell script that makes a Windows guest fit for a run on SQL Server. It may be run again; it
 * refuses a disk that holds anything but the bed's own volume, and prints one line.
 */
export function sqlServerBootstrap(args: SqlServerBootstrapArgs): string {
  const { major, traceFlags } = sqlServerReleases[args.year];
  return renderTemplate(
    "guests/bootstrap-sqlserver.ps1",
    {
      bedId: args.bedId,
      diskUuid: args.diskUuid,
      diskBytes: args.diskBytes,
      letter,
      label: `sanbed${args.bedId}`,
      folders: Object.values(folders),
      configuration: sqlServerConfiguration(args),
      media: sqlServerMedia,
      secrets: windowsSecrets,
      registry: `HKLM:\\SOFTWARE\\Microsoft\\Microsoft SQL Server\\MSSQL${major.toString()}.MSSQLSERVER\\MSSQLServer`,
      maxMemoryMib: mebibytes(args.maxMemoryBytes),
      traceFlags: traceFlags.map(({ flag }) => flag),
      port: sqlServerPort,
    },
    quotePowerShell,
  );
}

/** SQL Server counts memory in MiB, and calls it MB. */
function mebibytes(bytes: bigint): bigint {
  return bytes / 1024n ** 2n;
}
