import { rm } from "node:fs/promises";
import path from "node:path";
import { GuestError, SanbedError } from "../../bed/errors";
import type {
  GuestStatus,
  GuestSupervisor,
  GuestSupervisorOptions,
} from "../control/guest-supervisor";
import type { Level } from "../levels";
import type { GuestEnd, GuestRoom, RunningGuest } from "./guest-room";
import { LevelARoom } from "./level-a-room";
import { LevelBRoom } from "./level-b-room";
import { LevelCRoom } from "./level-c-room";
import { requirePortFree, waitForSsh } from "./reachable";
import { parsePowerOn, VmName, type PowerOnRequest } from "./request";
import { Slots } from "./slots";

/** The supervisor with what only the lab's own end needs. */
export interface LabGuests extends GuestSupervisor {
  /** Cuts the power of all guests and gives everything back. */
  close(): Promise<void>;
}

export interface SupervisorOptions extends GuestSupervisorOptions {
  /** How long a guest may take until SSH answers. Default 120 s: 32 guests may start at once on two cores. */
  readonly startTimeoutMs?: number;
  /** How long an orderly shutdown may take before the power is cut. Default 60 s. */
  readonly stopTimeoutMs?: number;
}

/**
 * Starts the supervisor of real guests. At levels A and B it must run in mount and PID namespaces of its own (at B in a
 * user namespace as well), with /proc mounted for them: `unshare --mount --propagation private --pid --mount-proc
 * --fork --kill-child`.
 *
 * @throws SanbedError when this level has no real guests, or /proc is that of another PID namespace
 */
export function createGuestSupervisor(options: SupervisorOptions, level: Level = "A"): LabGuests {
  return new GuestSupervision(options, roomOf(options, level));
}

function roomOf(options: GuestSupervisorOptions, level: Level): GuestRoom {
  switch (level) {
    case "A":
      return new LevelARoom(options);
    case "B":
      return new LevelBRoom(options);
    case "C":
      return new LevelCRoom(options);
    case "D":
      throw new SanbedError(
        "lab",
        "lab level D has emulators only. `sanbed doctor` names what this machine lacks for real guests.",
      );
  }
}

interface Entry {
  readonly request: PowerOnRequest;
  state: "starting" | "on" | "stopping" | "off";
  guest?: RunningGuest;
  /** Why it is off, where nobody asked for it. */
  reason?: string;
  /** Resolves when a guest that was on is off and released. */
  off: Promise<void>;
}

/** Guests that start at once; more would only make each of them slower. */
const STARTS_AT_ONCE = 8;

/** A killed guest is gone at once, unless one of its processes waits for a disk that does not answer. */
const KILL_LIMIT_MS = 40_000;

class GuestSupervision implements LabGuests {
  private readonly entries = new Map<string, Entry>();
  private readonly starts = new Slots(STARTS_AT_ONCE);
  /** One operation at a time per guest. */
  private readonly turns = new Map<string, Promise<unknown>>();

  constructor(
    private readonly options: SupervisorOptions,
    private readonly room: GuestRoom,
  ) {}

  powerOn(vm: string, spec: unknown): Promise<void> {
    const request = parsePowerOn(vm, spec);
    return this.inTurn(vm, async () => {
      const entry = this.entries.get(vm);
      if (entry?.state === "on" && entry.request.uuid === request.uuid) return;
      if (entry !== undefined && entry.state !== "off") {
        throw new GuestError(vm, "start", `it is ${entry.state} as ${entry.request.uuid}`);
      }
      const fresh: Entry = { request, state: "starting", off: Promise.resolve() };
      this.entries.set(vm, fresh);
      try {
        await this.starts.take(() => this.start(vm, fresh));
      } catch (error) {
        fresh.state = "off";
        fresh.reason = error instanceof Error ? error.message : String(error);
        throw new GuestError(vm, "start", fresh.reason, undefined, error);
      }
    });
  }

  powerOff(vm: string, { hard }: { readonly hard: boolean }): Promise<void> {
    const entry = this.entries.get(vm);
    // A hard power off does not wait for an orderly one that hangs.
    if (hard && entry?.state === "stopping") return this.stop(vm, entry, true);
    return this.inTurn(vm, async () => {
      const current = this.entries.get(vm);
      if (current?.guest !== undefined) await this.stop(vm, current, hard);
    });
  }

  async remove(vm: string): Promise<void> {
    VmName.parse(vm);
    await this.powerOff(vm, { hard: true });
    await this.inTurn(vm, async () => {
      await rm(this.guestDir(vm), { recursive: true, force: true });
      this.entries.delete(vm);
    });
  }

