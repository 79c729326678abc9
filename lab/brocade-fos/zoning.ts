import { randomInt } from "node:crypto";
import type { Fabric, Zoning, ZoningDatabase } from "../world/state";
import type { DeepReadonly, World } from "../world/world";
import { checksum, databaseBytes, emptyDatabase, expandConfig } from "./database";
import { notOwner, zoneError, zoneNotFound } from "./errors";
import { unique } from "./members";
import type { Readings, Release } from "./release";
import {
  type FabricTransactions,
  fabricTransactions,
  lockTimeoutMs,
  type Owner,
  type Transaction,
} from "./transactions";
import type { SwitchLog } from "./switch-log";
import { tiZoneBytes } from "./ti-zones";

export interface ZoningControlOptions {
  readonly world: World;
  /** Name of the fabric in the world. */
  readonly fabric: string;
  /** The switch that this is. */
  readonly device: string;
  readonly release: Release;
  readonly readings: Readings;
  readonly now: () => number;
  /** Absent: nobody keeps the switch's messages. */
  readonly log?: SwitchLog;
}

/** Who has the fabric locked (FOS 9). */
export interface FabricLock {
  readonly device: string;
  readonly transaction: Transaction;
}

/**
 * The zoning database of one fabric as one switch handles it: at most one transaction, staged apart
 * from the committed database, gated by the checksum at the commit. A transaction on another switch
 * of the fabric is not shown; on FOS 9 it locks the fabric, on 8.2 it makes our commit fail.
 * Sources: brocade-zone.yang; FOS REST API Reference, Zoning: transactions and concurrency.
 */
export class ZoningControl {
  /** Successful commits above so many changed objects lose the rest (PyFOS report 17); a fault. */
  loseAbove: number | undefined;
  readonly #open: FabricTransactions;

  constructor(private readonly options: ZoningControlOptions) {
    this.#open = fabricTransactions(options.world, options.fabric);
  }

  get committed(): DeepReadonly<Zoning> {
    return this.fabric.zoning;
  }

  get fabric(): DeepReadonly<Fabric> {
    const { world, fabric: name } = this.options;
    const fabric = world.view.fabrics[name];
    if (fabric === undefined) throw new Error(`no fabric ${name} in the world`);
    return fabric;
  }

  /** Bytes of the committed database, zones included that REST does not show. */
  get committedBytes(): number {
    return databaseBytes(this.committed.defined) + tiZoneBytes(this.fabric);
  }

  get checksum(): string {
    return checksum(this.fabric);
  }

  /** The open transaction of this switch. */
  get transaction(): Transaction | undefined {
    const { device, readings } = this.options;
    const open = this.#open.get(device);
    if (open !== undefined && readings.lockExpiry === "transaction" && !this.#locks(open)) {
      this.#open.delete(device);
    }
    return this.#open.get(device);
  }

