import { mkdirSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { SanbedError } from "../bed/errors";
import { LabClient } from "../lab/client";
import { labDown, labUp, netappModels, type UpOptions } from "../lab/start";
import { guestTree } from "../tools/guest-tree/guest-tree";
import { probeLevel, type Level } from "../lab/levels";
import { sanBinary } from "../tools/san-binary";

const usage = `sanbed lab: the embedded lab

  sanbed lab up [--array MODEL[@RELEASE]] [--level A|B|C|D] [--profile DEVICE=RELEASE]... [--emulators-only]
                [--fabric brocade-fos|cisco-mds] [--switches-per-fabric 1|2] [--virtual-fabrics]
  sanbed lab status [--json]        level, endpoints, guests
  sanbed lab inventory              everything the lab emulates, canonical JSON
  sanbed lab reset                  back to the preset; ports stay
  sanbed lab down                   also after the lab was killed
  sanbed lab fault [RULE | --list | --delete ID]      rule as JSON (docs/lab-protocol.md)
  sanbed lab tamper [DEVICE ACTION [ARGUMENTS]]       arguments as JSON; alone: lists the actions
  sanbed lab requests [DEVICE]      request log of the emulators

  --array MODEL[@RELEASE]           aff-a250@9.8 (the usual one), aff-a250@9.9.1 (NVMe/FC), aff-a800@9.5 (ONTAPI only)
  --dir FOLDER                      the lab's folder, default .sanbed/lab
`;

/** One of the lab's commands. @returns exit code: 0 done, 2 wrong use. */
export async function labCommand(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      dir: { type: "string" },
      level: { type: "string" },
      array: { type: "string" },
      profile: { type: "string", multiple: true },
      fabric: { type: "string" },
      "switches-per-fabric": { type: "string" },
      "virtual-fabrics": { type: "boolean" },
      "emulators-only": { type: "boolean" },
      "san-binary": { type: "string" },
      "guest-tree": { type: "string" },
      json: { type: "boolean" },
      list: { type: "boolean" },
      delete: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [command, ...rest] = positionals;
  const dir = path.resolve(values.dir ?? path.join(".sanbed", "lab"));
  if (values.help === true || command === undefined) return print(usage);
  switch (command) {
    case "up":
      return up(dir, values);
    case "down":
      return print(downWords[await labDown(dir)]);
    case "status":
      return status(dir, values.json === true);
    case "inventory":
      return printJson(await (await LabClient.connect(dir)).inventory());
    case "reset":
      await (await LabClient.connect(dir)).reset();
      return print("lab: back to the preset\n");
    case "fault":
      return fault(dir, rest[0], values.delete);
    case "tamper":
      return tamper(dir, rest);
    case "requests":
      return printJson(await (await LabClient.connect(dir)).requests(rest[0]));
    default:
      process.stderr.write(`sanbed lab: unknown command "${command}"\n${usage}`);
      return 2;
  }
}

const downWords = {
  stopped: "lab: stopped\n",
  killed: "lab: did not answer, killed; nothing is left of it\n",
  nothing: "lab: none was running\n",
};

interface UpValues {
  readonly array?: string | undefined;
  readonly level?: string | undefined;
  readonly profile?: readonly string[] | undefined;
  readonly fabric?: string | undefined;
  readonly "switches-per-fabric"?: string | undefined;
  readonly "virtual-fabrics"?: boolean | undefined;
  readonly "emulators-only"?: boolean | undefined;
  readonly "san-binary"?: string | undefined;
  readonly "guest-tree"?: string | undefined;
}

async function up(dir: string, values: UpValues): Promise<number> {
  const level = wantedLevel(values.level);
  const shape = wantedShape(values);
  const releases = wantedReleases(values);
  const progress = (line: string): void => {
    process.stdout.write(`lab: ${line}\n`);
  };
  const running = await LabClient.connect(dir).catch(() => undefined);
  if (running !== undefined) {
    progress("runs already");
    await labUp({ dir, level, shape, profiles: releases });
    return status(dir, false);
  }
  // The probe tries overlay mounts on the very file system that the guests will lie on.
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const wanted = values["emulators-only"] === true ? "D" : level;
  await labUp({
    dir,
    level: wanted,
    profiles: releases,
    shape,
    sanBinary: values["emulators-only"] === true ? undefined : await findSan(values, progress),
    guestTree: await findTree(dir, wanted, values, progress),
    progress,
  });
  return status(dir, false);
}

async function findSan(values: UpValues, progress: (line: string) => void): Promise<string> {
  const named = values["san-binary"] ?? process.env["SANBED_SAN_BINARY"];
  return named ?? sanBinary({ progress });
}

async function findTree(
  dir: string,
  wanted: Level | undefined,
  values: UpValues,
  progress: (line: string) => void,
): Promise<string | undefined> {
  const { level } = await probeLevel(dir, [], wanted);
  if (level === "D") return undefined;
  const named = values["guest-tree"] ?? process.env["SANBED_GUEST_TREE"];
  return named ?? (await guestTree({ progress })).path;
}

function wantedLevel(text: string | undefined): Level | undefined {
  if (text === undefined) return undefined;
  const level = (["A", "B", "C", "D"] as const).find((one) => one === text.toUpperCase());
  if (level === undefined) throw new SanbedError("usage", `"${text}" is no level: A, B, C or D`);
  return level;
}

function wantedShape(values: UpValues): NonNullable<UpOptions["shape"]> {
  const fabric = oneOf(values.fabric, ["brocade-fos", "cisco-mds"], "--fabric");
  const count = oneOf(values["switches-per-fabric"], ["1", "2"], "--switches-per-fabric");
  const array = oneOf(values.array?.split("@")[0], netappModels, "--array");
  return {
    ...(array === undefined ? {} : { array }),
    ...(fabric === undefined ? {} : { fabric }),
    ...(count === undefined ? {} : { switchesPerFabric: count === "2" ? 2 : 1 }),
    ...(values["virtual-fabrics"] === true ? { virtualFabrics: true } : {}),
  };
}

function oneOf<T extends string>(
  text: string | undefined,
  known: readonly T[],
  option: string,
): T | undefined {
  const found = known.find((one) => one === text);
  if (text === undefined || found !== undefined) return found;
  throw new SanbedError("usage", `${option} ${text}: expected ${known.join(" or ")}`);
}

/** Releases by device: of the array the one after the `@` of its model, if there is one. */
function wantedReleases({ array, profile = [] }: UpValues): Record<string, string> {
  const [, release] = array?.split("@") ?? [];
  if (release === "") {
    throw new SanbedError("usage", `--array ${array ?? ""}: write MODEL@RELEASE, aff-a250@9.9.1`);
  }
  return {
    ...(release === undefined ? {} : { array: release }),
    ...Object.fromEntries(
      profile.map((pair) => {
        const [device, version] = pair.split("=");
        if (!device || !version) {
          throw new SanbedError("usage", `--profile ${pair}: write DEVICE=RELEASE, array=9.9.1`);
        }
        return [device, version];
      }),
    ),
  };
}

async function status(dir: string, json: boolean): Promise<number> {
  const answer = await (await LabClient.connect(dir)).status();
  if (json) return printJson(answer);
  const lines = [`lab in ${answer.dir}: level ${answer.level}, since ${answer.startedAt}`];
  for (const [level, reasons] of Object.entries(answer.missing)) {
    lines.push(`  no level ${level}: ${reasons.join("; ")}`);
  }
  for (const [device, endpoint] of Object.entries(answer.endpoints)) {
    const emulator = answer.emulators[device];
    const unknown = emulator?.unknownRoutes ?? 0;
    const warning = unknown === 0 ? "" : `, ${unknown.toString()} requests met no route`;
    const kind =
      emulator === undefined ? `vcenter ${answer.vsphere}` : `${emulator.kind} ${emulator.profile}`;
    lines.push(`  ${device.padEnd(9)} ${endpoint}  ${kind}${warning}`);
  }
  for (const guest of answer.guests) {
    const where = guest.address ?? "";
    const note = guest.note === undefined ? "" : ` (${guest.note})`;
    lines.push(`  guest     ${guest.vm} ${guest.running ? "on" : "off"} ${where}${note}`);
  }
  lines.push(`  site      ${path.join(answer.dir, "site.json")}`);
  return print(`${lines.join("\n")}\n`);
}

async function fault(
  dir: string,
  rule: string | undefined,
  remove: string | undefined,
): Promise<number> {
  const client = await LabClient.connect(dir);
  if (remove !== undefined) {
    await client.removeFault(remove);
    return 0;
  }
  if (rule === undefined) return printJson(await client.faults());
  const id = await client.addFault(json(rule) as Parameters<LabClient["addFault"]>[0]);
  return print(`${id}\n`);
}

async function tamper(dir: string, args: readonly string[]): Promise<number> {
  const client = await LabClient.connect(dir);
  const [device, action, text] = args;
  if (device === undefined || action === undefined) {
    const actions = await client.tamperActions();
    return print(actions.map((a) => `${a.device} ${a.action}: ${a.description}\n`).join(""));
  }
  const given = json(text ?? "{}") as Parameters<LabClient["tamper"]>[2];
  return printJson(await client.tamper(device, action, given));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SanbedError("usage", `not JSON: ${text}`, { cause });
  }
}

function printJson(value: unknown): number {
  return print(`${JSON.stringify(value, undefined, 2)}\n`);
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}
