import type { Fabric } from "../world/state";
import type { DeepReadonly, World } from "../world/world";
import { activeSetOf, effectiveOf, sameActive } from "./activation";
import { CliError, zoneLockBusy, zoneSetNotPresent } from "./errors";
import { message, type Output, silent } from "./output";
import type { Readings, Release } from "./release";
import {
  setAttributes,
  type VsanSettings,
  vsanSettings,
  writeZoneState,
  type ZoneState,
  zoneState,
} from "./vsan-state";
import type { ZoneEdit } from "./zone-edit";
import { zoneDatabaseBytes } from "./zone-size";

/** Who configures: a user on one of the fabric's switches. */
export interface Owner {
  readonly user: string;
  readonly device: string;
  readonly address: string;
}

/** Staged changes of enhanced zoning: one per VSAN in the whole fabric. */
export interface ZoneSession {
  readonly owner: Owner;
  readonly staged: ZoneState;
  /** Name: activate it at the commit, as it is then; null: deactivate; undefined: leave. */
  activate: string | null | undefined;
}

export interface ZoneControlOptions {
  readonly world: World;
  /** Name of the VSAN's fabric in the world. */
  readonly fabric: string;
  readonly release: Release;
  readonly readings: Readings;
  readonly now: () => number;
}

interface Running {
  /** What `show zone status` says meanwhile. */
  readonly text: string;
  readonly untilMs: number;
  readonly finish: () => string;
  readonly timer: NodeJS.Timeout;
}

/**
 * Zoning of one VSAN, shared by all switches of the fabric. Basic mode: an edit of the full database
 * takes effect at once, only the activation distributes and takes time. Enhanced mode: edits open a
 * session, seen as a lock by everybody else, until its owner commits or drops it.
 * Sources: MDS 9000 Fabric Configuration Guide, Configuring and Managing Zones (Enhanced Zoning);
 * texts: mdssdk zone.py, CoprHD networksystem-mds-dialog.properties.
 */
export class ZoneControl {
  session: ZoneSession | undefined;
  /** Set by a fault: the next activation or commit ends with this error. */
  failNext: string | undefined;
  #running: Running | undefined;

  constructor(private readonly options: ZoneControlOptions) {}

  get fabric(): DeepReadonly<Fabric> {
    const fabric = this.options.world.view.fabrics[this.options.fabric];
    if (fabric === undefined) throw new Error(`no fabric ${this.options.fabric} in the world`);
    return fabric;
  }

  get settings(): VsanSettings {
    return vsanSettings(this.fabric);
  }

  get committed(): ZoneState {
    return zoneState(this.fabric);
  }

  /** What is being done now; undefined when nothing. Ends what has had its time. */
  get running(): string | undefined {
    const running = this.#running;
    if (running !== undefined && this.options.now() >= running.untilMs) this.#finish();
    return this.#running?.text;
  }

  /** Result of the last operation, or what runs now. */
  get status(): { readonly text: string; readonly atMs: number | undefined } {
    const running = this.running;
    if (running !== undefined) return { text: running, atMs: undefined };
    return this.settings.lastResult ?? { text: "", atMs: undefined };
  }

  /** Changes zones or zone sets. */
  edit(owner: Owner, edit: ZoneEdit): Output {
    const { session, opened } = this.#begin(owner);
    if (session !== undefined) {
      try {
        edit(session.staged);
      } catch (error) {
        // The lock was taken for nothing: a command that fails leaves no session behind.
        if (opened) this.session = undefined;
        throw error;
      }
      return opened ? sessionCreated : silent;
    }
    const state = this.committed;
    if (edit(state)) this.#write(state);
    return silent;
  }

