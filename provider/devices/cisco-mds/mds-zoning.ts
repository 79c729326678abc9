import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { FabricLogin } from "../fabric-switch";
import { lines, type CliLine, type Vsan } from "./cli-line";
import { requestsOf, type Block } from "./mds-commands";
import { readDatabase, readZoneStatus, type MdsDatabase, type ZoneStatus } from "./mds-database";
import { readLogins } from "./name-server";
import type { NxapiClient, Purpose, Refused } from "./nxapi-client";
import type { CommandOutput } from "./nxapi-wire";
import { meaningOf, nxosError } from "./nxos-errors";
import { rowsOf, wholeOf } from "./tables";

/** Well below what one request may hold; five hundred zones fit into two or three. */
const requestCharacters = 60_000;

/** What a write came to. `began`: at least one line of it was taken. */
export interface Written {
  readonly refused: DeviceError | undefined;
  readonly began: boolean;
  /** The switch said that it opened a session for these lines: nobody had one. */
  readonly openedSession: boolean;
}

/** Reads and writes of one VSAN's zoning and of the fabric's device aliases. */
export class MdsZoning {
  readonly device: string;
  readonly vsan: Vsan;
  readonly #nxapi: NxapiClient;

  constructor(nxapi: NxapiClient, vsan: Vsan) {
    this.device = nxapi.device;
    this.vsan = vsan;
    this.#nxapi = nxapi;
  }

