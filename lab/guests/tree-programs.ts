import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoteWord as quote } from "../../bed/shell-words";

/** Programs of the guest tree that guests without a root of their own use, by name. */
const PROGRAMS = {
  mariadbd: "usr/sbin/mariadbd",
  mariadb: "usr/bin/mariadb",
  "mariadb-admin": "usr/bin/mariadb-admin",
  sysbench: "usr/bin/sysbench",
  fio: "usr/bin/fio",
  "sftp-server": "usr/lib/openssh/sftp-server",
} as const;

/** What mariadb-install-db feeds to the server, in its order (mariadb-install-db, function cat_sql). */
const SYSTEM_TABLES = [
  "mysql_system_tables.sql",
  "mysql_performance_tables.sql",
  "mysql_system_tables_data.sql",
  "fill_help_tables.sql",
  "maria_add_gis_sp_bootstrap.sql",
  "mysql_sys_schema.sql",
];

/**
 * Writes one wrapper for each program into `folder`, which then goes to the front of PATH. The tree's own loader runs
 * them on any host; it is named by its place, since links in the tree are absolute and lead to the host's.
 */
export function writeTreePrograms(tree: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, place] of Object.entries(PROGRAMS)) {
    put(join(folder, name), wrapper(tree, join(tree, place), name === "mariadbd"));
  }
  put(join(folder, "mariadb-install-db"), installDb(tree, join(folder, "mariadbd")));
}

/** In one step: another guest's shell may be reading the file that was there. */
function put(file: string, lines: readonly string[]): void {
  const fresh = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(fresh, [...lines, ""].join("\n"));
  chmodSync(fresh, 0o755);
  renameSync(fresh, file);
}

function wrapper(tree: string, program: string, server: boolean): string[] {
  const arm = process.arch === "arm64";
  const lib = join(tree, "usr/lib", arm ? "aarch64-linux-gnu" : "x86_64-linux-gnu");
  const loader = join(lib, arm ? "ld-linux-aarch64.so.1" : "ld-linux-x86-64.so.2");
  const libraries = [lib, join(lib, "systemd"), join(lib, "ceph")].join(":");
  const share = join(tree, "usr/share/mysql");
  const own = server
    ? [
        `--basedir=${join(tree, "usr")}`,
        `--lc-messages-dir=${share}`,
        `--character-sets-dir=${join(share, "charsets")}`,
        `--plugin-dir=${join(tree, "usr/lib/mysql/plugin")}`,
        ...(process.getuid?.() === 0 ? ["--user=root"] : []),
      ]
    : [];
  const start = [loader, "--inhibit-cache", "--library-path", libraries, "--argv0"];
  const words = [...start, program, program].map((word) => quote(word)).join(" ");
  return [
    "#!/bin/sh",
    `export LUA_PATH=${quote(`${join(tree, "usr/share/sysbench")}/?.lua`)}`,
    `exec ${words} "$@" ${own.map((word) => quote(word)).join(" ")}`,
  ];
}

/** The tree's own mariadb-install-db calls binaries by their places in a root of their own. */
function installDb(tree: string, server: string): string[] {
  const share = join(tree, "usr/share/mysql");
  const scripts = SYSTEM_TABLES.map((name) => quote(join(share, name))).join(" ");
  return [
    "#!/bin/sh",
    "set -eu",
    "data=",
    "for word; do case $word in --datadir=*) data=${word#*=} ;; esac; done",
    '[ -n "$data" ] || { echo "mariadb-install-db: --datadir=FOLDER is needed" >&2; exit 64; }',
    'mkdir -p "$data"',
    "{",
    "  echo 'create database mysql;'",
    "  echo 'use mysql;'",
    "  echo 'SET @auth_root_socket=NULL;'",
    `  cat ${scripts}`,
    `} | ${quote(server)} --no-defaults --bootstrap --datadir="$data" --tmpdir="$data" --log-warnings=0 \\`,
    "  --enforce-storage-engine= --max_allowed_packet=8M --innodb-log-file-size=16M",
  ];
}
