import { CliError, invalidCommand } from "./errors";

/** Kinds of zone members that the emulator knows, by their CLI word. */
const memberTypes = [
  "pwwn",
  "device-alias",
  "fwwn",
  "fcid",
  "interface",
  "ip-address",
  "symbolic-nodename",
  "fcalias",
] as const;
type MemberType = (typeof memberTypes)[number];

/** Role of a member under smart zoning; absent: not given. */
type DeviceType = "init" | "target" | "both";

export interface Member {
  readonly type: MemberType;
  /** WWN, alias name, `0x010203`, `fc1/5`, address or name. */
  readonly value: string;
  /** WWN of the switch that an interface belongs to. */
  readonly swwn?: string | undefined;
  readonly deviceType?: DeviceType | undefined;
}

const roles: readonly string[] = ["init", "target", "both"];

const wwnPattern = /^(?:[0-9a-f]{1,2}:){7}[0-9a-f]{1,2}$/;

/** Eight pairs in lower case, digits filled up; undefined for anything else. */
export function parseWwn(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (!wwnPattern.test(lower)) return undefined;
  return lower
    .split(":")
    .map((pair) => pair.padStart(2, "0"))
    .join(":");
}

/**
 * Reads the words after `member`. Interfaces are those of the switch that is asked.
 * @throws {CliError} with the switch's text.
 */
export function parseMember(words: readonly string[], switchWwn: string): Member {
  const [word = "", value, ...rest] = words;
  const matches = memberTypes.filter((type) => type.startsWith(word.toLowerCase()));
  const type = matches.find((one) => one === word) ?? matches[0];
  if (type === undefined || value === undefined || word === "") throw invalidCommand();
  const [swwn, tail] = interfaceSwitch(type, rest, switchWwn);
  return { type, value: checkedValue(type, value), swwn, deviceType: deviceTypeOf(tail) };
}

function interfaceSwitch(
  type: MemberType,
  rest: readonly string[],
  own: string,
): [string | undefined, readonly string[]] {
  if (type !== "interface") return [undefined, rest];
  if (rest[0] !== "swwn") return [own, rest];
  const wwn = parseWwn(rest[1] ?? "");
  if (wwn === undefined) throw invalidCommand();
  return [wwn, rest.slice(2)];
}

function checkedValue(type: MemberType, value: string): string {
  switch (type) {
    case "pwwn":
    case "fwwn": {
      const wwn = parseWwn(value);
      if (wwn === undefined) throw invalidCommand();
      return wwn;
    }
    case "fcid":
      if (!/^0x[0-9a-f]{6}$/i.test(value)) throw new CliError("Invalid FCID");
      return value.toLowerCase();
    case "interface":
      if (!/^(?:fc\d+\/\d+|port-channel\d+)$/.test(value)) {
        throw new CliError("% Invalid interface format");
      }
      return value;
    case "ip-address":
      if (!/^(?:\d{1,3}\.){3}\d{1,3}$/.test(value)) throw new CliError("% Invalid ip address");
      return value;
    case "device-alias":
    case "symbolic-nodename":
    case "fcalias":
      return value;
  }
}

function deviceTypeOf(tail: readonly string[]): DeviceType | undefined {
  const [word, ...rest] = tail;
  if (word === undefined) return undefined;
  const known: Readonly<Record<string, DeviceType>> = {
    init: "init",
    initiator: "init",
    target: "target",
    both: "both",
  };
  const type = known[word];
  if (type === undefined || rest.length > 0) throw invalidCommand();
  return type;
}

/** How the world holds a member: plain for WWNs and alias names, else with its type; role last. */
export function memberText(member: Member): string {
  const plain = member.type === "pwwn" || member.type === "device-alias";
  const parts = [
    ...(plain ? [] : [member.type]),
    member.value,
    ...(member.swwn === undefined ? [] : ["swwn", member.swwn]),
    ...(member.deviceType === undefined ? [] : [member.deviceType]),
  ];
  return parts.join(" ");
}

/** A member as the world holds it. */
export function memberOf(text: string): Member {
  const words = text.split(" ");
  const first = words[0] ?? "";
  // An alias may be called `interface`: a type is followed by a value, never by a role or nothing.
  const typed = words[1] !== undefined && !roles.includes(words[1]);
  if (typed) return parseMember(words, "");
  const type = parseWwn(first) === undefined ? "device-alias" : "pwwn";
  return { type, value: first, deviceType: deviceTypeOf(words.slice(1)) };
}

/** Members are the same when they name the same port, whatever role they have. */
export function sameMember(a: Member, b: Member): boolean {
  return a.type === b.type && a.value === b.value && a.swwn === b.swwn;
}
