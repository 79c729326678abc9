import { createHash } from "node:crypto";
import { GuestError } from "../../../bed/errors";
import type { BedId } from "../../../bed/identities";
import type { RunContext } from "../../case-order";
import { GuestJobs, type Workplace } from "../../jobs/guest-jobs";
import { prepareArgv } from "./command";
import { explainFailure, mainFailure } from "./failures";
import { parseSysbench } from "./parse";
import { databaseName, globalVariables, sql } from "./server";

export interface DatasetSpec {
  readonly tables: number;
  readonly rows: number;
  /** Connections that load at the same time. */
  readonly loadThreads: number;
  /** Buffer pool that the server must have. */
  readonly bufferPoolBytes: bigint;
  readonly socket: string;
}

export interface DatasetResult {
  /** Stands for parameters, server settings that shape the data, and verified row counts. */
  readonly fingerprint: string;
  /** A data set with the same fingerprint was there and has been verified again. */
  readonly reused: boolean;
  /** Tables and indexes as the server counts them. */
  readonly dataBytes: bigint;
  readonly server: string;
}

/** Settings that shape what lies on disk. */
const shapingVariables = [
  "version",
  "innodb_page_size",
  "innodb_file_per_table",
  "innodb_default_row_format",
  "innodb_checksum_algorithm",
  "character_set_server",
  "collation_server",
];
/** A full-size load takes hours; this ends only what hangs. */
const loadLimitSeconds = 24 * 3600;

/**
 * Makes sure that the guest's database holds the tables of the case: reuses what is there when it
 * is whole, else drops it and loads anew, as a detached job that a lost connection does not harm.
 * `began` hears the fingerprint before anything is written.
 * @throws {GuestError} with the server's own reason when loading fails.
 */
export async function ensureDataset(
  context: RunContext,
  place: Workplace,
  bedId: BedId,
  spec: DatasetSpec,
  began: (fingerprint: string) => void = () => undefined,
): Promise<DatasetResult> {
  const { call } = context;
  const jobs = new GuestJobs(place, bedId);
  const variables = await globalVariables(place.shell, call, spec.socket);
  checkBufferPool(place.shell.guest, spec, variables);
  const fingerprint = fingerprintOf(spec, variables);
  began(fingerprint);
  const done = { fingerprint, server: variables["version"] ?? "unknown" };
  const jobId = `dataset-${fingerprint.slice(0, 12)}`;
  await makeUser(context, place, jobs, spec);
  const { state } = await jobs.look(call, jobId);
  if (state.kind === "absent" && (await recorded(context, place, jobs)) === fingerprint) {
    call.status?.("verifying the data set that is there");
    const reused = (await countProblems(context, place, bedId, spec)).length === 0;
    if (reused) return { ...done, reused, dataBytes: await sizeOf(context, place, bedId, spec) };
  }
  // A load that ended while nobody watched is as good as one that is watched now.
  const ended = state.kind === "exited" && state.exitCode === 0;
  const whole = ended && (await countProblems(context, place, bedId, spec)).length === 0;
  if (state.kind !== "running" && !whole) {
    await startLoad(context, place, jobs, bedId, jobId, spec);
  }
  await watchLoad(context, place, jobs, jobId, spec);
  call.status?.("verifying row counts");
  const problems = await countProblems(context, place, bedId, spec);
  if (problems.length > 0) {
    throw new GuestError(place.shell.guest, "load the data set", problems.join("; "));
  }
  const record = { fingerprint, tables: spec.tables, rows: spec.rows, server: done.server };
  const path = `${jobs.folder}/dataset.json`;
  await place.shell.writeFile(call, path, JSON.stringify(record, null, 2));
  await jobs.remove(call, jobId);
  return { ...done, reused: false, dataBytes: await sizeOf(context, place, bedId, spec) };
}

