import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeBedId, type BedId } from "../../bed/identities";
import type { GuestAddress, GuestShell } from "../../provider/devices/guest-shell";
import { writeTreePrograms } from "../../lab/guests/tree-programs";
import { openGuestShell } from "../../provider/devices/guest-ssh/guest-ssh";
import { systemClock } from "../../provider/devices/clock";
import type { CaseGuest, CaseOrder, RunContext } from "../../runner/case-order";
import type { Workplace } from "../../runner/jobs/guest-jobs";
import { ensureDataset } from "../../runner/workloads/sysbench/dataset";
import { sysbenchCaseSchema, type SysbenchCase } from "../../runner/workloads/sysbench/plan";
import { Database } from "./database";
import type { GuestTools } from "./guest-tools";
import { SshGuest } from "./ssh-guest";

export const bufferPoolBytes = 16n * 1024n * 1024n;

/** Guests as plain processes: SSH in this process, a real MariaDB and a real sysbench each. */
export interface PlainGuest {
  readonly ssh: SshGuest;
  readonly database: Database;
  readonly shell: GuestShell;
  readonly place: Workplace;
  readonly seat: CaseGuest;
}

export class PlainGuests {
  readonly bedId: BedId = makeBedId(randomBytes);
  readonly folder = mkdtempSync(join(tmpdir(), "sanbed-pg-"));
  readonly guests: PlainGuest[] = [];

  constructor(private readonly tools: GuestTools) {}

  async add(name: string): Promise<PlainGuest> {
    const folder = join(this.folder, name);
    const wrappers = join(this.folder, "bin");
    writeTreePrograms(this.tools.tree, wrappers);
    mkdirSync(folder);
    const database = await new Database(this.tools, wrappers, folder).start();
    const env = { ...process.env, PATH: `${wrappers}:${process.env["PATH"] ?? ""}` };
    const ssh = await new SshGuest(name, env).start();
    const shell = openGuestShell(ssh.address(), ssh.options());
    const place: Workplace = { shell, workRoot: join(folder, "work"), supervisor: "session" };
    const seat = { name, vmUuid: `uuid-${name}`, place, socket: database.socket };
    const guest = { ssh, database, shell, place, seat };
    this.guests.push(guest);
    return guest;
  }

  context(status: (message: string) => void = () => undefined): RunContext {
    return { call: { signal: new AbortController().signal, status }, clock: systemClock };
  }

  async load(spec: SysbenchCase): Promise<void> {
    await Promise.all(
      this.guests.map((guest) =>
        ensureDataset(this.context(), guest.place, this.bedId, {
          tables: spec.tables,
          rows: spec.rows,
          loadThreads: 2,
          bufferPoolBytes,
          socket: guest.database.socket,
        }),
      ),
    );
  }

  order(id: string, spec: SysbenchCase): CaseOrder {
    return orderFor(
      this.bedId,
      id,
      spec,
      this.guests.map((g) => g.seat),
      this.runs(),
    );
  }

  runs(): string {
    return join(this.folder, "runs");
  }

  /** Names of programs that still run from this folder; none may be left. */
  leftovers(): string[] {
    return readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid))
      .flatMap((pid) => {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, "utf8");
          return line.includes(this.folder) ? [line.replaceAll("\0", " ")] : [];
        } catch {
          return [];
        }
      });
  }

  async stop(): Promise<void> {
    for (const guest of this.guests) {
      await guest.shell.close();
      guest.ssh.killForeground();
      await guest.ssh.stop();
      await guest.database.kill();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function orderFor(
  bedId: BedId,
  id: string,
  spec: SysbenchCase,
  guests: readonly CaseGuest[],
  runsFolder: string,
): CaseOrder {
  return {
    id,
    bedId,
    spec,
    guests,
    folder: join(runsFolder, id),
    declaration: {
      caseName: "oltp-2vm",
      runId: "r1",
      bedId,
      workload: "sysbench",
      spec,
      guests: guests.map(({ name, vmUuid }) => ({ name, vmUuid })),
      platform: {
        kind: "lab",
        label: "plain processes",
        array: "none",
        protocol: "none",
        software: "none",
      },
    },
  };
}

/** A case of seconds; its retry allowance is wide because the tables are tiny. */
export function smallCase(changes: Partial<SysbenchCase> = {}): SysbenchCase {
  return sysbenchCaseSchema.parse({
    tables: 2,
    rows: 10_000,
    threads: 4,
    preconditionSeconds: 2,
    measureSeconds: 6,
    reportIntervalSeconds: 1,
    maxRetryShare: 0.05,
    ...changes,
  });
}

/** What a child process needs to run an order of its own. */
export interface ChildOrder {
  readonly bedId: BedId;
  readonly id: string;
  readonly spec: SysbenchCase;
  readonly runsFolder: string;
  readonly guests: readonly {
    readonly name: string;
    readonly vmUuid: string;
    readonly address: GuestAddress;
    readonly privateKey: string;
    readonly workRoot: string;
    readonly socket: string;
  }[];
}
