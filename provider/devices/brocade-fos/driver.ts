import { createHash } from "node:crypto";
import { bedOfName } from "../../../bed/mark";
import { parseBedId, type BedId } from "../../../bed/identities";
import { DeviceError } from "../../../bed/errors";
import { deviceIdentity, type DeviceCall, type InventoryObject } from "../call";
import type { Clock } from "../clock";
import type {
  FabricFacts,
  FabricLogin,
  FabricSwitch,
  ZoningState,
  ZoningTransaction,
} from "../fabric-switch";
import { Semaphore } from "../limiter";
import type { FabricSweeper } from "../sweep";
import type { FosPatience, FosSession } from "./fos-session";
import { FosZoning } from "./fos-zoning";
import { planSweep } from "./zoning-sweep";
import { FosTransaction, type ZoningPlan } from "./zoning-transaction";
import { bedOfZone, toLogin } from "./zoning-database";

/** A Brocade switch over the FOS REST API, 8.2.0 and later. One session, one transaction at a time. */
export class BrocadeFosSwitch implements FabricSwitch, FabricSweeper {
  readonly device: string;
  readonly #zoning: FosZoning;
  readonly #clock: Clock;
  readonly #patience: FosPatience;
  readonly #closeHttp: () => Promise<void>;
  /** The owner of a transaction reads its staged view: other reads wait until it is over. */
  readonly #database = new Semaphore(1);

  constructor(options: {
    readonly device: string;
    readonly session: FosSession;
    readonly clock: Clock;
    readonly patience: FosPatience;
    readonly closeHttp: () => Promise<void>;
  }) {
    this.device = options.device;
    this.#zoning = new FosZoning(options.device, options.session);
    this.#clock = options.clock;
    this.#patience = options.patience;
    this.#closeHttp = options.closeHttp;
  }

  async facts(call: DeviceCall): Promise<FabricFacts> {
    const [entry] = await this.#zoning.switchFacts(call);
    if (entry === undefined) {
      throw new DeviceError({
        kind: "protocol",
        device: this.device,
        operation: "read the switch",
        reason: "it lists no switch",
      });
    }
    return {
      model: entry.model ?? "unknown",
      firmware: entry["firmware-version"] ?? "unknown",
      switchName: entry["user-friendly-name"] ?? entry.name,
      switchWwn: entry.name,
      fabricName:
        entry["fabric-user-friendly-name"] === "" ? undefined : entry["fabric-user-friendly-name"],
    };
  }

  async logins(call: DeviceCall): Promise<readonly FabricLogin[]> {
    const entries = await this.#zoning.logins(call);
    return entries.map(toLogin).filter((login) => login !== undefined);
  }

  async zoning(call: DeviceCall): Promise<ZoningState> {
    const release = await this.#database.acquire(call.signal);
    try {
      return (await this.#zoning.database(call)).state;
    } finally {
      release();
    }
  }

  async stage(call: DeviceCall, plan: ZoningPlan): Promise<ZoningTransaction | undefined> {
    const release = await this.#database.acquire(call.signal);
    const letSessionGo = this.#zoning.session.hold();
    const finish = (): void => {
      letSessionGo();
      release();
    };
    const tools = { zoning: this.#zoning, clock: this.#clock, patience: this.#patience, finish };
    return await FosTransaction.open(call, tools, plan);
  }

  async inventory(call: DeviceCall): Promise<readonly InventoryObject[]> {
    const [zoning, { switchWwn }] = await Promise.all([this.zoning(call), this.facts(call)]);
    return [deviceIdentity(switchWwn), ...inventoryOf(zoning)];
  }

  async sweep(
    call: DeviceCall,
    bedId: BedId,
    zones: readonly string[],
  ): Promise<readonly string[]> {
    let removed: readonly string[] = [];
    const transaction = await this.stage(call, (state) => {
      const sweep = planSweep(state, bedId, zones);
      if ("refusal" in sweep) {
        throw new DeviceError({
          kind: "refused",
          device: this.device,
          operation: "sweep",
          ...sweep.refusal,
        });
      }
      removed = sweep.removed;
      return sweep.change;
    });
    await transaction?.commit(call);
    return removed;
  }

  async close(): Promise<void> {
    await this.#zoning.session.logout();
    await this.#closeHttp();
  }
}

/** The zoning database as objects with digests. Sorted, so that order on the switch means nothing. */
function inventoryOf(state: ZoningState): readonly InventoryObject[] {
  const objects: InventoryObject[] = [];
  const add = (kind: string, name: string, bed: string | undefined, content: unknown): void => {
    const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
    objects.push({ class: kind, name, bedId: parseBedId(bed ?? ""), digest });
  };
  for (const [name, members] of state.aliases) {
    add("alias", name, bedOfName(name), [...members].sort());
  }
  for (const [name, zone] of state.zones) {
    add("zone", name, bedOfZone(zone.members), [zone.type, [...zone.members].sort()]);
  }
  for (const [name, config] of state.configs) {
    // One object per member: what others add to or take from it is told apart from what we do.
    add("zoneConfig", name, undefined, name);
    for (const zone of config.zones) {
      const bed = bedOfZone(state.zones.get(zone)?.members ?? []);
      add("zoneConfigMember", `${name}/${zone}`, bed, null);
    }
  }
  for (const [name, members] of state.effective?.zones ?? []) {
    // Aliases are resolved in the effective form: the defined zone of this name tells whose it is.
    const bed = bedOfZone(state.zones.get(name)?.members ?? []);
    add("effectiveZone", name, bed, [...members].sort());
  }
  add("fabricSetting", "effective configuration", undefined, state.effective?.name ?? null);
  add("fabricSetting", "default access", undefined, state.defaultAccess);
  return objects.sort((a, b) => `${a.class}/${a.name}`.localeCompare(`${b.class}/${b.name}`));
}
