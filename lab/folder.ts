import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Level } from "./levels";

/** Content of `control.json`: how to reach the daemon, and what proves that a pid is its. */
export interface ControlFile {
  /** As the host sees it; at level A the `unshare` in front of the daemon. */
  readonly pid: number;
  /** Start time of that process in clock ticks after boot; 0 where the system does not tell. */
  readonly pidStart: number;
  readonly port: number;
  readonly token: string;
  readonly startedAt: string;
  readonly level: Level;
}

/** Every port and address of a lab. Kept, so that endpoints stay over restarts. */
export interface LabPorts {
  readonly control: number;
  /** By device name. */
  readonly devices: Readonly<Record<string, number>>;
  /** Third byte of the guests' addresses, `127.0.<net>.x`. */
  readonly guestNet: number;
  readonly sshPort: number;
  readonly databasePort: number;
}

/** The folder of one lab and the files in it (docs/lab-protocol.md). */
export class LabFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  file(...parts: readonly string[]): string {
    return join(this.path, ...parts);
  }

  get control(): string {
    return this.file("control.json");
  }

  /** Exists while somebody starts or stops the lab. */
  get startLock(): string {
    return this.file("starting.json");
  }

  get ports(): string {
    return this.file("ports.json");
  }

  get site(): string {
    return this.file("site.json");
  }

  get world(): string {
    return this.file("world.json");
  }

  get secrets(): string {
    return this.file("secrets");
  }

  get cgroups(): string {
    return this.file("cgroups.txt");
  }

  get daemonLog(): string {
    return this.file("logs", "daemon.log");
  }

  volume(id: string): string {
    return this.file("volumes", id);
  }

  create(): void {
    for (const sub of ["secrets", "volumes", "guests", "blocks", "logs"]) {
      mkdirSync(this.file(sub), { recursive: true, mode: 0o700 });
    }
  }

  readControl(): ControlFile | undefined {
    return readJson(this.control) as ControlFile | undefined;
  }

  readPorts(): LabPorts | undefined {
    return readJson(this.ports) as LabPorts | undefined;
  }

  removeControl(): void {
    rmSync(this.control, { force: true });
  }
}

/** Parsed content; undefined when there is no such file. */
export function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes whole or not at all. */
export function writeJson(path: string, value: unknown, mode = 0o600): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(value, undefined, 2)}\n`, { mode });
  renameSync(temporary, path);
}
