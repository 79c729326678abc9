import { createHash } from "node:crypto";
import { fabricsOf } from "../world/fabric";
import type { Fabric } from "../world/state";
import type { World } from "../world/world";
import { aliasError, CliError, invalidCommand } from "./errors";
import { memberOf, memberText, parseWwn } from "./members";
import { checkAliasName } from "./names";
import { message, type Output, silent } from "./output";
import { limits, type Readings, type Release } from "./release";
import { setAttributes, type VsanSettings, vsanSettings } from "./vsan-state";
import { type Owner, sameOwner } from "./zone-control";

/** Port WWN by alias name. */
export type AliasDatabase = Record<string, string>;

export interface AliasSession {
  readonly owner: Owner;
  staged: AliasDatabase;
  mode: VsanSettings["aliasMode"];
  distribution: boolean;
  changed: boolean;
  /** New name by old one, for members that follow. */
  readonly renamed: Map<string, string>;
}

export interface AliasControlOptions {
  readonly world: World;
  /** One of the switches. */
  readonly device: string;
  readonly readings: Readings;
  readonly now: () => number;
  /** The committed aliases changed: zone sets in force must be resolved again. */
  readonly onCommit: () => void;
}

/**
 * The device aliases of all switches of a physical fabric, whatever their VSANs. With distribution on
 * (as switches come) the first change locks the fabric for its owner until commit, abort or clear.
 * Sources: MDS 9000 Fabric Configuration Guide, Distributing Device Alias Services; texts: tests of
 * mdssdk (test_device_alias), cisco.nxos nxos_devicealias with its fixtures.
 */
export class AliasControl {
  session: AliasSession | undefined;
  #busyUntilMs = 0;

  constructor(private readonly options: AliasControlOptions) {}

  get committed(): AliasDatabase {
    const aliases = this.#fabrics()[0]?.zoning.defined.aliases ?? {};
    return Object.fromEntries(Object.entries(aliases).map(([name, [wwn]]) => [name, wwn ?? ""]));
  }

  get settings(): Pick<VsanSettings, "aliasMode" | "aliasDistribution"> {
    const fabric = this.#fabrics()[0];
    if (fabric === undefined) throw new Error(`no switch ${this.options.device} in the world`);
    return vsanSettings(fabric);
  }

