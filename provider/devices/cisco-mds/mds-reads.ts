import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { FabricPort, SwitchEvent } from "../fabric-evidence";
import type { FabricFacts } from "../fabric-switch";
import { lines, type CliLine, type Vsan } from "./cli-line";
import { readEvents, readPorts, readUptimeSeconds } from "./mds-evidence";
import type { NxapiClient, Purpose } from "./nxapi-client";
import type { CommandOutput } from "./nxapi-wire";
import { meaningOf, nxosError } from "./nxos-errors";
import { rowsOf, textOf } from "./tables";

/** What is read of the switch itself, apart from zoning. */
export class MdsReads {
  readonly #nxapi: NxapiClient;
  readonly #vsan: Vsan;
  readonly #now: () => number;

  constructor(nxapi: NxapiClient, vsan: Vsan, now: () => number) {
    this.#nxapi = nxapi;
    this.#vsan = vsan;
    this.#now = now;
  }

  async facts(call: DeviceCall): Promise<FabricFacts> {
    const purpose = { operation: "read the switch" };
    const [version, vsan] = await this.#bodies(
      call,
      [lines.showVersion, lines.showVsan(this.#vsan)],
      purpose,
    );
    const said = await this.#nxapi.text(call, lines.showSwitchWwn, purpose);
    const switchWwn = /((?:[0-9a-f]{2}:){7}[0-9a-f]{2})/i.exec(said)?.[1]?.toLowerCase();
    if (switchWwn === undefined) {
      throw this.#protocol(purpose, `it tells no WWN: ${said.slice(0, 200)}`);
    }
    const [row] = rowsOf(vsan, "vsan");
    return {
      model: textOf(version, "chassis_id") ?? "unknown",
      firmware: textOf(version, "sys_ver_str", "kickstart_ver_str") ?? "unknown",
      switchName: textOf(version, "host_name") ?? switchWwn,
      switchWwn,
      fabricName: textOf(row, "name", "vsan_name"),
      uptimeSeconds: readUptimeSeconds(version),
    };
  }

  async ports(call: DeviceCall): Promise<readonly FabricPort[]> {
    const [brief, counters, flogi] = await this.#bodies(
      call,
      [lines.showInterfaceBrief, lines.showInterfaceCounters, lines.showLogins],
      { operation: "read the ports" },
    );
    return readPorts(brief, counters, flogi);
  }

  async events(call: DeviceCall, sinceMs: number): Promise<readonly SwitchEvent[]> {
    const purpose = { operation: "read the event log" };
    const clock = await this.#nxapi.text(call, lines.showClock, purpose);
    const asked = this.#now();
    try {
      const log = await this.#nxapi.text(call, lines.showLog, purpose);
      return readEvents(log, clock, asked, sinceMs);
    } catch (error) {
      if (isDeviceError(error, "notFound")) return [];
      throw error;
    }
  }

  async #bodies(
    call: DeviceCall,
    commands: readonly CliLine[],
    purpose: Purpose,
  ): Promise<unknown[]> {
    const outputs = await this.#nxapi.show(call, commands, purpose);
    return outputs.map((output) => this.#bodyOf(output, purpose));
  }

  #bodyOf(output: CommandOutput, purpose: Purpose): unknown {
    if (output.code === "200") return output.body;
    if (meaningOf(output.code, output.text) === "absent") return undefined;
    throw nxosError({ device: this.#nxapi.device, ...purpose }, output);
  }

  #protocol(purpose: Purpose, reason: string): DeviceError {
    return new DeviceError({ kind: "protocol", device: this.#nxapi.device, ...purpose, reason });
  }
}
