import path from "node:path";
import { parseArgs } from "node:util";
import { SanbedError } from "../../bed/errors";
import { type BedId, parseBedId } from "../../bed/identities";
import type { Site } from "../../bed/site";
import { systemClock } from "../../provider/devices/clock";
import { resolveCredentials } from "../../provider/devices/credentials";
import { openDevices, type OpenDevices } from "../../provider/devices/registry";
import { RequestLog } from "../../provider/devices/request-log";
import { deviceKinds } from "../../provider/resources/provider-config";
import { readSite } from "../../stacks/input-file";
import { readStackInput } from "../../stacks/stack-input";
import { findProject, onlyStack, readStackConfig } from "../plan/project";
import { ask, askDetails } from "./findings";
import { buildGraph, isHeld } from "./graph";
import { Holders } from "./holders";
import { findThings, nearNames } from "./lookup";
import { type Why, whyJson, whyText } from "./why-text";

const usage = `sanbed why OBJECT [--site FILE [--bed ID] | --stack S [--project FOLDER]] [--json]

  What keeps an object from being deleted, whose that is, and what lets go of it, in order. Reads only.
  OBJECT is the name of a volume, LUN, host group, tenant, datastore, machine, template, zone or alias, or
  a device (naa...); volume:NAME, zone:NAME... mean one kind only.

  --site FILE       ask the devices of this site; --bed ID: tell it from the side of that bed
  --stack S         ask those of a stack's site, from its bed's side; may be left out when there is one only
  --project FOLDER  folder with the Pulumi.yaml, default the current one
  --json            the same as JSON
  --timeout N       give up on devices that have not answered after N seconds, default 120

  Exit code 0: nothing holds it, 1: something does, or a device did not answer, 2: wrong use, no such object.
`;

interface Options {
  readonly object: string;
  readonly site: Site;
  readonly own: BedId | undefined;
  readonly json: boolean;
  readonly timeoutMs: number;
}

/** @returns exit code: 0 nothing holds the object, 1 something does or is not known, 2 wrong use. */
export async function whyCommand(argv: readonly string[]): Promise<number> {
  let options: Options | undefined;
  try {
    options = readOptions(argv);
  } catch (error) {
    if (!(error instanceof SanbedError) && !isArgumentError(error)) throw error;
    process.stderr.write(`sanbed why: ${error.message}\n`);
    return 2;
  }
  if (options === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  const devices = openDevices(deviceKinds, options.site.devices, {
    log: new RequestLog(),
    clock: systemClock,
    baseFolder: process.cwd(),
    credentials: (reference, signal) => resolveCredentials(reference, process.cwd(), signal),
  });
  for (const warning of devices.warnings) process.stderr.write(`${warning}\n`);
  const stop = new AbortController();
  const abort = (): void => {
    stop.abort();
  };
  process.once("SIGINT", abort);
  try {
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(options.timeoutMs)]);
    return print(await whyOf(devices, options, signal), options);
  } finally {
    process.removeListener("SIGINT", abort);
    await devices.close();
  }
}

function print(found: Why | NotFound, { object, json }: Options): number {
  if ("near" in found) {
    const hint = found.near.length === 0 ? "" : `; near: ${found.near.join(", ")}`;
    process.stderr.write(`sanbed why: nothing is called "${object}"${hint}\n`);
    for (const one of found.unanswered) process.stderr.write(`did not answer: ${one}\n`);
    return 2;
  }
  process.stdout.write(json ? `${JSON.stringify(whyJson(found), undefined, 2)}\n` : whyText(found));
  return isHeld(found.graph) || found.unanswered.length > 0 ? 1 : 0;
}

interface NotFound {
  readonly near: readonly string[];
  readonly unanswered: readonly string[];
}

/** Asks the devices, then once more for details of what came up. */
async function whyOf(
  devices: OpenDevices,
  { object, site, own }: Options,
  signal: AbortSignal,
): Promise<Why | NotFound> {
  const findings = await ask(devices, site, { signal });
  const known = new Holders(findings);
  const roots = findThings(known.candidates(), object);
  if (roots.length === 0) {
    return { near: nearNames(known.candidates(), object), unanswered: findings.unanswered };
  }
  const draft = buildGraph(roots, (thing) => known.of(thing));
  const wanted = known.wanted([...draft.nodes.values()]);
  const { unanswered, ...details } = await askDetails(devices, wanted, { signal });
  const whole = new Holders(findings, details);
  const graph = buildGraph(roots, (thing) => whole.of(thing));
  return { graph, own, unanswered: [...findings.unanswered, ...unanswered] };
}

function readOptions(argv: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      site: { type: "string" },
      bed: { type: "string" },
      stack: { type: "string", short: "s" },
      project: { type: "string" },
      json: { type: "boolean" },
      timeout: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [object, ...more] = positionals;
  if (values.help === true || object === undefined || more.length > 0) return undefined;
  if (values.site !== undefined && (values.stack ?? values.project) !== undefined) {
    throw new SanbedError("usage", "--site and a stack are two ways to say the same: give one");
  }
  const named = bedOption(values.bed);
  const timeoutMs = timeoutOption(values.timeout ?? "120");
  const { site, own } =
    values.site === undefined
      ? siteOfStack(values.project ?? ".", values.stack)
      : { site: readSite(values.site), own: undefined };
  return { object, site, own: named ?? own, json: values.json === true, timeoutMs };
}

function bedOption(text: string | undefined): BedId | undefined {
  const bed = text === undefined ? undefined : parseBedId(text);
  if (text === undefined || bed !== undefined) return bed;
  throw new SanbedError("usage", `"${text}" is no bed id: ten characters of a-z and 2-7`);
}

function timeoutOption(text: string): number {
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds > 0) return seconds * 1000;
  throw new SanbedError("usage", `--timeout ${text}: expected seconds`);
}

function siteOfStack(folder: string, stack: string | undefined): { site: Site; own: BedId } {
  const project = findProject(path.resolve(folder));
  const name = stack ?? onlyStack(project);
  const { site, settings } = readStackInput(readStackConfig(project, name), name, project.folder);
  return { site, own: settings.bedId };
}

/** What `parseArgs` throws of itself. */
function isArgumentError(error: unknown): error is { readonly message: string } {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return "message" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