  add(owner: Owner, name: string, pwwn: string, release: Release): Output {
    const wwn = parseWwn(pwwn);
    if (wwn === undefined) throw invalidCommand();
    return this.#change(owner, (session) => {
      checkAliasName(name, release.aliasNameMax);
      if (Object.hasOwn(session.staged, name)) throw aliasError("Device Alias already present");
      if (Object.values(session.staged).includes(wwn)) {
        throw aliasError("Another device-alias already present with the same pwwn");
      }
      if (Object.keys(session.staged).length >= limits.deviceAliases) {
        // Text not published.
        throw aliasError("Maximum number of device-aliases reached");
      }
      session.staged[name] = wwn;
    });
  }

  remove(owner: Owner, name: string): Output {
    return this.#change(owner, (session) => {
      if (!Object.hasOwn(session.staged, name)) throw aliasError("Device Alias not present");
      Reflect.deleteProperty(session.staged, name);
    });
  }

  rename(owner: Owner, from: string, to: string, release: Release): Output {
    return this.#change(owner, (session) => {
      checkAliasName(to, release.aliasNameMax);
      const wwn = Object.hasOwn(session.staged, from) ? session.staged[from] : undefined;
      if (wwn === undefined) throw aliasError("Device Alias not present");
      if (Object.hasOwn(session.staged, to)) {
        throw aliasError("Target device-alias name already in use. Please specify a new name.");
      }
      Reflect.deleteProperty(session.staged, from);
      session.staged[to] = wwn;
      session.renamed.set(from, to);
    });
  }

  clearDatabase(owner: Owner): Output {
    return this.#change(owner, (session) => {
      session.staged = {};
    });
  }

  setMode(owner: Owner, mode: VsanSettings["aliasMode"]): Output {
    return this.#change(owner, (session) => {
      if (mode === "basic" && this.#hasNamedMembers()) {
        throw aliasError("Device-alias enhanced zone member present");
      }
      session.mode = mode;
    });
  }

  /** Takes effect at once: it is about the distribution itself. */
  setDistribution(owner: Owner, on: boolean): Output {
    this.#refuseOthers(owner);
    this.#set({ aliasDistribution: on });
    if (!on) this.session = undefined;
    return silent;
  }

  commit(owner: Owner): Output {
    this.#refuseOthers(owner);
    // mdssdk devicealias.py.
    if (this.options.now() < this.#busyUntilMs) {
      throw new CliError("Commit in progress. Check the status.");
    }
    const { session } = this;
    if (session?.changed !== true) {
      if (session !== undefined) this.session = undefined;
      throw new CliError("There are no pending changes");
    }
    this.#busyUntilMs = this.options.now() + this.options.readings.aliasCommitMs;
    this.#apply(session);
    this.session = undefined;
    return silent;
  }

  abort(owner: Owner): Output {
    this.#refuseOthers(owner);
    if (this.session === undefined) throw new CliError("There are no pending changes");
    this.session = undefined;
    return silent;
  }

  /** `clear device-alias session`: drops the session whoever holds it. */
  clearSession(): Output {
    this.session = undefined;
    return silent;
  }

  drop(): void {
    this.session = undefined;
    this.#busyUntilMs = 0;
  }

  /** The database checksum as the status shows it: 16 bytes in hex, no fixed width. */
  checksum(): string {
    const text = JSON.stringify(Object.entries(this.committed).sort());
    const digest = createHash("md5").update(text).digest("hex");
    return `0x${digest.replace(/^0+/, "")}`;
  }

  #change(owner: Owner, mutate: (session: AliasSession) => void): Output {
    this.#refuseOthers(owner);
    const { aliasMode, aliasDistribution } = this.settings;
    const session = this.session ?? {
      owner,
      staged: this.committed,
      mode: aliasMode,
      distribution: aliasDistribution,
      changed: false,
      renamed: new Map<string, string>(),
    };
    // The lock comes before the check of the command: a refused one leaves a session without changes.
    if (aliasDistribution) this.session = session;
    mutate(session);
    session.changed = true;
    if (!aliasDistribution) this.#apply(session);
    return silent;
  }

  /** @throws {CliError} when another holds the fabric's lock (text assumed: CFS, `is already locked`). */
  #refuseOthers(owner: Owner): void {
    if (this.session !== undefined && !sameOwner(this.session.owner, owner)) {
      throw new CliError("Database locked by another user: fabric is already locked");
    }
  }

  #apply(session: AliasSession): void {
    this.options.world.change((state) => {
      for (const fabric of Object.values(state.fabrics)) {
        if (!(this.options.device in fabric.switches)) continue;
        const entries = Object.entries(session.staged).map(([name, wwn]) => [name, [wwn]]);
        fabric.zoning.defined.aliases = Object.fromEntries(entries) as Record<string, string[]>;
        renameMembers(fabric, session.renamed);
      }
    });
    this.#set({ aliasMode: session.mode });
    this.options.onCommit();
  }

  #set(values: Record<string, string | boolean>): void {
    this.options.world.change((state) => {
      for (const fabric of Object.values(state.fabrics)) {
        if (this.options.device in fabric.switches) setAttributes(fabric, values);
      }
    });
  }

  #hasNamedMembers(): boolean {
    return this.#fabrics().some((fabric) =>
      Object.values(fabric.zoning.defined.zones).some((zone) =>
        zone.members.some((member) => memberOf(member).type === "device-alias"),
      ),
    );
  }

  #fabrics(): ReturnType<typeof fabricsOf> {
    return fabricsOf(this.options.world.view, this.options.device);
  }
}

export function aliasLine(name: string, wwn: string): string {
  return `device-alias name ${name} pwwn ${wwn}`;
}

export function noAliases(): Output {
  return message("There are no entries in the database");
}

/** In enhanced mode members name the alias itself and follow its new name. */
function renameMembers(fabric: Fabric, renamed: ReadonlyMap<string, string>): void {
  if (renamed.size === 0) return;
  const follow = (members: readonly string[]): string[] =>
    members.map((text) => {
      const member = memberOf(text);
      const name = member.type === "device-alias" ? renamed.get(member.value) : undefined;
      return name === undefined ? text : memberText({ ...member, value: name });
    });
  for (const zone of Object.values(fabric.zoning.defined.zones))
    zone.members = follow(zone.members);
  const active = fabric.attributes?.["active"] as Record<string, string[]> | undefined;
  if (active === undefined) return;
  const entries = Object.entries(active).map(([zone, members]) => [zone, follow(members)]);
  setAttributes(fabric, { active: Object.fromEntries(entries) as Record<string, string[]> });
}
