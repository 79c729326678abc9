import type { ZoningState } from "../../provider/devices/fabric-switch";
import { expandMembers } from "../../provider/devices/zoning-members";

/**
 * The zoning commands of NX-OS on a plain model of the database, as the Fabric Configuration Guide gives
 * them. Refuses what a switch refuses: members and objects that are not there, or are there already.
 */
export class NxosModel {
  readonly #state: ZoningState;
  readonly #maps: Record<"zone" | "zoneset" | "alias", Map<string, string[]>>;
  #effective: ZoningState["effective"];
  #mode: { readonly members: string[]; readonly kind: string } | undefined;

  constructor(state: ZoningState) {
    const copy = (entries: Iterable<[string, readonly string[]]>): Map<string, string[]> =>
      new Map([...entries].map(([name, list]) => [name, [...list]]));
    this.#state = state;
    this.#effective = state.effective;
    this.#maps = {
      alias: copy(state.aliases),
      zone: copy([...state.zones].map(([name, zone]) => [name, zone.members])),
      zoneset: copy([...state.configs].map(([name, config]) => [name, config.zones])),
    };
  }

  run(commands: readonly string[]): ZoningState {
    for (const command of commands) this.#execute(command);
    const { alias, zone, zoneset } = this.#maps;
    return {
      ...this.#state,
      aliases: alias,
      zones: new Map(
        [...zone].map(([name, members]) => [name, { name, members, type: "standard" }]),
      ),
      configs: new Map([...zoneset].map(([name, zones]) => [name, { name, zones }])),
      effective: this.#effective,
    };
  }

  #execute(command: string): void {
    const no = command.startsWith("no ");
    const words = command.split(" ").slice(no ? 1 : 0);
    const [verb = "", word] = words;
    if (["device-alias database", "device-alias commit"].includes(command)) return;
    if (verb === "device-alias") this.#deviceAlias(command, no, words);
    else if (verb === "zoneset" && word === "activate") this.#activate(words[3] ?? "");
    else if (verb === "zone" && word === "commit") this.#mode = undefined;
    else if (word === "name") this.#object(command, no, words);
    else this.#member(command, no, words);
  }

  #deviceAlias(command: string, no: boolean, words: readonly string[]): void {
    const [, , name = "", , wwpn = ""] = words;
    this.#must(no === this.#maps.alias.has(name), command);
    if (no) this.#maps.alias.delete(name);
    else this.#maps.alias.set(name, [wwpn]);
  }

  #activate(zoneset: string): void {
    const list = this.#maps.zoneset.get(zoneset) ?? [];
    this.#must(list.length > 0, `zoneset activate ${zoneset}`);
    const zones = list.map((zone): [string, readonly string[]] => {
      const members = this.#maps.zone.get(zone);
      this.#must(members !== undefined, `zone ${zone} of ${zoneset} is gone`);
      return [zone, expandMembers(members ?? [], this.#maps.alias)];
    });
    this.#effective = { name: zoneset, zones: new Map(zones) };
  }

  #object(command: string, no: boolean, words: readonly string[]): void {
    const [verb = "", , name = ""] = words;
    const map = this.#maps[verb === "zone" || verb === "zoneset" ? verb : "alias"];
    if (no) {
      this.#must(map.delete(name), command);
      return;
    }
    const members = map.get(name) ?? [];
    map.set(name, members);
    this.#mode = { members, kind: verb };
  }

  #member(command: string, no: boolean, words: readonly string[]): void {
    const mode = this.#mode;
    if (mode === undefined || words[0] !== "member") throw new Error(`refused: ${command}`);
    const member = (mode.kind === "zoneset" ? words[1] : words[2]) ?? "";
    if (!no && mode.kind === "zoneset") this.#must(this.#maps.zone.has(member), command);
    if (!no && words[1] === "device-alias") this.#must(this.#maps.alias.has(member), command);
    const at = mode.members.indexOf(member);
    this.#must(no === at >= 0, command);
    if (no) mode.members.splice(at, 1);
    else mode.members.push(member);
  }

  #must(holds: boolean, command: string): void {
    if (!holds) throw new Error(`refused: ${command}`);
  }
}