/** Drops database and user of the bed. Absent is done. */
export async function dropDataset(
  { call }: RunContext,
  place: Workplace,
  bedId: BedId,
  socket: string,
): Promise<void> {
  const jobs = new GuestJobs(place, bedId);
  const name = databaseName(bedId);
  await sql(
    place.shell,
    call,
    socket,
    `DROP DATABASE IF EXISTS \`${name}\`;\nDROP USER IF EXISTS '${name}'@'localhost';\n`,
  );
  const files = [`${jobs.folder}/dataset.json`, `${jobs.folder}/sysbench.cnf`];
  await place.shell.exec(call, ["rm", "-f", "--", ...files]);
}

/** The server rounds its buffer pool up to whole chunks. */
function checkBufferPool(
  guest: string,
  spec: DatasetSpec,
  variables: Readonly<Record<string, string>>,
): void {
  const has = BigInt(variables["innodb_buffer_pool_size"] ?? "0");
  const chunk = BigInt(variables["innodb_buffer_pool_chunk_size"] ?? "0");
  if (has >= spec.bufferPoolBytes && has <= spec.bufferPoolBytes + chunk) return;
  throw new GuestError(
    guest,
    "use the database server",
    `its buffer pool is ${has.toString()} bytes, declared are ${spec.bufferPoolBytes.toString()}`,
    "Run the guest's bootstrap again.",
  );
}

