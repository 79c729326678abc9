import { readdirSync } from "node:fs";
import { labError } from "./emulator/lab-error";
import type { GuestSpec, GuestStatus, GuestSupervisorOptions } from "./control/guest-supervisor";
import { createGuestSupervisor, type LabGuests as Supervisor } from "./guests/supervisor";
import type { Level } from "./levels";
import { guestAddress } from "./ports";
import { templateKind } from "./site";

/** Addresses that the daemon hands out to machines without one begin here. */
const firstOwnAddress = 200;
const lastOwnAddress = 250;

export interface LabGuestsOptions extends GuestSupervisorOptions {
  readonly level: Level;
  /** Third byte of the guests' addresses. */
  readonly guestNet: number;
  /** Templates of the vCenter. */
  readonly templates: readonly string[];
}

/** The guests of a lab: the supervisor, with an address for those that bring none. */
export class LabGuests {
  readonly #supervisor: Supervisor;

  constructor(private readonly options: LabGuestsOptions) {
    this.#supervisor = createGuestSupervisor(options, options.level);
  }

  /** Answers where the guest is reachable. */
  async powerOn(vm: string, body: unknown): Promise<{ address: string; hostname: string }> {
    // The supervisor checks every field; only the two that matter here are looked at.
    const spec = { ...(body as GuestSpec) };
    const kinds = this.options.templates.map(templateKind);
    if (!kinds.includes(spec.template)) {
      throw labError(`${vm}: no template "${spec.template}"; the lab has ${kinds.join(", ")}`);
    }
    const address = spec.address || this.#freeAddress();
    await this.#supervisor.powerOn(vm, { ...spec, address });
    return { address, hostname: spec.hostname };
  }

  powerOff(vm: string, hard: boolean): Promise<void> {
    return this.#supervisor.powerOff(vm, { hard });
  }

  remove(vm: string): Promise<void> {
    return this.#supervisor.remove(vm);
  }

  status(): readonly GuestStatus[] {
    return this.#supervisor.status();
  }

  /** Guests that have files, on or off. */
  names(): string[] {
    return readdirSync(this.options.dir).sort();
  }

  async removeAll(): Promise<void> {
    for (const vm of this.names()) await this.#supervisor.remove(vm);
  }

  close(): Promise<void> {
    return this.#supervisor.close();
  }

  #freeAddress(): string {
    const used = new Set(this.#supervisor.status().map((guest) => guest.address));
    for (let last = firstOwnAddress; last <= lastOwnAddress; last++) {
      const address = guestAddress(this.options.guestNet, last);
      if (!used.has(address)) return address;
    }
    throw labError("no free guest address is left");
  }
}
