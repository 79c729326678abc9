import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { labError } from "./emulator/lab-error";

const port = z.number().int().min(0).max(65_535);

const controlSchema = z.object({
  /** As the host sees it; at level A the `unshare` in front of the daemon. */
  pid: z.number().int().nonnegative(),
  /** Start time of that process in clock ticks after boot; 0 where the system does not tell. */
  pidStart: z.number().nonnegative(),
  port,
  token: z.string(),
  startedAt: z.string(),
  level: z.enum(["A", "B", "C", "D"]),
});

const portsSchema = z.object({
  control: port,
  /** By device name. */
  devices: z.record(z.string(), port),
  /** Third byte of the guests' addresses, `127.0.<net>.x`. */
  guestNet: z.number().int().min(0).max(255),
  sshPort: port,
  databasePort: port,
});

/** Content of `control.json`: how to reach the daemon, and what proves that a pid is its. */
export type ControlFile = Readonly<z.infer<typeof controlSchema>>;

/** Every port and address of a lab. Kept, so that endpoints stay over restarts. */
export type LabPorts = Readonly<z.infer<typeof portsSchema>>;

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

  /** @throws {SanbedError} `lab` when it is damaged; so do the others. */
  readControl(): ControlFile | undefined {
    return readLabJson(this.control, controlSchema, "`sanbed lab down` stops the lab without it");
  }

  readPorts(): LabPorts | undefined {
    const remedy =
      "delete it: the next `sanbed lab up` takes ports anew and writes them into site.json";
    return readLabJson(this.ports, portsSchema, remedy);
  }

  removeControl(): void {
    rmSync(this.control, { force: true });
  }
}

/**
 * Checked content; undefined when there is no such file.
 * @throws {SanbedError} `lab` with the file and the remedy when it is not what the lab has written.
 */
export function readLabJson<T>(path: string, schema: z.ZodType<T>, remedy: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw damagedFile(path, error, remedy);
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw damagedFile(path, error, remedy);
  }
}

/** Says nothing of the content: it may be secret. */
export function damagedFile(path: string, cause: unknown, remedy: string): Error {
  const why =
    cause instanceof z.ZodError
      ? `${cause.issues.map((issue) => issue.path.join(".") || "the whole").join(", ")} is not as the lab writes it`
      : cause instanceof SyntaxError
        ? "it is cut or no JSON"
        : String(cause);
  return labError(`the lab's file ${path} is damaged (${why}); ${remedy}`, cause);
}

/** Writes whole or not at all. */
export function writeJson(path: string, value: unknown, mode = 0o600): void {
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(value, undefined, 2)}\n`, { mode });
  renameSync(temporary, path);
}