function fingerprintOf(spec: DatasetSpec, variables: Readonly<Record<string, string>>): string {
  const shape = shapingVariables.map((name) => [name, variables[name] ?? ""]);
  const parts = { format: 1, tables: spec.tables, rows: spec.rows, shape };
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * User and password of the bed's database. The password is made on the guest and stays there, in an
 * option file that only root can read; it travels to the server on standard input.
 */
async function makeUser(
  { call }: RunContext,
  { shell }: Workplace,
  jobs: GuestJobs,
  spec: DatasetSpec,
): Promise<void> {
  const name = jobs.folder.slice(jobs.folder.lastIndexOf("/") + 1);
  const database = databaseName(name);
  await shell.exec(call, ["mkdir", "-p", "-m", "0700", jobs.folder]);
  const path = `${jobs.folder}/sysbench.cnf`;
  await shell.exec(call, ["sh", "-c", makeUserScript, "sh", path, spec.socket, database]);
}

const makeUserScript = `set -eu
umask 077
file=$1 socket=$2 name=$3
password=$(sed -n 's/^mysql-password=//p' "$file" 2>/dev/null || true)
[ -n "$password" ] || password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \\n')
printf 'mysql-socket=%s\\nmysql-user=%s\\nmysql-password=%s\\nmysql-db=%s\\n' \\
  "$socket" "$name" "$password" "$name" >"$file.part"
mv -f "$file.part" "$file"
mariadb --no-defaults --socket="$socket" --user=root <<END
CREATE DATABASE IF NOT EXISTS \\\`$name\\\`;
CREATE USER IF NOT EXISTS '$name'@'localhost';
ALTER USER '$name'@'localhost' IDENTIFIED BY '$password';
GRANT ALL ON \\\`$name\\\`.* TO '$name'@'localhost';
END
`;

async function startLoad(
  { call, clock }: RunContext,
  place: Workplace,
  jobs: GuestJobs,
  bedId: BedId,
  jobId: string,
  spec: DatasetSpec,
): Promise<void> {
  const name = databaseName(bedId);
  call.status?.(`loading ${spec.tables.toString()} tables of ${spec.rows.toString()} rows`);
  await jobs.stop(call, jobId);
  await jobs.remove(call, jobId);
  await place.shell.exec(call, ["rm", "-f", "--", `${jobs.folder}/dataset.json`]);
  // "prepare" on tables that exist fails with error 1050 and exit code 0.
  await sql(
    place.shell,
    call,
    spec.socket,
    `DROP DATABASE IF EXISTS \`${name}\`;\nCREATE DATABASE \`${name}\`;\n`,
  );
  await jobs.prepare(call, jobId, { kind: "dataset", tables: spec.tables, rows: spec.rows }, []);
  await jobs.launch(call, jobId, {
    launchAtMs: clock.now() - 60_000,
    limitSeconds: loadLimitSeconds,
    argv: prepareArgv(spec, `${jobs.folder}/sysbench.cnf`, spec.loadThreads),
  });
}

async function watchLoad(
  { call, clock }: RunContext,
  { shell }: Workplace,
  jobs: GuestJobs,
  jobId: string,
  spec: DatasetSpec,
): Promise<void> {
  for (let pauseMs = 250; ; pauseMs = Math.min(pauseMs * 1.5, 5000)) {
    const { state } = await jobs.look(call, jobId);
    const read = async (file: string): Promise<string> => {
      const argv = ["cat", `${jobs.jobFolder(jobId)}/${file}`];
      return (await shell.exec(call, argv, { allowFailure: true })).stdout;
    };
    if (state.kind === "running" || state.kind === "launched") {
      const filled = (await read("stdout")).match(/^Creating a secondary index/gm)?.length ?? 0;
      call.status?.(`loading: ${filled.toString()} of ${spec.tables.toString()} tables are filled`);
      await clock.sleep(pauseMs, call.signal);
      continue;
    }
    const output = parseSysbench(await read("stdout"), await read("stderr"));
    const failure = mainFailure(output.failures);
    if (state.kind === "exited" && state.exitCode === 0 && failure === undefined) return;
    const how = state.kind === "exited" ? `exit code ${state.exitCode.toString()}` : state.kind;
    const reason = failure === undefined ? `the load ended with ${how}` : explainFailure(failure);
    throw new GuestError(shell.guest, "load the data set", reason);
  }
}

async function recorded(
  { call }: RunContext,
  { shell }: Workplace,
  jobs: GuestJobs,
): Promise<string | undefined> {
  const argv = ["cat", `${jobs.folder}/dataset.json`];
  const { stdout } = await shell.exec(call, argv, { allowFailure: true });
  return /"fingerprint":\s*"([0-9a-f]{64})"/.exec(stdout)?.[1];
}

/** Tables that are missing or hold another number of rows. */
async function countProblems(
  { call }: RunContext,
  { shell }: Workplace,
  bedId: BedId,
  spec: DatasetSpec,
): Promise<string[]> {
  const name = databaseName(bedId);
  const tables = Array.from({ length: spec.tables }, (_, i) => `sbtest${(i + 1).toString()}`);
  const listed = await sql(
    shell,
    call,
    spec.socket,
    `SELECT table_name FROM information_schema.tables WHERE table_schema = '${name}';`,
  );
  const there = new Set(listed.map(([table]) => table));
  const missing = tables.filter((table) => !there.has(table));
  if (missing.length > 0) return [`table ${missing.join(", ")} is missing`];
  const counts = await sql(
    shell,
    call,
    spec.socket,
    tables.map((t) => `SELECT '${t}', COUNT(*), MAX(id) FROM \`${name}\`.\`${t}\`;`).join("\n"),
  );
  return counts.flatMap(([table = "", rows = "", last = ""]) =>
    rows === spec.rows.toString() && last === rows
      ? []
      : [`table ${table} holds ${rows} rows up to id ${last} instead of ${spec.rows.toString()}`],
  );
}

async function sizeOf(
  { call }: RunContext,
  { shell }: Workplace,
  bedId: BedId,
  spec: DatasetSpec,
): Promise<bigint> {
  const [[bytes = "0"] = []] = await sql(
    shell,
    call,
    spec.socket,
    `SELECT CAST(COALESCE(SUM(data_length + index_length), 0) AS UNSIGNED) FROM information_schema.tables WHERE table_schema = '${databaseName(bedId)}';`,
  );
  return BigInt(bytes);
}
