import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { GuestTools } from "./guest-tools";

/** A real MariaDB as a plain process in a private folder, reached by its socket only. */
export class Database {
  readonly socket: string;
  private process: ChildProcess | undefined;

  constructor(
    private readonly tools: GuestTools,
    private readonly wrappers: string,
    private readonly folder: string,
    private readonly settings: readonly string[] = [],
  ) {
    // Longer socket paths are refused (sockaddr_un holds 108 bytes).
    this.socket = join(folder, "s.sock");
  }

  async start(): Promise<this> {
    const share = join(this.tools.tree, "usr/share/mysql");
    const data = join(this.folder, "data");
    const config = join(this.folder, "my.cnf");
    if (!existsSync(data)) {
      mkdirSync(join(this.folder, "tmp"), { recursive: true });
      mkdirSync(data);
      writeFileSync(config, this.config(share));
      execFileSync(join(this.wrappers, "mariadbd"), [`--defaults-file=${config}`, "--bootstrap"], {
        input: systemTables(share),
        stdio: ["pipe", "ignore", "ignore"],
      });
    }
    const child = spawn(join(this.wrappers, "mariadbd"), [`--defaults-file=${config}`], {
      stdio: "ignore",
    });
    this.process = child;
    for (let tries = 0; tries < 600; tries += 1) {
      if (existsSync(this.socket) && this.answers()) return this;
      await delay(100);
    }
    throw new Error(
      `MariaDB did not start: ${readFileSync(join(this.folder, "error.log"), "utf8")}`,
    );
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const child = this.process;
    this.process = undefined;
    if (child?.exitCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await gone;
  }

  query(text: string): string {
    const argv = [
      "--no-defaults",
      `--socket=${this.socket}`,
      "--user=root",
      "-N",
      "-B",
      "-e",
      text,
    ];
    return execFileSync(join(this.wrappers, "mariadb"), argv, { encoding: "utf8", stdio: "pipe" });
  }

  private answers(): boolean {
    try {
      return this.query("SELECT 1").trim() === "1";
    } catch {
      return false;
    }
  }

  private config(share: string): string {
    return [
      "[mariadbd]",
      `basedir=${join(this.tools.tree, "usr")}`,
      `lc-messages-dir=${share}`,
      `character-sets-dir=${share}/charsets`,
      `datadir=${join(this.folder, "data")}`,
      `socket=${this.socket}`,
      `pid-file=${join(this.folder, "pid")}`,
      `log-error=${join(this.folder, "error.log")}`,
      `tmpdir=${join(this.folder, "tmp")}`,
      "skip-networking",
      "performance_schema=OFF",
      "innodb_log_file_size=16M",
      "innodb_buffer_pool_size=16M",
      "max_prepared_stmt_count=100000",
      ...(process.getuid?.() === 0 ? ["user=root"] : []),
      ...this.settings,
      "",
    ].join("\n");
  }
}

/** What mariadb-install-db feeds to a bootstrapping server. */
function systemTables(share: string): string {
  const files = [
    "mysql_system_tables.sql",
    "mysql_performance_tables.sql",
    "mysql_system_tables_data.sql",
    "maria_add_gis_sp_bootstrap.sql",
    "mysql_sys_schema.sql",
  ];
  const head = ["create database mysql;", "use mysql;", "SET @auth_root_socket=NULL;"];
  return [...head, ...files.map((f) => readFileSync(join(share, f), "utf8"))].join("\n");
}
