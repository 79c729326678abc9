import type { z } from "zod";
import { isDeviceError, type DeviceError } from "../../../bed/errors";
import { readAnswer } from "../answer-form";
import type { DeviceCall } from "../call";
import { fosError } from "./fos-errors";
import type { FosNames } from "./fos-names";
import type { FosSession } from "./fos-session";
import {
  definedConfigurationShape,
  effectiveConfigurationShape,
  fabricLockShape,
  type WireLock,
} from "./wire";
import { toDatabase, type FosDatabase } from "./zoning-database";
import type { ZoningEdit } from "../zoning-edit";

/** More objects in one request have been lost without an error (brocade/pyfos issue 17). */
const chunkSize = 100;

/** The zoning requests of one switch: reads in the neutral form, staged writes, commit and abort. */
export class FosZoning {
  readonly device: string;
  readonly session: FosSession;
  readonly #names: FosNames;
  #hasLockResource = true;

  constructor(device: string, session: FosSession, names: FosNames) {
    this.device = device;
    this.session = session;
    this.#names = names;
  }

  async database(call: DeviceCall): Promise<FosDatabase> {
    const operation = "read the zoning database";
    // The checksum first: a commit by others between the two reads then makes ours be refused,
    // instead of letting it through on an outdated base.
    const effective = await this.#readZoning(call, "effective-configuration", operation);
    const defined = await this.#readZoning(call, "defined-configuration", operation);
    return toDatabase(
      this.#parse(definedConfigurationShape, "defined-configuration", defined ?? {}, operation),
      this.#parse(
        effectiveConfigurationShape,
        "effective-configuration",
        effective ?? {},
        operation,
      ),
    );
  }

  /** The fabric-wide lock, where the switch shows it (FOS 9.0) and somebody holds it. */
  async lock(call: DeviceCall): Promise<WireLock | undefined> {
    if (!this.#hasLockResource || this.#names.areOld) return undefined;
    const operation = "read the fabric lock";
    try {
      // No fallback to the old names: the lock came with FOS 9.0, which has the new ones.
      const part = await this.session.read(call, this.#names.zoning("fabric-lock"), { operation });
      if (part === undefined) return undefined;
      const lock = this.#parse(fabricLockShape, "fabric-lock", part, operation);
      return (lock["lock-principal-domain-id"] ?? 0) === 0 ? undefined : lock;
    } catch (error) {
      if (!isDeviceError(error, "unsupported")) throw error;
      this.#hasLockResource = false;
      return undefined;
    }
  }

  /**
   * Stages the edit in the order that leaves no dangling name: create, replace, join, leave, delete.
   * `opened` is called as soon as a write was accepted, so that a transaction of ours is open.
   */
  async stage(call: DeviceCall, edit: ZoningEdit, opened: () => void): Promise<void> {
    for (const [method, content] of writesOf(edit)) {
      call.onWrite?.();
      await this.session.send(call, {
        method,
        path: this.#names.zoning("defined-configuration"),
        body: { "defined-configuration": content },
        operation: "stage the zoning change",
      });
      opened();
    }
  }

  /** Enables the configuration (which saves too), or only saves where none is named. */
  async commit(call: DeviceCall, config: string | undefined, checksum: string): Promise<void> {
    call.onWrite?.();
    const action = config === undefined ? { "cfg-action": 1 } : { "cfg-name": config };
    await this.session.send(call, {
      method: "PATCH",
      path: this.#names.zoning("effective-configuration"),
      body: { "effective-configuration": { ...action, checksum } },
      operation: config === undefined ? "save the zoning change" : "enable the zone configuration",
      object: config,
    });
  }

  async abort(call: DeviceCall): Promise<void> {
    await this.session.send(call, {
      method: "PATCH",
      path: this.#names.zoning("effective-configuration"),
      body: { "effective-configuration": { "cfg-action": 4 } },
      operation: "abort the zoning transaction",
    });
  }

  async #readZoning(call: DeviceCall, part: string, operation: string): Promise<unknown> {
    return await this.#names.withFallback((old) =>
      this.session.read(call, this.#names.zoning(part, old), { operation }, "container"),
    );
  }

  #parse<T extends z.ZodType>(
    form: T,
    part: string,
    value: unknown,
    operation: string,
  ): z.infer<T> {
    const asked = this.#names.zoning(part);
    return readAnswer(form, value, { device: this.device, operation, asked });
  }
}

