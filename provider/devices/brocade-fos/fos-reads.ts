import type { z } from "zod";
import { DeviceError } from "../../../bed/errors";
import { readAnswer } from "../answer-form";
import type { DeviceCall } from "../call";
import type { FabricPort, SwitchEvent } from "../fabric-evidence";
import type { FabricFacts, FabricLogin } from "../fabric-switch";
import { toEvents, toPorts } from "./fos-evidence";
import type { FosNames } from "./fos-names";
import type { FosSession } from "./fos-session";
import { eventShape, interfaceShape, nameServerShape, statisticsShape, switchShape } from "./wire";
import { toLogin } from "./zoning-database";

/** What a switch tells besides its zoning. */
export class FosReads {
  readonly #device: string;
  readonly #session: FosSession;
  readonly #names: FosNames;
  readonly #vfId: number | undefined;

  constructor(options: {
    readonly device: string;
    readonly session: FosSession;
    readonly names: FosNames;
    readonly vfId: number | undefined;
  }) {
    this.#device = options.device;
    this.#session = options.session;
    this.#names = options.names;
    this.#vfId = options.vfId;
  }

  async facts(call: DeviceCall): Promise<FabricFacts> {
    const operation = "read the switch";
    const [entry] = await this.#names.withFallback((old) =>
      this.#list(call, switchShape, this.#names.switch("fibrechannel-switch", old), operation),
    );
    if (entry === undefined) throw this.#error(operation, "it lists no switch");
    const vfId = entry["vf-id"];
    if (this.#vfId !== undefined && vfId !== undefined && vfId !== this.#vfId) {
      throw this.#error(
        operation,
        `it answers for logical switch ${vfId.toString()}, not ${this.#vfId.toString()}`,
        "Check vfId and that virtual fabrics are on (fosconfig --show).",
      );
    }
    const ticks = entry["up-time"];
    return {
      model: entry.model ?? "unknown",
      firmware: entry["firmware-version"] ?? "unknown",
      switchName: entry["user-friendly-name"] ?? entry.name,
      switchWwn: entry.name,
      fabricName:
        entry["fabric-user-friendly-name"] === "" ? undefined : entry["fabric-user-friendly-name"],
      uptimeSeconds: ticks === undefined ? undefined : Math.floor(ticks / 100),
    };
  }

  async logins(call: DeviceCall): Promise<readonly FabricLogin[]> {
    const path = "/rest/running/brocade-name-server/fibrechannel-name-server";
    const entries = await this.#list(call, nameServerShape, path, "read the name server");
    return entries.map(toLogin).filter((login) => login !== undefined);
  }

  async ports(call: DeviceCall): Promise<readonly FabricPort[]> {
    const path = "/rest/running/brocade-interface";
    const [interfaces, statistics] = await Promise.all([
      this.#list(call, interfaceShape, `${path}/fibrechannel`, "read the ports"),
      this.#list(call, statisticsShape, `${path}/fibrechannel-statistics`, "read the counters"),
    ]);
    return toPorts(interfaces, statistics);
  }

  async events(call: DeviceCall, sinceMs: number): Promise<readonly SwitchEvent[]> {
    const path = "/rest/running/brocade-logging/error-log";
    return toEvents(await this.#list(call, eventShape, path, "read the event log"), sinceMs);
  }

  async #list<T extends z.ZodType>(
    call: DeviceCall,
    form: T,
    path: string,
    operation: string,
  ): Promise<z.infer<T>> {
    const part = await this.#session.read(call, path, { operation });
    return readAnswer(form, part, { device: this.#device, operation, asked: path });
  }

  #error(operation: string, reason: string, remedy?: string): DeviceError {
    return new DeviceError({ kind: "protocol", device: this.#device, operation, reason, remedy });
  }
}