  /**
   * The whole database in one request. Read again when the lists do not have as many objects as the switch
   * says: somebody changed it in between, or a list was cut short, which must never pass for empty.
   */
  async database(call: DeviceCall): Promise<MdsDatabase> {
    const { vsan } = this;
    const purpose = {
      operation: "read the zoning database",
      object: `of VSAN ${vsan.id.toString()}`,
    };
    const commands = [
      lines.showZoneStatus(vsan),
      lines.showZones(vsan),
      lines.showZonesets(vsan),
      lines.showActive(vsan),
      lines.showFcaliases(vsan),
      lines.showAliasDatabase,
      lines.showAliasStatus,
    ];
    for (let looks = 1; ; looks++) {
      const outputs = await this.#nxapi.show(call, commands, purpose);
      const body = (index: number): unknown => this.#bodyOf(outputs[index], purpose);
      const [status, zones, zonesets, active] = [body(0), body(1), body(2), body(3)];
      const [aliases, aliasStatus] = [body(5), body(6)];
      const fcaliases = isUnknown(outputs[4]) ? "unknown" : body(4);
      const answers = { status, zones, zonesets, active, fcaliases, aliases, aliasStatus };
      const database = readDatabase(answers, vsan.id);
      if ("malformed" in database) {
        throw this.#protocol(
          purpose,
          `the answer to ${database.malformed} is not of the documented form`,
        );
      }
      const difference = countDifference(answers, database);
      if (difference === undefined) return database;
      if (looks >= 3) throw this.#protocol(purpose, difference);
    }
  }

  async status(call: DeviceCall): Promise<ZoneStatus> {
    const purpose = { operation: "read the zone status" };
    const [output] = await this.#nxapi.show(call, [lines.showZoneStatus(this.vsan)], purpose);
    const status = readZoneStatus(this.#bodyOf(output, purpose), this.vsan.id);
    if (status !== undefined) return status;
    throw this.#protocol(purpose, "the answer to show zone status is not of the documented form");
  }

  async logins(call: DeviceCall): Promise<readonly FabricLogin[]> {
    const purpose = { operation: "read the name server" };
    const [output] = await this.#nxapi.show(call, [lines.showNameServer(this.vsan)], purpose);
    return readLogins(this.#bodyOf(output, purpose));
  }

  /** What the open session would change, in the switch's words; undefined where it cannot tell. */
  async pending(call: DeviceCall): Promise<string | undefined> {
    return await this.#pending(call, lines.showPending(this.vsan), "zoning changes");
  }

  /** The same for the device aliases. */
  async pendingAliases(call: DeviceCall): Promise<string | undefined> {
    return await this.#pending(call, lines.showAliasPending, "device aliases");
  }

  /** Zoning lines, in as few requests as they fit into; `last` follows the final one. */
  async write(
    call: DeviceCall,
    blocks: readonly Block[],
    purpose: Purpose,
    last: readonly CliLine[] = [],
  ): Promise<Written> {
    const requests = requestsOf(blocks, requestCharacters);
    const final = requests.pop() ?? [];
    let openedSession = false;
    for (const [index, list] of [...requests, [...final, ...last]].entries()) {
      if (list.length === 0) continue;
      const written = await this.#configure(call, list, purpose);
      openedSession ||= written.openedSession;
      if (written.refused !== undefined) {
        return { ...written, openedSession, began: index > 0 || written.began };
      }
    }
    return { refused: undefined, began: true, openedSession };
  }

  /** One device alias session from its opening to its commit, in one request. */
  async writeAliases(
    call: DeviceCall,
    list: readonly CliLine[],
    distributed: boolean,
  ): Promise<Written> {
    const commit = distributed ? [lines.aliasCommit] : [];
    return await this.#configure(call, [lines.aliasDatabase, ...list, ...commit], {
      operation: "change the device aliases",
    });
  }

  /** Drops the session of the zoning database with all that is in it. Only for one that is ours for certain. */
  async discard(call: DeviceCall): Promise<void> {
    await this.#drop(call, [lines.discard(this.vsan)], "discard the zoning changes");
  }

  /** Drops the pending device aliases. Only for those that are ours for certain. */
  async discardAliases(call: DeviceCall): Promise<void> {
    await this.#drop(call, [lines.aliasAbort], "discard the device alias changes");
  }

  async saveRunningConfig(call: DeviceCall): Promise<void> {
    await this.#nxapi.text(call, lines.saveRunningConfig, {
      operation: "save the running configuration",
    });
  }

  async #pending(call: DeviceCall, line: CliLine, what: string): Promise<string | undefined> {
    try {
      return await this.#nxapi.text(call, line, { operation: `read the pending ${what}` });
    } catch (error) {
      if (isDeviceError(error, "notFound")) return "";
      if (isDeviceError(error, "unsupported")) return undefined;
      throw error;
    }
  }

  async #configure(call: DeviceCall, list: readonly CliLine[], purpose: Purpose): Promise<Written> {
    call.onWrite?.();
    // Activation and commit would ask for a confirmation that nobody can give over NX-API.
    const commands = [lines.dontAsk, ...list, lines.ask];
    const { refused, said } = await this.#nxapi.configure(call, commands, purpose);
    const openedSession = /session has been created/i.test(said);
    if (refused === undefined) return { refused: undefined, began: true, openedSession };
    // The first line of ours stands behind "terminal dont-ask".
    return { refused: this.#refusal(refused, purpose), began: refused.index > 1, openedSession };
  }

  async #drop(call: DeviceCall, list: readonly CliLine[], operation: string): Promise<void> {
    const { refused } = await this.#nxapi.configure(call, [lines.dontAsk, ...list, lines.ask], {
      operation,
    });
    if (refused === undefined) return;
    const { code, text } = refused.output;
    if (meaningOf(code, text) !== "nothingPending") throw this.#refusal(refused, { operation });
  }

  #refusal(refused: Refused, purpose: Purpose): DeviceError {
    return nxosError({ device: this.device, ...purpose }, refused.output);
  }

  /** Undefined for what the switch says is not there. Any other refusal is an error. */
  #bodyOf(output: CommandOutput | undefined, purpose: Purpose): unknown {
    if (output === undefined) throw this.#protocol(purpose, "a command was not answered");
    const { code, body, text } = output;
    if (code === "200" && (typeof body === "object" || body === undefined || body === ""))
      return body;
    if (meaningOf(code, text) === "absent") return undefined;
    if (code !== "200") throw nxosError({ device: this.device, ...purpose }, output);
    throw this.#protocol(
      purpose,
      `it answers in words where it should in fields: ${text.slice(0, 200)}`,
    );
  }

  #protocol(purpose: Purpose, reason: string): DeviceError {
    return new DeviceError({
      kind: "protocol",
      device: this.device,
      ...purpose,
      reason,
      remedy: "Check that the endpoint is an MDS 9000 itself; if so, report this line.",
    });
  }
}

function isUnknown(output: CommandOutput | undefined): boolean {
  return output !== undefined && meaningOf(output.code, output.text) === "invalidCommand";
}

/** Objects that the switch counts and that are not in its lists. */
function countDifference(
  answers: { readonly status: unknown; readonly aliases: unknown },
  database: MdsDatabase,
): string | undefined {
  const [row] = rowsOf(answers.status, "zone_status");
  const { zones, configs, aliases } = database.state;
  const deviceAliases = [...aliases.keys()].filter(
    (name) => database.kinds.get(name) === "device-alias",
  );
  const counts: readonly (readonly [string, bigint | undefined, number])[] = [
    ["zones", wholeOf(row, "fulldb_zone_count"), zones.size],
    ["zonesets", wholeOf(row, "fulldb_zoneset_count"), configs.size],
    ["device aliases", wholeOf(answers.aliases, "number_of_entries"), deviceAliases.length],
  ];
  const wrong = counts.find(
    ([, counted, listed]) => counted !== undefined && counted !== BigInt(listed),
  );
  if (wrong === undefined) return undefined;
  const [what, counted, listed] = wrong;
  return `it counts ${String(counted)} ${what} and lists ${listed.toString()}`;
}
