import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { probeLevelA } from "../../lab/guests/probe";
import { workFolder } from "../../tools/setup/paths";
import { printable } from "../errors";
import { createTerminal, type Terminal } from "../terminal";
import { arrayCases, measureArray, type ArraySpeed } from "./array-speed";
import { measureGuests, type GuestsSpeed } from "./guests-speed";
import { removeLeftovers } from "./leftovers";
import { planChart } from "./plan-chart";
import { measurePlan, type PlanFigures } from "./plan-figures";
import { measurePluginMemory, type PluginMemory } from "./plugin-memory";
import { measureStartSkew, type StartSkew } from "./start-skew";
import { measureStorage, type StorageFigures } from "./storage";
import {
  arrayTable,
  callTable,
  guestsTable,
  memoryTable,
  overheadTable,
  planTable,
  secondUpTable,
  skewTable,
} from "./tables";

const usage = `sanbed bench: the figures of docs/budgets.md, measured. Nothing passes or fails.

  npm run bench                          all parts
  npm run bench -- PART...               storage, array, guests, skew, memory, plan
  npm run bench -- storage --latency 0,50,200      ms added to every call to every device
  npm run bench -- array --latency 200 --volumes 32 --hosts 4   each interface of an array
  npm run bench -- guests --guests 32 --latency 200   machines over four hosts, ms in every call to the vCenter
  npm run bench -- skew --guests 4,32              real guests: level A
  npm run bench -- memory --volumes 1000
  npm run bench -- plan --hosts 8,16,32,64,128,256   32 volumes each; needs no lab
`;

interface Figures {
  readonly startedAt: string;
  readonly machine: { readonly cpus: number; readonly memoryBytes: number; readonly load1: number };
  readonly storage: StorageFigures[];
  readonly array: ArraySpeed[];
  readonly guests: GuestsSpeed[];
  readonly startSkew: StartSkew[];
  readonly pluginMemory: PluginMemory[];
  readonly plan: PlanFigures[];
  /** Parts that could not be measured here, with the reason. */
  readonly missing: string[];
}

const parts = ["storage", "array", "guests", "skew", "memory", "plan"] as const;

/** Values of the command line, as they were given. */
interface Values {
  readonly latency?: string | undefined;
  readonly guests?: string | undefined;
  readonly volumes?: string | undefined;
  readonly hosts?: string | undefined;
}

type Measure = (
  terminal: Terminal,
  figures: Figures,
  values: Values,
  signal: AbortSignal,
) => Promise<void>;

const measure: Readonly<Record<(typeof parts)[number], Measure>> = {
  storage: (terminal, figures, { latency = "0,50,200" }, signal) =>
    storage(terminal, figures, numbers(latency), signal),
  array: (terminal, figures, { latency = "200", volumes = "32", hosts = "4" }, signal) =>
    array(terminal, figures, {
      latencyMs: number(latency),
      volumes: number(volumes),
      hosts: number(hosts),
      signal,
    }),
  guests: (terminal, figures, { guests: count = "32", latency = "200" }, signal) =>
    guests(terminal, figures, number(count), number(latency), signal),
  skew: (terminal, figures, { guests = "4" }, signal) =>
    skew(terminal, figures, numbers(guests), signal),
  memory: (terminal, figures, { volumes = "1000" }, signal) =>
    memory(terminal, figures, numbers(volumes), signal),
  plan: (terminal, figures, { hosts = "8,16,32,64,128,256" }, signal) =>
    plan(terminal, figures, numbers(hosts), signal),
};

async function main(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      latency: { type: "string" },
      guests: { type: "string" },
      volumes: { type: "string" },
      hosts: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const terminal = createTerminal((text) => process.stdout.write(text));
  const unknown = positionals.filter((part) => !parts.some((known) => known === part));
  if (values.help === true || unknown.length > 0) {
    terminal.line(usage);
    return values.help === true ? 0 : 2;
  }
  const wanted = (part: (typeof parts)[number]): boolean =>
    positionals.length === 0 || positionals.includes(part);
  const signal = stopOnSignal(terminal);
  const figures: Figures = {
    startedAt: new Date().toISOString(),
    machine: { cpus: cpus().length, memoryBytes: totalmem(), load1: loadavg()[0] ?? 0 },
    storage: [],
    array: [],
    guests: [],
    startSkew: [],
    pluginMemory: [],
    plan: [],
    missing: [],
  };
  await removeLeftovers();
  try {
    for (const part of parts.filter(wanted)) await measure[part](terminal, figures, values, signal);
  } finally {
    terminal.line(`\n  figures: ${save(figures)}`);
  }
  return 0;
}