/** The error for a transaction that somebody else holds: who, from where, for how long. */
export function lockedError(
  device: string,
  lock: WireLock | undefined,
  token: number,
): DeviceError {
  const holder = lock?.["client-user-name"];
  const words = [
    holder === undefined ? undefined : `user ${holder}`,
    from(lock?.["client-ip-address"]),
    lock?.["client-interface"] === undefined ? undefined : `over ${lock["client-interface"]}`,
    lock?.["remaining-time"] === undefined
      ? undefined
      : `${lock["remaining-time"].toString()} s left of the lock`,
  ].filter((word) => word !== undefined);
  const who = words.length === 0 ? "somebody (this FOS does not say who)" : words.join(", ");
  const fault = {
    status: 400,
    code: -3,
    module: "zone",
    documented: true,
    message: `a zoning transaction of ${who} is open${token === 0 ? "" : ` (token ${token.toString()})`}`,
  };
  return fosError({ device, operation: "change the zoning" }, fault);
}

type Write = readonly ["POST" | "PATCH" | "DELETE", object];

/** The requests of an edit, in order, each within what the switch takes at once. */
function writesOf(edit: ZoningEdit): Write[] {
  const { enable } = edit;
  // POST adds members to a configuration and DELETE takes them out: members of others stay untouched.
  const joins =
    enable === undefined ? [] : chunks(edit.join).map((zones) => [enable, zones] as const);
  return [
    ...listWrites("POST", edit.createAliases, edit.createZones, joins),
    ...listWrites("PATCH", edit.replaceAliases, edit.replaceZones, []),
    ...[...edit.leave].flatMap(([config, leaving]) =>
      chunks(leaving).map((zones): Write => ["DELETE", { cfg: [configEntry(config, zones)] }]),
    ),
    ...chunks(edit.removeZones).map((names): Write => [
      "DELETE",
      { zone: names.map((name) => ({ "zone-name": name })) },
    ]),
    ...chunks(edit.removeAliases).map((names): Write => [
      "DELETE",
      { alias: names.map((name) => ({ "alias-name": name })) },
    ]),
  ];
}

/** One request for all three lists where they are short enough, else one or more for each. */
function listWrites(
  method: "POST" | "PATCH",
  aliases: ReadonlyMap<string, readonly string[]>,
  zones: ReadonlyMap<string, readonly string[]>,
  joins: readonly (readonly [string, readonly string[]])[],
): Write[] {
  const lists = {
    alias: [...aliases].map(aliasEntry),
    zone: [...zones].map(zoneEntry),
    cfg: joins.map(([config, names]) => configEntry(config, names)),
  };
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  const joining = joins.reduce((sum, [, names]) => sum + names.length, 0);
  if (lists.alias.length + lists.zone.length + joining <= chunkSize) {
    return filled.length === 0 ? [] : [[method, Object.fromEntries(filled)]];
  }
  return filled.flatMap(([kind, list]) =>
    // A configuration's entry is cut to size already: one a request.
    chunks(list, kind === "cfg" ? 1 : chunkSize).map((part): Write => [method, { [kind]: part }]),
  );
}

function from(address: string | undefined): string | undefined {
  return address === undefined || address === "none" ? undefined : `from ${address}`;
}

function aliasEntry([name, members]: readonly [string, readonly string[]]): object {
  return { "alias-name": name, "member-entry": { "alias-entry-name": members } };
}

function zoneEntry([name, members]: [string, readonly string[]]): object {
  return { "zone-name": name, "member-entry": { "entry-name": members } };
}

function configEntry(name: string, zones: readonly string[]): object {
  return { "cfg-name": name, "member-zone": { "zone-name": zones } };
}

function chunks<T>(list: readonly T[], size = chunkSize): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
