import { chmod, lchown, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { SanbedError } from "../../bed/errors";
import { MYSQL_ID } from "./accounts";
import { tryCommand } from "./command";
import { libraryFolder } from "./finish";

/** The scripts that mariadb-install-db feeds to the server, in its order (mariadb-install-db, function cat_sql). */
const SCRIPTS = [
  "mysql_system_tables.sql",
  "mysql_performance_tables.sql",
  "mysql_system_tables_data.sql",
  "fill_help_tables.sql",
  "maria_add_gis_sp_bootstrap.sql",
  "mysql_sys_schema.sql",
];

/**
 * Fills var/lib/mysql with an empty database, as the server package's script would. The tree's own server does it in
 * bootstrap mode, run by the tree's own loader, so that neither root nor a matching host library is needed.
 *
 * @throws SanbedError with what the server said
 */
export async function makeDatadir(tree: string, asRoot: boolean): Promise<void> {
  const data = path.join(tree, "var/lib/mysql");
  await mkdir(data, { recursive: true });
  const share = path.join(tree, "usr/share/mysql");
  const scripts = await Promise.all(
    SCRIPTS.map((name) => readFile(path.join(share, name), "utf8")),
  );
  // In bootstrap mode the server takes one statement a line, or what it finds between delimiters of the scripts.
  const sql = ["create database mysql;", "use mysql;", "SET @auth_root_socket='root';", ...scripts];
  const [loader, ...before] = await ownLoader(tree);
  const result = await tryCommand(
    loader,
    [
      ...before,
      path.join(tree, "usr/sbin/mariadbd"),
      "--no-defaults",
      "--bootstrap",
      `--datadir=${data}`,
      `--basedir=${path.join(tree, "usr")}`,
      `--lc-messages-dir=${share}`,
      `--character-sets-dir=${path.join(share, "charsets")}`,
      `--plugin-dir=${path.join(tree, "usr/lib/mysql/plugin")}`,
      `--tmpdir=${data}`,
      ...(asRoot ? ["--user=root"] : []),
      "--log-warnings=0",
      "--enforce-storage-engine=",
      "--max_allowed_packet=8M",
      "--net_buffer_length=16K",
      "--innodb-log-file-size=16M",
      "--innodb-flush-log-at-trx-commit=0",
    ],
    { input: `${sql.join("\n")}\n` },
  );
  if (result.status !== 0 || result.stderr.includes("ERROR")) {
    throw new SanbedError(
      "guest-tree",
      `cannot make the database template: ${result.stderr.trim()}`,
    );
  }
  await chmod(data, 0o755);
  if (asRoot) await giveToMysql(data);
}

/** Program and arguments that run a binary of the tree on any host: its own loader and libraries. */
async function ownLoader(tree: string): Promise<[string, ...string[]]> {
  const lib = path.join(tree, await libraryFolder(tree));
  const loader = (await readdir(lib)).find((name) => /^ld-linux.*\.so\.\d$/.test(name));
  if (loader === undefined) throw new SanbedError("guest-tree", `${lib} has no loader`);
  return [
    path.join(lib, loader),
    "--inhibit-cache",
    "--library-path",
    `${lib}:${path.join(lib, "systemd")}`,
  ];
}

async function giveToMysql(folder: string): Promise<void> {
  await lchown(folder, MYSQL_ID, MYSQL_ID);
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(path.join(folder, entry), MYSQL_ID, MYSQL_ID);
  }
}
