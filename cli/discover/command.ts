import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SanbedError } from "../../bed/errors";
import { type BedId, parseBedId } from "../../bed/identities";
import { systemClock } from "../../provider/devices/clock";
import { resolveCredentials } from "../../provider/devices/credentials";
import { openDevices } from "../../provider/devices/registry";
import { RequestLog } from "../../provider/devices/request-log";
import { deviceKinds } from "../../provider/resources/provider-config";
import { readInputFile } from "../../stacks/input-file";
import { assembleSite } from "./assemble";
import { draftYaml, undecided } from "./draft";
import { ask } from "./findings";
import { parseSeed } from "./seed";

const usage = `sanbed discover FILE [--out FILE [--force]] [--bed ID] [--timeout SECONDS]

  FILE names the devices: name, devices (as in a site file), and fabrics, array, hypervisor where more than
  one device could be meant. A whole site file will do as well: what it decides is kept.

  --out FILE    write the site there instead of printing it; --force replaces a file that is there
  --bed ID      objects of this bed do not count as taken
  --timeout N   give up on devices that have not answered after N seconds, default 120
`;

interface Options {
  readonly file: string;
  readonly out: string | undefined;
  readonly own: BedId | undefined;
  readonly timeoutMs: number;
}

/**
 * `sanbed discover`: writes a site by asking its devices. Reads only.
 * @returns exit code: 0 all devices answered; 1 some did not, or something must be put right first (the file
 *   holds the rest); 2 wrong use.
 */
export async function discoverCommand(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv);
  if (options === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  const seed = readInputFile(options.file, "the file", parseSeed);
  const devices = openDevices(deviceKinds, seed.devices, {
    log: new RequestLog(),
    clock: systemClock,
    baseFolder: process.cwd(),
    credentials: (reference, signal) => resolveCredentials(reference, process.cwd(), signal),
  });
  for (const warning of devices.warnings) process.stderr.write(`${warning}\n`);
  const stop = new AbortController();
  process.once("SIGINT", () => {
    stop.abort();
  });
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(options.timeoutMs)]);
  try {
    const findings = await ask(devices, seed, { signal }, options.own);
    const { draft, faults, notes } = assembleSite(findings, seed, new Date().toISOString());
    const open = undecided(draft);
    const text = draftYaml(draft, heading(open, faults, notes));
    if (options.out === undefined) process.stdout.write(text);
    else writeFileSync(options.out, text);
    for (const fault of faults) process.stderr.write(`to be put right first: ${fault}\n`);
    for (const note of notes) process.stderr.write(`not found out, or left out: ${note}\n`);
    const where = options.out === undefined ? "" : ` in ${options.out}`;
    process.stderr.write(`${open.toString()} values to decide${where}: look for "# decide:"\n`);
    return findings.unanswered.length === 0 && faults.length === 0 ? 0 : 1;
  } finally {
    await devices.close();
  }
}

function heading(open: number, faults: readonly string[], notes: readonly string[]): string[] {
  return [
    "A site, as its devices tell it (sanbed discover).",
    ...(open === 0
      ? []
      : [`${open.toString()} values are for a person to decide: look for "decide:".`]),
    ...faults.map((fault) => `To be put right first: ${fault}`),
    "No device tells: networks besides the guests' own, media, licences, what a port takes as a whole.",
    ...(notes.length === 0 ? [] : ["Not found out, or left out:"]),
    ...notes.map((note) => `  ${note}`),
  ];
}

function readOptions(argv: readonly string[]): Options | undefined {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      out: { type: "string" },
      force: { type: "boolean" },
      bed: { type: "string" },
      timeout: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [file, ...more] = positionals;
  if (values.help === true || file === undefined || more.length > 0) return undefined;
  const own = values.bed === undefined ? undefined : parseBedId(values.bed);
  if (values.bed !== undefined && own === undefined) {
    throw new SanbedError("usage", `"${values.bed}" is no bed id: ten characters of a-z and 2-7`);
  }
  const seconds = Number(values.timeout ?? "120");
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new SanbedError("usage", `--timeout ${values.timeout ?? ""}: expected seconds`);
  }
  if (values.out !== undefined && existsSync(values.out) && values.force !== true) {
    throw new SanbedError("usage", `${values.out} is there already: --force replaces it`);
  }
  return { file, out: values.out, own, timeoutMs: seconds * 1000 };
}
