import type { BedId } from "../../../bed/identities";
import { DeviceError } from "../../../bed/errors";
import { deviceIdentity, type DeviceCall, type InventoryObject } from "../call";
import type { Clock } from "../clock";
import type {
  FabricFacts,
  FabricLogin,
  FabricSwitch,
  ZoningChange,
  ZoningState,
  ZoningTransaction,
} from "../fabric-switch";
import type { PortSnapshot, SwitchEvent } from "../fabric-evidence";
import { Semaphore } from "../limiter";
import type { FabricSweeper } from "../sweep";
import { editOrRefusal } from "../zoning-refusal";
import { fosCommands } from "./fos-commands";
import { FosNames } from "./fos-names";
import { FosReads } from "./fos-reads";
import type { FosPatience } from "./fos-patience";
import type { FosSession } from "./fos-session";
import { FosZoning } from "./fos-zoning";
import { planSweep } from "../zoning-sweep";
import { zoningInventory } from "../zoning-inventory";
import type { ZoningPlan } from "./fos-staging";
import { FosTransaction } from "./zoning-transaction";

/** A Brocade switch over the FOS REST API, 8.2.0 and later. One session, one transaction at a time. */
export class BrocadeFosSwitch implements FabricSwitch, FabricSweeper {
  readonly device: string;
  readonly #zoning: FosZoning;
  readonly #reads: FosReads;
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
    readonly vfId: number | undefined;
    readonly closeHttp: () => Promise<void>;
  }) {
    this.device = options.device;
    const { device, session, vfId } = options;
    const names = new FosNames();
    this.#zoning = new FosZoning(device, session, names);
    this.#reads = new FosReads({ device, session, names, vfId });
    this.#clock = options.clock;
    this.#patience = options.patience;
    this.#closeHttp = options.closeHttp;
  }

  async facts(call: DeviceCall): Promise<FabricFacts> {
    return await this.#reads.facts(call);
  }

  async logins(call: DeviceCall): Promise<readonly FabricLogin[]> {
    return await this.#reads.logins(call);
  }

  async ports(call: DeviceCall): Promise<PortSnapshot> {
    const takenAt = new Date(this.#clock.now()).toISOString();
    return { takenAt, ports: await this.#reads.ports(call) };
  }

  async events(call: DeviceCall, sinceMs: number): Promise<readonly SwitchEvent[]> {
    return await this.#reads.events(call, sinceMs);
  }

  commands(state: ZoningState, change: ZoningChange): readonly string[] {
    const edit = editOrRefusal(this.device, state, change);
    return edit === undefined ? [] : fosCommands(state, edit);
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
    return [deviceIdentity(switchWwn), ...zoningInventory(zoning)];
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