  status(): readonly GuestStatus[] {
    const sorted = [...this.entries].sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([vm, entry]) => ({
      vm,
      running: entry.state === "on",
      address: entry.request.address,
      note:
        entry.reason ?? (entry.state === "on" || entry.state === "off" ? undefined : entry.state),
    }));
  }

  async close(): Promise<void> {
    const names = [...this.entries.keys()];
    await Promise.all(names.map((vm) => this.powerOff(vm, { hard: true })));
    await this.room.close();
  }

  private async start(vm: string, entry: Entry): Promise<void> {
    const { request } = entry;
    await requirePortFree(request.address, this.options.sshPort, "SSH");
    await requirePortFree(request.address, this.options.databasePort, "MariaDB");
    await this.room.customize(vm, request);
    await this.boot(vm, entry);
  }

  /** Starts the namespaces and waits for SSH; also used when a guest restarts itself. */
  private async boot(vm: string, entry: Entry): Promise<void> {
    const began = Date.now();
    const on = [...this.entries.values()].filter((one) => one.state !== "off");
    const guest = await this.room.start(vm, entry.request, on.length);
    entry.guest = guest;
    const gone = new AbortController();
    entry.off = guest.ended.then((end) => {
      gone.abort();
      return this.afterEnd(vm, entry, end);
    });
    // Whoever stops the guest awaits it; without anybody it must not end the process.
    entry.off.catch(() => undefined);
    const { startTimeoutMs = 120_000, sshPort } = this.options;
    try {
      await waitForSsh(entry.request.address, sshPort, gone.signal, startTimeoutMs);
    } catch (error) {
      const journal = (await guest.journal(15)).trim();
      await guest.kill();
      await entry.off;
      const said =
        journal === "" ? `see ${this.guestDir(vm)}/console.log` : `its journal:\n${journal}`;
      throw new Error(`${(error as Error).message}; ${said}`, { cause: error });
    }
    entry.state = "on";
    this.log(`${vm} is on at ${entry.request.address}:${sshPort} after ${Date.now() - began} ms`);
  }

  private async stop(vm: string, entry: Entry, hard: boolean): Promise<void> {
    const guest = entry.guest;
    if (guest === undefined) return;
    entry.state = "stopping";
    if (hard) await guest.kill();
    else await this.shutDown(vm, guest);
    await endsWithin(entry.off, KILL_LIMIT_MS).catch((error: unknown) => {
      throw new GuestError(vm, "power off", (error as Error).message, undefined, error);
    });
  }

  /** Orderly, and by cutting the power when that takes too long. */
  private async shutDown(vm: string, guest: RunningGuest): Promise<void> {
    const limit = this.options.stopTimeoutMs ?? 60_000;
    await guest.requestPowerOff();
    await endsWithin(guest.ended, limit).catch(async () => {
      this.log(`${vm} did not shut down within ${limit / 1000} s: cutting its power`);
      await guest.kill();
    });
  }

  private async afterEnd(vm: string, entry: Entry, end: GuestEnd): Promise<void> {
    const asked = entry.state === "stopping";
    const guest = entry.guest;
    try {
      await guest?.release();
    } finally {
      delete entry.guest;
      const starting = entry.state === "starting";
      entry.state = "off";
      if (!asked) entry.reason = end === "killed" ? "its PID 1 was killed" : `it ended by ${end}`;
      this.log(`${vm} is off (${end})`);
      if (end === "reboot" && !asked && !starting) this.restart(vm, entry);
    }
  }

  /** A guest that restarts itself comes back, as a machine does. */
  private restart(vm: string, entry: Entry): void {
    void this.inTurn(vm, async () => {
      if (this.entries.get(vm) !== entry || entry.state !== "off") return;
      entry.state = "starting";
      delete entry.reason;
      await this.boot(vm, entry);
    }).catch((error: unknown) => {
      entry.state = "off";
      entry.reason = `it did not come back after a restart: ${String(error)}`;
      this.log(`${vm}: ${entry.reason}`);
    });
  }

  private inTurn<T>(vm: string, body: () => Promise<T>): Promise<T> {
    const before = this.turns.get(vm) ?? Promise.resolve();
    const mine = before.then(body, body);
    this.turns.set(
      vm,
      mine.catch(() => undefined),
    );
    return mine;
  }

  private guestDir(vm: string): string {
    return path.join(this.options.dir, vm);
  }

  private log(line: string): void {
    this.options.log(`guests: ${line}`);
  }
}

/** @throws Error when it is not settled after the time */
async function endsWithin<T>(what: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const waiting =
        "its processes wait for a disk that does not answer (is a fault rule stalling it?)";
      reject(new Error(`it is still running after ${limitMs / 1000} s: ${waiting}`));
    }, limitMs);
  });
  try {
    return await Promise.race([what, late]);
  } finally {
    clearTimeout(timer);
  }
}