  /**
   * A policy of the VSAN: staged in enhanced mode; else it holds at once, or is distributed first
   * when there is a text for that.
   */
  policy(
    owner: Owner,
    change: ZoneEdit,
    distributed?: { readonly done: string; readonly initiated: string },
  ): Output {
    const { session, opened } = this.#begin(owner);
    if (session !== undefined) {
      change(session.staged);
      return opened ? sessionCreated : silent;
    }
    const state = this.committed;
    if (!change(state)) return message("No zone policy change");
    if (distributed === undefined) {
      this.#write(state);
      return silent;
    }
    this.#start("Operation in progress", () => {
      this.#write(state);
      return distributed.done;
    });
    return message(distributed.initiated);
  }

  activate(owner: Owner, name: string): Output {
    const { session, opened } = this.#begin(owner);
    if (session !== undefined) {
      if (!Object.hasOwn(session.staged.zoneSets, name)) throw zoneSetNotPresent();
      session.activate = name;
      return opened ? sessionCreated : silent;
    }
    const state = this.committed;
    if (!Object.hasOwn(state.zoneSets, name)) throw zoneSetNotPresent();
    if (isActive(state, name)) return message(unchanged);
    this.#start("Activation in progress", () => {
      const now = this.committed;
      this.#write({ ...now, active: activeSetOf(now, name) });
      return "Activation completed";
    });
    return message("Zoneset activation initiated. check zone status");
  }

  deactivate(owner: Owner, name: string | undefined): Output {
    const { session, opened } = this.#begin(owner);
    const current = (session?.staged ?? this.committed).active?.name;
    if (current === undefined || (name !== undefined && name !== current)) {
      if (opened) this.session = undefined;
      throw new CliError("Zoneset not active");
    }
    if (session !== undefined) {
      session.activate = null;
      return opened ? sessionCreated : silent;
    }
    this.#start("Deactivation in progress", () => {
      this.#write({ ...this.committed, active: undefined });
      return "Deactivation completed";
    });
    return message("Zoneset deactivation initiated. check zone status");
  }

  commit(owner: Owner): Output {
    this.#refuseWhileRunning();
    const session = this.#ownSession(owner);
    if (session === undefined) throw new CliError("No pending info found");
    this.#start("Commit in progress", () => {
      const { staged, activate } = session;
      const active = typeof activate === "string" ? activeSetOf(staged, activate) : undefined;
      if (active !== undefined && this.#isUnchanged({ ...staged, active })) {
        this.session = undefined;
        throw new CliError(unchanged);
      }
      // What fails here leaves the session open: its owner may drop it or try again.
      this.#write({ ...staged, active: activate === undefined ? staged.active : active });
      this.session = undefined;
      return "Commit complete";
    });
    return message("Commit operation initiated. Check zone status");
  }

  /** `no zone commit vsan`: drops our own session. */
  discard(owner: Owner): Output {
    this.#refuseWhileRunning();
    if (this.#ownSession(owner) === undefined) throw new CliError("No pending info found");
    this.session = undefined;
    return silent;
  }

  /** `clear zone lock vsan`: drops the session whoever holds it, in the entire fabric. */
  clearLock(): Output {
    if (this.session === undefined) throw new CliError("Zone database not locked");
    this.session = undefined;
    return silent;
  }

  setMode(owner: Owner, mode: VsanSettings["mode"]): Output {
    this.#refuseWhileRunning();
    if (this.session !== undefined && !sameOwner(this.session.owner, owner)) throw zoneLockBusy();
    if (this.settings.mode === mode) {
      return message("Current zoning mode same as specified zoning mode");
    }
    this.#start("Set zoning mode in progress", () => {
      this.session = undefined;
      this.change((fabric) => {
        setAttributes(fabric, { zoneMode: mode });
      });
      return "Set zoning mode complete";
    });
    return message("Set zoning mode command initiated. Check zone status");
  }

  /** Changes the fabric in the world behind the commands' back. */
  change(mutate: (fabric: Fabric) => void): void {
    this.options.world.change((state) => {
      const fabric = state.fabrics[this.options.fabric];
      if (fabric !== undefined) mutate(fabric);
    });
  }

  /** Resolves the zone set in force again: an alias or a port has moved. */
  refresh(): void {
    const state = this.committed;
    if (state.active !== undefined) this.#write(state);
  }

  /** The world is as at its start again, or the switch goes down. */
  drop(): void {
    clearTimeout(this.#running?.timer);
    this.#running = undefined;
    this.session = undefined;
    this.failNext = undefined;
  }

  #begin(owner: Owner): { session: ZoneSession | undefined; opened: boolean } {
    this.#refuseWhileRunning();
    if (this.settings.mode === "basic") return { session: undefined, opened: false };
    const own = this.#ownSession(owner);
    if (own !== undefined) return { session: own, opened: false };
    this.session = { owner, staged: this.committed, activate: undefined };
    return { session: this.session, opened: true };
  }

  /** @throws {CliError} when somebody else holds the lock. */
  #ownSession(owner: Owner): ZoneSession | undefined {
    if (this.session !== undefined && !sameOwner(this.session.owner, owner)) throw zoneLockBusy();
    return this.session;
  }

  #refuseWhileRunning(): void {
    // Assumed text; mdssdk and CoprHD only wait.
    if (this.running !== undefined) {
      throw new CliError("Zoning database update in progress, command rejected");
    }
  }

  #isUnchanged(state: ZoneState): boolean {
    return JSON.stringify(state) === JSON.stringify(this.committed);
  }

  #start(text: string, finish: () => string): void {
    const { readings, now } = this.options;
    const timer = setTimeout(() => {
      this.#finish();
    }, readings.activationMs);
    timer.unref();
    this.#running = { text, untilMs: now() + readings.activationMs, finish, timer };
    if (readings.activationMs === 0) this.#finish();
  }

  #finish(): void {
    const running = this.#running;
    if (running === undefined) return;
    clearTimeout(running.timer);
    this.#running = undefined;
    this.#record(this.#resultOf(running));
  }

  #resultOf(running: Running): string {
    try {
      if (this.failNext !== undefined) throw new CliError(this.failNext);
      return running.finish();
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      return `Operation failed: [Error: ${error.message}]:`;
    } finally {
      this.failNext = undefined;
    }
  }

  #record(text: string): void {
    this.change((fabric) => {
      setAttributes(fabric, { lastResult: { text, atMs: this.options.now() } });
    });
  }

  #write(state: ZoneState): void {
    if (zoneDatabaseBytes(state) > this.options.release.databaseMax) {
      throw new CliError("Zone database size exceeds the limit");
    }
    this.change((fabric) => {
      writeZoneState(fabric, state, effectiveOf(fabric, state));
    });
  }
}

/** mdssdk zone.py; the whole line: Pure Storage and Cisco walk-throughs of enhanced zoning. */
const sessionCreated = message(
  "Enhanced zone session has been created. Please 'commit' the changes when done.",
);
const unchanged = "WARNING: Specified zoneset already active and unchanged";

/** Whether the zone set is in force as it stands in the full database. */
export function isActive(state: ZoneState, name: string): boolean {
  if (state.active?.name !== name) return false;
  try {
    return sameActive(activeSetOf(state, name), state.active);
  } catch (error) {
    if (error instanceof CliError) return false;
    throw error;
  }
}

/** A session belongs to a user on one switch, whatever address he comes from. */
export function sameOwner(a: Owner, b: Owner): boolean {
  return a.user === b.user && a.device === b.device;
}
