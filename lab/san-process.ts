import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { request as httpsRequest } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import { labError } from "./emulator/lab-error";

export interface SanProcessOptions {
  readonly binary: string;
  readonly controlUrl: string;
  readonly token: string;
  readonly port: number;
  readonly dir: string;
  /** Serve virtual disks as block device files (level A). */
  readonly blocks: boolean;
  /** The vCenter's certificate, PEM: also what the daemon trusts on `/lab/`. */
  readonly certPem: string;
  readonly certFile: string;
  readonly keyFile: string;
  /** `{ "user", "password" }` of the vCenter. */
  readonly credentialsFile: string;
  readonly logFile: string;
  readonly onExit: (reason: string) => void;
}

const startTimeoutMs = 30_000;

/** The Go process with the vCenter and the block devices, as the daemon drives it. */
export class SanProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<string>;
  #stopping = false;

  private constructor(private readonly options: SanProcessOptions) {
    const args = ["--control-url", options.controlUrl, "--dir", options.dir];
    args.push("--listen", `127.0.0.1:${options.port.toString()}`);
    args.push("--cert", options.certFile, "--key", options.keyFile);
    args.push("--credentials", options.credentialsFile);
    if (options.blocks) args.push("--blocks");
    this.#child = spawn(options.binary, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, SANBED_LAB_TOKEN: options.token },
    });
    const log = createWriteStream(options.logFile, { flags: "a" });
    // A full disk loses lines of the log, not the lab.
    log.on("error", () => {
      this.#child.stdout?.resume();
      this.#child.stderr?.resume();
    });
    this.#child.stdout?.pipe(log, { end: false });
    this.#child.stderr?.pipe(log, { end: false });
    // It ends when its standard input closes; a broken pipe then is no news.
    this.#child.stdin?.on("error", () => undefined);
    this.#exited = new Promise((resolve) => {
      this.#child.once("error", (error) => {
        resolve(error.message);
      });
      this.#child.once("exit", (code, signal) => {
        resolve(signal === null ? `exit code ${String(code)}` : `signal ${signal}`);
      });
    });
    void this.#exited.then((reason) => {
      log.end();
      if (!this.#stopping) options.onExit(reason);
    });
  }

  /** Starts it and waits until it serves. @throws {SanbedError} `lab` with where its log is. */
  static async start(options: SanProcessOptions): Promise<SanProcess> {
    const san = new SanProcess(options);
    const deadline = Date.now() + startTimeoutMs;
    const ended = san.#exited.then((reason) => {
      throw labError(`${options.binary} ended at its start (${reason}); see ${options.logFile}`);
    });
    try {
      await Promise.race([ended, san.#waitHealthy(deadline)]);
    } catch (error) {
      await san.stop();
      throw error;
    }
    ended.catch(() => undefined);
    return san;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** A request to its own control endpoints below `/lab/`. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const outgoing = httpsRequest(
        {
          host: "127.0.0.1",
          port: this.options.port,
          method,
          path: `/lab/${path}`,
          ca: this.options.certPem,
          agent: false,
          headers: {
            authorization: `Bearer ${this.options.token}`,
            ...(text === undefined ? {} : { "content-type": "application/json" }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.once("error", reject);
          incoming.once("end", () => {
            resolve({ status: incoming.statusCode ?? 0, body: parse(Buffer.concat(chunks)) });
          });
        },
      );
      outgoing.once("error", reject);
      outgoing.setTimeout(60_000, () => outgoing.destroy(new Error("no answer for 60 s")));
      outgoing.end(text);
    });
  }

  /** Closes its standard input and waits; after ten seconds it is killed. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 10_000);
    await this.#exited;
    clearTimeout(timer);
  }

  async #waitHealthy(deadline: number): Promise<void> {
    let last = "no answer";
    while (Date.now() < deadline && !this.#stopping) {
      try {
        const health = await this.call("GET", "health");
        if (health.status === 200) return;
        last = `status ${health.status.toString()}`;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
      await sleep(50);
    }
    throw labError(
      `the SAN process is not ready after ${(startTimeoutMs / 1000).toString()} s: ${last}`,
    );
  }
}

function parse(body: Buffer): unknown {
  const text = body.toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
