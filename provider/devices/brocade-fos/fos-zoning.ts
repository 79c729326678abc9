import type { z } from "zod";
import { isDeviceError, type DeviceError } from "../../../bed/errors";
import { readAnswer } from "../answer-form";
import type { DeviceCall } from "../call";
import { fosError } from "./fos-errors";
import type { FosNames } from "./fos-names";
import type { FosSession } from "./fos-session";
import { fosWrites } from "./fos-writes";
import {
  definedConfigurationShape,
  effectiveConfigurationShape,
  fabricLockShape,
  type WireDefined,
  type WireLock,
} from "./wire";
import { toDatabase, type FosDatabase } from "./zoning-database";
import type { ZoningEdit } from "../zoning-edit";

/** The zoning requests of one switch: reads in the neutral form, staged writes, commit and abort. */
export class FosZoning {
  readonly device: string;
  readonly session: FosSession;
  readonly #names: FosNames;
  #hasLockResource = true;
  #known: { readonly checksum: string; readonly defined: WireDefined } | undefined;

  constructor(device: string, session: FosSession, names: FosNames) {
    this.device = device;
    this.session = session;
    this.#names = names;
  }

  /**
   * The database. Its checksum (MD5 of the configuration database, YANG brocade-zone) tells whether the
   * defined form is still the one that was read last: then it is not read again, unless as a `proof`.
   */
  async database(call: DeviceCall, purpose: "plan" | "proof" = "plan"): Promise<FosDatabase> {
    const operation = "read the zoning database";
    // The checksum first: a commit by others between the two reads then makes ours be refused,
    // instead of letting it through on an outdated base.
    const effective = this.#parse(
      effectiveConfigurationShape,
      "effective-configuration",
      (await this.#readZoning(call, "effective-configuration", operation)) ?? {},
      operation,
    );
    const pending = (effective["transaction-token"] ?? 0) !== 0;
    const known = this.#known;
    if (purpose === "plan" && !pending && known?.checksum === effective.checksum) {
      return toDatabase(known.defined, effective);
    }
    const defined = this.#parse(
      definedConfigurationShape,
      "defined-configuration",
      // Where nothing is in force nothing may be defined either, and the container be left out.
      (await this.#readZoning(
        call,
        "defined-configuration",
        operation,
        effective["cfg-name"] === undefined ? "list" : "container",
      )) ?? {},
      operation,
    );
    // While somebody edits, what was read may be what is pending: that is nobody's checksum.
    this.#known = pending ? undefined : { checksum: effective.checksum, defined };
    return toDatabase(defined, effective);
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
  async stage(
    call: DeviceCall,
    edit: ZoningEdit,
    perRequest: number,
    opened: () => void,
  ): Promise<void> {
    for (const [method, content] of fosWrites(edit, perRequest)) {
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

  async #readZoning(
    call: DeviceCall,
    part: string,
    operation: string,
    kind: "list" | "container" = "container",
  ): Promise<unknown> {
    return await this.#names.withFallback((old) =>
      this.session.read(call, this.#names.zoning(part, old), { operation }, kind),
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
  waitedMs: number,
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
    message:
      `a zoning transaction of ${who} is open${token === 0 ? "" : ` (token ${token.toString()})`}` +
      `, waited for ${Math.round(waitedMs / 1000).toString()} s`,
  };
  return fosError({ device, operation: "change the zoning" }, fault);
}

function from(address: string | undefined): string | undefined {
  return address === undefined || address === "none" ? undefined : `from ${address}`;
}