async function storage(
  terminal: Terminal,
  figures: Figures,
  latencies: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const latencyMs of latencies) {
    terminal.step(`the bed on emulators, ${latencyMs.toString()} ms in every call ...`);
    figures.storage.push(await measureStorage(latencyMs, signal));
  }
  print(terminal, "overhead over the devices' critical path", overheadTable(figures.storage));
  if (!latencies.includes(0)) return;
  print(terminal, "calls", callTable(figures.storage));
  print(terminal, "second up", secondUpTable(figures.storage));
}

async function array(
  terminal: Terminal,
  figures: Figures,
  options: Parameters<typeof measureArray>[1],
): Promise<void> {
  for (const one of arrayCases) {
    options.signal.throwIfAborted();
    const { release, protocol } = one;
    terminal.step(`array ${release} over ${protocol}, ${options.volumes.toString()} volumes ...`);
    figures.array.push(...(await measureArray(one, options)));
  }
  print(terminal, "array: driver over the least time", arrayTable(figures.array));
}

async function guests(
  terminal: Terminal,
  figures: Figures,
  count: number,
  latencyMs: number,
  signal: AbortSignal,
): Promise<void> {
  terminal.step(
    `${count.toString()} guests, ${latencyMs.toString()} ms in every call to the vCenter ...`,
  );
  figures.guests.push(await measureGuests(count, latencyMs, signal));
  print(terminal, "guests over the devices' critical path", guestsTable(figures.guests));
}

async function skew(
  terminal: Terminal,
  figures: Figures,
  counts: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const level = await probeLevelA();
  if (!level.ok) {
    figures.missing.push(`start skew: no level A here (${level.missing.join("; ")})`);
    terminal.step(figures.missing.at(-1) ?? "");
    return;
  }
  for (const guests of counts) {
    terminal.step(`start skew over ${guests.toString()} real guests ...`);
    figures.startSkew.push(await measureStartSkew(guests, signal));
  }
  print(terminal, "start skew", skewTable(figures.startSkew));
}

async function memory(
  terminal: Terminal,
  figures: Figures,
  counts: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const volumes of counts) {
    terminal.step(`memory of the plugin with ${volumes.toString()} volumes ...`);
    figures.pluginMemory.push(await measurePluginMemory(volumes, signal));
  }
  print(terminal, "plugin memory", memoryTable(figures.pluginMemory));
}

async function plan(
  terminal: Terminal,
  figures: Figures,
  counts: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  for (const hosts of counts) {
    terminal.step(`plan of a bed with ${hosts.toString()} hosts ...`);
    figures.plan.push(await measurePlan(hosts, signal));
  }
  print(terminal, "plan", planTable(figures.plan));
  const file = benchFile(figures, "plan.svg");
  writeFileSync(file, planChart(figures.plan));
  terminal.line(`  chart: ${file}`);
}

function print(terminal: Terminal, title: string, lines: readonly string[]): void {
  terminal.heading(title);
  for (const line of lines) terminal.line(`  ${line}`);
}

/** `.sanbed/bench/<time>.<ending>`; its folder is there afterwards. */
function benchFile(figures: Figures, ending: string): string {
  const file = workFolder("bench", `${figures.startedAt.replace(/[:.]/g, "-")}.${ending}`);
  mkdirSync(path.dirname(file), { recursive: true });
  return file;
}

function save(figures: Figures): string {
  const file = benchFile(figures, "json");
  writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
  return file;
}

function numbers(list: string): number[] {
  const found = list.split(",").map(Number);
  if (found.every((number) => Number.isInteger(number) && number >= 0)) return found;
  throw new Error(`"${list}" is no list of whole numbers, such as 0,50,200`);
}

/** The last of a list: parts that take one value share options with those that take several. */
function number(list: string): number {
  return numbers(list).at(-1) ?? 0;
}

/** Ends what runs and takes the labs down; a second signal ends at once. */
function stopOnSignal(terminal: Terminal): AbortSignal {
  const abort = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      terminal.step("stopping: destroying what there is and taking the lab down");
      abort.abort(new Error("stopped"));
    });
  }
  return abort.signal;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`sanbed bench: ${printable(error)}\n`);
    process.exitCode = 1;
  },
);
