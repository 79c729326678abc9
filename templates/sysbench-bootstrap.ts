import { quoteWord } from "../bed/shell-words";
import { renderTemplate } from "./render";

/** What the bootstrap of a Sysbench guest needs to know. Holds no secret. */
export interface SysbenchBootstrapArgs {
  readonly bedId: string;
  /** Address that the database server listens on besides its socket. */
  readonly address: string;
  readonly databasePort: number;
  readonly bufferPoolBytes: bigint;
  readonly tables: number;
  /** Threads of the load: they set the server's limits. */
  readonly threads: number;
  /** Disk under test as the guest names it, `/dev/sdb`. */
  readonly testDisk: string;
}

const mountPoint = "/srv/sanbed";
const mebibyte = 1024n ** 2n;

/** What a guest without systemd and block devices needs instead of a disk (levels B and C of the lab). */
export interface PlainPlace {
  /** Root folder of the guest; empty where that is `/`. */
  readonly root: string;
  /** Folder that stands for the disk under test. */
  readonly folder: string;
  /** Serve clients by the socket alone: then root's account has no password. */
  readonly socketOnly: boolean;
}

/**
 * Shell script (POSIX sh, to be run as root) that makes a guest fit for Sysbench. It may be run again;
 * it refuses a disk that holds anything but the bed's own file system, and prints one line.
 */
export function sysbenchBootstrap(args: SysbenchBootstrapArgs): string {
  const common = {
    bedId: args.bedId,
    dataDir: `${mountPoint}/data`,
    socket: databaseSocket(""),
    bufferPoolBytes: args.bufferPoolBytes,
  };
  const config = renderTemplate("guests/mariadb.cnf", { ...common, ...limits(args) }, oneLine);
  const script = { ...common, disk: args.testDisk, mountPoint, config };
  return renderTemplate("guests/bootstrap-sysbench.sh", script, quoteWord);
}

/** Socket of a guest's database server; `root` as in {@link PlainPlace}. */
export function databaseSocket(root: string): string {
  return `${root}/run/mysqld/mysqld.sock`;
}

/**
 * As {@link sysbenchBootstrap}, for a guest without systemd and block devices. It refuses a folder that
 * holds anything but the bed's own files.
 */
export function plainSysbenchBootstrap(
  args: Omit<SysbenchBootstrapArgs, "testDisk">,
  place: PlainPlace,
): string {
  const common = {
    bedId: args.bedId,
    dataDir: `${place.folder}/data`,
    socket: databaseSocket(place.root),
    bufferPoolBytes: args.bufferPoolBytes,
  };
  const settings = renderTemplate("guests/mariadb.cnf", { ...common, ...limits(args) }, oneLine);
  const log = `log-error = ${oneLine(`${common.dataDir}/error.log`)}\n`;
  const config = `${settings}${log}${place.socketOnly ? "skip-networking\n" : ""}`;
  const configFile = `${place.root}/etc/sanbed/mariadb.cnf`;
  const start = renderTemplate("guests/rc-local-mariadb.sh", { ...common, configFile }, quoteWord);
  const script = { ...common, ...place, config, configFile, start };
  return renderTemplate("guests/bootstrap-sysbench-plain.sh", script, quoteWord);
}

/** Server limits that follow from the load; docs/workloads/sysbench.md has the arithmetic. */
function limits(args: Omit<SysbenchBootstrapArgs, "testDisk">) {
  const maxConnections = args.threads + 32;
  const tableOpenCache = args.tables * args.threads + 400;
  return {
    address: args.address,
    port: args.databasePort,
    // A sixth of the pool, so that checkpoints do not set the pace: 4 GiB for the reviews' 24 GB.
    logFileBytes: between(args.bufferPoolBytes / 6n, 48n * mebibyte, 4096n * mebibyte),
    maxPreparedStatements: Math.max(100_000, (9 * args.tables + 2) * args.threads + 1000),
    maxConnections,
    tableOpenCache,
    tableDefinitionCache: args.tables + 400,
    openFilesLimit: maxConnections + 2 * tableOpenCache + 10,
  };
}

function between(value: bigint, low: bigint, high: bigint): bigint {
  return value < low ? low : value > high ? high : value - (value % mebibyte);
}

/** A value in an option file ends with its line. */
function oneLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new RangeError("a setting of MariaDB cannot hold a line break");
  return value;
}
