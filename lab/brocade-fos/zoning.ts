import { randomInt } from "node:crypto";
import type { Zoning, ZoningDatabase } from "../world/state";
import type { DeepReadonly, World } from "../world/world";
import { checksum, databaseBytes, emptyDatabase, expandConfig } from "./database";
import { notOwner, zoneError, zoneNotFound } from "./errors";
import { unique } from "./members";
import type { Readings, Release } from "./release";

/** Who holds a transaction. `session` is undefined for somebody on the command line. */
export interface Owner {
  readonly session: number | undefined;
  readonly user: string;
  readonly address: string;
  readonly application: string;
}

export interface Transaction {
  readonly token: number;
  readonly owner: Owner;
  readonly openedAtMs: number;
  readonly staged: ZoningDatabase;
  defaultAccess: Zoning["defaultAccess"];
  changed: boolean;
}

/** Five minutes: `fabric-lock-timeout` as it comes (brocade-fibrechannel-configuration). */
export const lockTimeoutMs = 300_000;

/**
 * The zoning database of one fabric as one switch handles it: at most one transaction, staged apart
 * from the committed database, gated by the checksum at the commit.
 * Sources: brocade-zone.yang; FOS REST API Reference, Zoning: transactions and concurrency.
 */
export class ZoningControl {
  #transaction: Transaction | undefined;
  /** Successful commits above so many changed objects lose the rest (PyFOS report 17); a fault. */
  loseAbove: number | undefined;

  constructor(
    private readonly world: World,
    private readonly fabric: string,
    private readonly release: Release,
    private readonly readings: Readings,
    private readonly now: () => number,
  ) {}

  get committed(): DeepReadonly<Zoning> {
    const fabric = this.world.view.fabrics[this.fabric];
    if (fabric === undefined) throw new Error(`no fabric ${this.fabric} in the world`);
    return fabric.zoning;
  }

  get checksum(): string {
    return checksum(this.committed);
  }

  /** The open transaction. On FOS 9 it ends with the fabric lock's time. */
  get transaction(): Transaction | undefined {
    const open = this.#transaction;
    if (open !== undefined && this.release.nine && this.now() - open.openedAtMs >= lockTimeoutMs) {
      this.#transaction = undefined;
    }
    return this.#transaction;
  }

  /** The defined configuration as this reader sees it. */
  defined(session: number | undefined): DeepReadonly<ZoningDatabase> {
    const open = this.transaction;
    const mine = open !== undefined && session !== undefined && open.owner.session === session;
    return mine && this.readings.pendingReads === "staged" ? open.staged : this.committed.defined;
  }

  /** Stages a change; opens the transaction when there is none. All or nothing. */
  stage(owner: Owner, edit: (database: ZoningDatabase) => boolean): void {
    const open = this.#own(owner);
    const base = open?.staged ?? (this.committed.defined as ZoningDatabase);
    const staged = structuredClone(base);
    const changed = edit(staged);
    if (!changed && this.readings.noChange === "refused") throw noChange();
    if (!changed) return;
    this.#transaction = {
      token: open?.token ?? randomInt(1, 4_294_967_280),
      owner,
      openedAtMs: open?.openedAtMs ?? this.now(),
      staged,
      defaultAccess: open?.defaultAccess ?? this.committed.defaultAccess,
      changed: true,
    };
  }

  stageDefaultAccess(owner: Owner, access: Zoning["defaultAccess"]): void {
    this.stage(owner, () => true);
    if (this.#transaction !== undefined) this.#transaction.defaultAccess = access;
    if (this.readings.defaultAccess === "committed") this.#commit(owner, undefined);
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
    if (open === undefined && this.readings.noChange === "refused") throw noChange();
    if (open === undefined) return;
    if (enabled !== undefined && !Object.hasOwn(open.staged.configs, enabled)) {
      throw zoneError(
        `"${enabled}" is the effective configuration and cannot be deleted; disable it first`,
        -1,
        "/effective-configuration/",
      );
    }
    this.#commit(owner, undefined);
  }

  /** Commits what is staged and puts a configuration in force. */
  enable(owner: Owner, config: string, sum: string | undefined): void {
    const open = this.#gate(owner, sum);
    const zones = expandConfig(open?.staged ?? this.committed.defined, config);
    const same =
      open === undefined &&
      JSON.stringify(this.committed.effective) === JSON.stringify({ name: config, zones });
    if (same && this.readings.noChange === "refused") {
      throw zoneError("Same configuration", -1, "/effective-configuration/");
    }
    if (!same) this.#commit(owner, { name: config, zones });
  }

  /** Commits what is staged and leaves no configuration in force: the default access decides. */
  disable(owner: Owner, sum: string | undefined): void {
    this.#gate(owner, sum);
    if (this.committed.effective === undefined) {
      throw zoneNotFound("effective configuration", "/effective-configuration/");
    }
    this.#commit(owner, null);
  }

  /** Drops our own transaction; nothing pending is fine. */
  abort(owner: Owner): void {
    this.#own(owner);
    this.#transaction = undefined;
  }

  /** Whatever ends a session drops its transaction. */
  sessionEnded(session: number): void {
    if (this.#transaction?.owner.session === session) this.#transaction = undefined;
  }

  /** Drops the transaction, whoever holds it (`cfgTransAbort` on the switch). */
  drop(): void {
    this.#transaction = undefined;
  }

  #own(owner: Owner): Transaction | undefined {
    const open = this.transaction;
    if (open !== undefined && open.owner.session !== owner.session) throw notOwner();
    return open;
  }

  #gate(owner: Owner, sum: string | undefined): Transaction | undefined {
    const open = this.#own(owner);
    if (sum?.toLowerCase() !== this.checksum) {
      throw zoneError(
        sum === undefined
          ? "The checksum is required"
          : "The checksum does not match the checksum of the current configuration",
        -1,
        "/effective-configuration/",
      );
    }
    if (open !== undefined && databaseBytes(open.staged) > this.release.databaseMax) {
      throw zoneError("The zone database is too large", -1, "/effective-configuration/");
    }
    return open;
  }

  /** `effective`: what comes into force; null: nothing; undefined: no change. */
  #commit(owner: Owner, effective: Zoning["effective"] | null): void {
    const open = this.#own(owner);
    this.world.change((state) => {
      const zoning = state.fabrics[this.fabric]?.zoning;
      if (zoning === undefined) return;
      if (open !== undefined) {
        zoning.defined = this.#withLoss(zoning.defined, open.staged);
        zoning.defaultAccess = open.defaultAccess;
      }
      if (effective === null) zoning.effective = undefined;
      else if (effective !== undefined) zoning.effective = structuredClone(effective);
    });
    this.#transaction = undefined;
  }

  #withLoss(before: ZoningDatabase, after: ZoningDatabase): ZoningDatabase {
    const added = unique(Object.keys(after.aliases).filter((name) => !(name in before.aliases)));
    if (this.loseAbove === undefined || added.length <= this.loseAbove) return after;
    for (const name of added.slice(this.loseAbove)) Reflect.deleteProperty(after.aliases, name);
    return after;
  }
}

function noChange(): Error {
  return zoneError("No Change in Configuration");
}