  /** Who holds the fabric's lock; undefined before FOS 9 and when nobody does. */
  get lock(): FabricLock | undefined {
    if (!this.options.release.nine) return undefined;
    const held = [...this.#open].find(([, transaction]) => this.#locks(transaction));
    return held === undefined ? undefined : { device: held[0], transaction: held[1] };
  }

  /** The defined configuration as this reader sees it. */
  defined(session: number | undefined): DeepReadonly<ZoningDatabase> {
    const open = this.transaction;
    const mine = open !== undefined && session !== undefined && open.owner.session === session;
    return mine && this.options.readings.pendingReads === "staged"
      ? open.staged
      : this.committed.defined;
  }

  /** Stages a change; opens the transaction when there is none. All or nothing. */
  stage(owner: Owner, edit: (database: ZoningDatabase) => boolean): void {
    const open = this.#own(owner);
    const base = open?.staged ?? (this.committed.defined as ZoningDatabase);
    const staged = structuredClone(base);
    const changed = edit(staged);
    if (!changed && this.options.readings.noChange === "refused") throw noChange();
    if (!changed) return;
    this.#open.set(this.options.device, {
      token: open?.token ?? randomInt(1, 4_294_967_280),
      owner,
      openedAtMs: open?.openedAtMs ?? this.options.now(),
      staged,
      defaultAccess: open?.defaultAccess ?? this.committed.defaultAccess,
      changed: true,
    });
  }

  stageDefaultAccess(owner: Owner, access: Zoning["defaultAccess"]): void {
    this.stage(owner, () => true);
    const open = this.transaction;
    if (open !== undefined) open.defaultAccess = access;
    if (this.options.readings.defaultAccess === "committed") this.#commit(owner, undefined);
  }

  /** Stages an empty database. A save has to follow. */
  clear(owner: Owner): void {
    this.stage(owner, (database) => {
      Object.assign(database, emptyDatabase());
      return true;
    });
  }

  /** Commits what is staged; the configuration in force stays as it is. */
  save(owner: Owner, sum: string | undefined): void {
    const open = this.#gate(owner, sum);
    const enabled = this.committed.effective?.name;
    if (open === undefined && this.options.readings.noChange === "refused") throw noChange();
    if (open === undefined) return;
    if (enabled !== undefined && !Object.hasOwn(open.staged.configs, enabled)) {
      throw zoneError(
        `"${enabled}" is the effective configuration and cannot be deleted; disable it first`,
        -1,
        "/effective-configuration/",
      );
    }
    this.#commit(owner, undefined);
    this.#report("ZONE-1024", "cfgSave completes successfully.");
  }

  /** Commits what is staged and puts a configuration in force. */
  enable(owner: Owner, config: string, sum: string | undefined): void {
    const open = this.#gate(owner, sum);
    const zones = expandConfig(open?.staged ?? this.committed.defined, config);
    const same =
      open === undefined &&
      JSON.stringify(this.committed.effective) === JSON.stringify({ name: config, zones });
    if (same && this.options.readings.noChange === "refused") {
      throw zoneError("Same configuration", -1, "/effective-configuration/");
    }
    if (same) return;
    this.#commit(owner, { name: config, zones });
    this.#report("ZONE-1022", `The effective configuration has changed to ${config}.`);
  }

  /** Commits what is staged and leaves no configuration in force: the default access decides. */
  disable(owner: Owner, sum: string | undefined): void {
    this.#gate(owner, sum);
    if (this.committed.effective === undefined) {
      throw zoneNotFound("effective configuration", "/effective-configuration/");
    }
    this.#commit(owner, null);
    this.#report("ZONE-1022", "The effective configuration has changed to none.");
  }

  /** Drops our own transaction; nothing pending is fine. */
  abort(owner: Owner): void {
    this.#ownHere(owner);
    this.drop();
  }

  /** Whatever ends a session drops its transaction. */
  sessionEnded(session: number): void {
    if (this.transaction?.owner.session === session) this.drop();
  }

  /** Drops the transaction, whoever holds it (`cfgTransAbort` on the switch). */
  drop(): void {
    this.#open.delete(this.options.device);
  }

  /** Our transaction, if we have one. @throws {FosError} when another holds this switch or the lock. */
  #own(owner: Owner): Transaction | undefined {
    const open = this.#ownHere(owner);
    const { lock } = this;
    if (lock !== undefined && lock.device !== this.options.device) throw notOwner();
    return open;
  }

  #ownHere(owner: Owner): Transaction | undefined {
    const open = this.transaction;
    if (open !== undefined && open.owner.session !== owner.session) throw notOwner();
    return open;
  }

  /** Message ids: Fabric OS Message Reference, ZONE; their words there are templates. */
  #report(id: string, text: string): void {
    this.options.log?.add({ id, text, fid: this.fabric.id });
  }

  #locks(transaction: Transaction): boolean {
    const { release, now } = this.options;
    return !release.nine || now() - transaction.openedAtMs < lockTimeoutMs;
  }

  #gate(owner: Owner, sum: string | undefined): Transaction | undefined {
    const open = this.#own(owner);
    if (sum?.toLowerCase() !== this.checksum) {
      throw zoneError(
        sum === undefined
          ? "The checksum is required"
          : "The checksum does not match the checksum of the current configuration",
        -1,
        where,
      );
    }
    if ([...this.#open.keys()].some((device) => device !== this.options.device)) {
      // Text not published; that a commit fails then is (brocade-zone.yang, transaction-token).
      throw zoneError("A zoning transaction is open on another switch of the fabric", -1, where);
    }
    const bytes = databaseBytes(open?.staged ?? emptyDatabase()) + tiZoneBytes(this.fabric);
    if (open !== undefined && bytes > this.options.release.databaseMax) {
      throw zoneError("The zone database is too large", -1, where);
    }
    return open;
  }

  /** `effective`: what comes into force; null: nothing; undefined: no change. */
  #commit(owner: Owner, effective: Zoning["effective"] | null): void {
    const open = this.#own(owner);
    this.options.world.change((state) => {
      const zoning = state.fabrics[this.options.fabric]?.zoning;
      if (zoning === undefined) return;
      if (open !== undefined) {
        zoning.defined = this.#withLoss(zoning.defined, open.staged);
        zoning.defaultAccess = open.defaultAccess;
      }
      if (effective === null) zoning.effective = undefined;
      else if (effective !== undefined) zoning.effective = structuredClone(effective);
    });
    this.drop();
  }

  #withLoss(before: ZoningDatabase, after: ZoningDatabase): ZoningDatabase {
    const added = unique(Object.keys(after.aliases).filter((name) => !(name in before.aliases)));
    if (this.loseAbove === undefined || added.length <= this.loseAbove) return after;
    for (const name of added.slice(this.loseAbove)) Reflect.deleteProperty(after.aliases, name);
    return after;
  }
}

const where = "/effective-configuration/";

function noChange(): Error {
  return zoneError("No Change in Configuration");
}
