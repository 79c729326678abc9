import { DeviceError } from "../../../bed/errors";
import type { BedId } from "../../../bed/identities";
import { deviceIdentity, type DeviceCall, type InventoryObject } from "../call";
import type { PortSnapshot, SwitchEvent } from "../fabric-evidence";
import type {
  FabricFacts,
  FabricLogin,
  FabricSwitch,
  ZoningChange,
  ZoningState,
  ZoningTransaction,
} from "../fabric-switch";
import { Semaphore } from "../limiter";
import { zoningInventory } from "../zoning-inventory";
import { planSweep } from "../zoning-sweep";
import { mdsCommands } from "./mds-commands";
import type { MdsDatabase } from "./mds-database";
import type { MdsTools } from "./mds-locks";
import { MdsReads } from "./mds-reads";
import { checkedEdit, type ZoningPlan } from "./mds-stage";
import { MdsTransaction, type TransactionSettings } from "./mds-transaction";
import type { NxapiClient } from "./nxapi-client";

/** One VSAN of a Cisco MDS fabric, over NX-API of one of its switches. One transaction at a time. */
export class CiscoMdsSwitch implements FabricSwitch {
  readonly device: string;
  readonly #nxapi: NxapiClient;
  readonly #tools: MdsTools;
  readonly #reads: MdsReads;
  readonly #settings: TransactionSettings;
  /** Reads wait for a transaction of ours: they would show it half done. */
  readonly #database = new Semaphore(1);
  /** What a neutral state leaves out, for {@link CiscoMdsSwitch.commands}. */
  readonly #behind = new WeakMap<ZoningState, MdsDatabase>();

  constructor(options: {
    readonly nxapi: NxapiClient;
    readonly tools: MdsTools;
    readonly settings: TransactionSettings;
  }) {
    this.device = options.nxapi.device;
    this.#nxapi = options.nxapi;
    this.#tools = options.tools;
    this.#settings = options.settings;
    const { clock, zoning } = options.tools;
    this.#reads = new MdsReads(options.nxapi, zoning.vsan, () => clock.now());
  }

  async facts(call: DeviceCall): Promise<FabricFacts> {
    return await this.#reads.facts(call);
  }

  async logins(call: DeviceCall): Promise<readonly FabricLogin[]> {
    return await this.#tools.zoning.logins(call);
  }

  async ports(call: DeviceCall): Promise<PortSnapshot> {
    const takenAt = new Date(this.#tools.clock.now()).toISOString();
    return { takenAt, ports: await this.#reads.ports(call) };
  }

  async events(call: DeviceCall, sinceMs: number): Promise<readonly SwitchEvent[]> {
    return await this.#reads.events(call, sinceMs);
  }

  async zoning(call: DeviceCall): Promise<ZoningState> {
    const release = await this.#database.acquire(call.signal);
    try {
      const database = await this.#tools.zoning.database(call);
      this.#behind.set(database.state, database);
      return database.state;
    } finally {
      release();
    }
  }

  commands(state: ZoningState, change: ZoningChange): readonly string[] {
    const database = this.#behind.get(state) ?? assumedBehind(state);
    const edit = checkedEdit(this.#tools, database, change, this.#settings.aliases);
    if (edit === undefined) return [];
    return mdsCommands(edit, database.status.enhanced, this.#tools.zoning.vsan);
  }

  async stage(call: DeviceCall, plan: ZoningPlan): Promise<ZoningTransaction | undefined> {
    return await this.#stage(call, plan, this.#settings);
  }

  async inventory(call: DeviceCall): Promise<readonly InventoryObject[]> {
    const [zoning, { switchWwn }] = [await this.zoning(call), await this.facts(call)];
    // One switch carries several fabrics: the VSAN tells them apart.
    const identity = deviceIdentity(`${switchWwn} vsan ${this.#tools.zoning.vsan.id.toString()}`);
    return [identity, ...zoningInventory(zoning)];
  }

  async sweep(
    call: DeviceCall,
    bedId: BedId,
    zones: readonly string[],
  ): Promise<readonly string[]> {
    let removed: readonly string[] = [];
    const settings = { ...this.#settings, beds: [bedId] };
    const plan: ZoningPlan = (state) => {
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
    };
    const transaction = await this.#stage(call, plan, settings);
    await transaction?.commit(call);
    return removed;
  }

  async #stage(
    call: DeviceCall,
    plan: ZoningPlan,
    settings: TransactionSettings,
  ): Promise<ZoningTransaction | undefined> {
    const release = await this.#database.acquire(call.signal);
    return await MdsTransaction.open(call, this.#tools, plan, settings, release);
  }

  async close(): Promise<void> {
    await this.#nxapi.close();
  }
}

/** For a state that this driver did not read: the modes that Cisco recommends, aliases by their form. */
function assumedBehind(state: ZoningState): MdsDatabase {
  return {
    state,
    kinds: new Map(
      [...state.aliases].map(([name, members]) => [
        name,
        members.length === 1 ? "device-alias" : "fcalias",
      ]),
    ),
    status: {
      enhanced: true,
      session: undefined,
      operation: "",
      working: false,
      defaultAccess: state.defaultAccess,
      usedBytes: undefined,
      maxBytes: undefined,
    },
    aliasStatus: { enhanced: true, distributed: true, holder: undefined },
    hasFcaliases: true,
  };
}
