import { table } from "../terminal";
import type { ArraySpeed } from "./array-speed";
import type { CallCount } from "./calls";
import type { GuestsSpeed } from "./guests-speed";
import type { PlanFigures } from "./plan-figures";
import type { PluginMemory } from "./plugin-memory";
import type { StartSkew } from "./start-skew";
import type { StorageFigures } from "./storage";

const seconds = (ms: number): string => (ms / 1000).toFixed(2);
const ratio = (value: number | undefined): string =>
  value === undefined ? "-" : `${value.toFixed(2)} x`;
const mebibytes = (bytes: number | undefined): string =>
  bytes === undefined ? "-" : (bytes / 1024 ** 2).toFixed(0);

export function overheadTable(figures: readonly StorageFigures[]): string[] {
  const rows = figures
    .flatMap(({ overhead }) => overhead)
    .map((one) => [
      `${one.operation}, ${one.latencyMs.toString()} ms a call`,
      seconds(one.wallMs),
      seconds(one.criticalPathMs),
      seconds(one.busyMs),
      seconds(one.overheadMs),
      seconds(one.budgetMs),
      ratio(one.ratioToBudget),
      Object.entries(one.mostAtOnce)
        .map(([device, count]) => `${device} ${count.toString()}`)
        .join(", "),
    ]);
  const head = ["seconds", "wall", "critical path", "devices busy", "overhead", "budget"];
  return table([[...head, "of budget", "most calls at once"], ...rows]);
}

export function guestsTable(figures: readonly GuestsSpeed[]): string[] {
  const rows = figures.flatMap(({ guests, hosts, overhead }) =>
    overhead.map((one) => [
      `${one.operation}, ${guests.toString()} guests on ${hosts.toString()} hosts`,
      seconds(one.wallMs),
      seconds(one.criticalPathMs),
      ratio(one.wallMs / one.criticalPathMs),
      (one.mostAtOnce["vcenter"] ?? 0).toString(),
      one.requests.toString(),
    ]),
  );
  const head = ["seconds", "wall", "critical path", "ratio", "most calls to the vCenter at once"];
  return table([[...head, "calls"], ...rows]);
}

export function arrayTable(figures: readonly ArraySpeed[]): string[] {
  const rows = figures.flatMap((one) => [
    [
      `${one.release} ${one.protocol}, ${one.operation}`,
      seconds(one.wallMs),
      seconds(one.leastMs),
      ratio(one.ratio),
      one.mostAtOnce.toString(),
      one.steps
        .map(({ step, wallMs, leastMs, reads, writes }) => {
          const calls = `${reads.toString()}+${writes.toString()}`;
          return `${step} ${seconds(wallMs)}/${seconds(leastMs)} (${calls})`;
        })
        .join(", "),
    ],
  ]);
  const head = ["seconds", "wall", "critical path", "ratio", "at once"];
  return table([[...head, "steps: wall/least (reads+writes)"], ...rows]);
}

export function callTable(figures: readonly StorageFigures[]): string[] {
  const rows = figures
    .flatMap(({ calls }) => calls)
    .map(({ operation, device, reads, writes, minimum }) => [
      `${operation}, ${device}`,
      reads.toString(),
      minimum?.reads.toString() ?? "-",
      writes.toString(),
      minimum?.writes.toString() ?? "-",
      overMinimum({ reads, writes }, minimum),
    ]);
  return table([["calls", "reads", "minimum", "writes", "minimum", "over minimum"], ...rows]);
}

function overMinimum({ reads, writes }: CallCount, minimum: CallCount | undefined): string {
  const least = minimum === undefined ? 0 : minimum.reads + minimum.writes;
  if (least === 0) return "-";
  return `${(((reads + writes) / least - 1) * 100).toFixed(0)} %`;
}

export function secondUpTable(figures: readonly StorageFigures[]): string[] {
  const rows = figures
    .flatMap(({ secondUp }) => secondUp ?? [])
    .map((one) => [
      `${one.resources.toString()} resources`,
      seconds(one.wallMs),
      seconds(one.engineOnlyMs),
      seconds(one.beyondEngineMs),
      seconds(one.budgetMs),
      ratio(one.ratioToBudget),
      one.deviceWrites.toString(),
      one.deviceReads.toString(),
    ]);
  const head = ["seconds", "wall", "engine only", "beyond", "budget", "of budget"];
  return table([[...head, "device writes", "device reads"], ...rows]);
}

export function skewTable(figures: readonly StartSkew[]): string[] {
  const rows = figures.map((one) => [
    one.guests.toString(),
    one.skewMs?.toFixed(1) ?? "-",
    one.budgetMs.toString(),
    ratio(one.ratioToBudget),
    one.verdict,
    seconds(one.upMs),
    seconds(one.destroyMs),
  ]);
  const head = ["guests", "skew ms", "budget ms", "of budget", "verdict", "up s", "destroy s"];
  return [
    ...table([head, ...rows]),
    ...figures.flatMap(({ guests, reasons }) =>
      reasons.map((reason) => `${guests.toString()} guests: ${reason}`),
    ),
  ];
}

export function memoryTable(figures: readonly PluginMemory[]): string[] {
  const rows = figures.map((one) => [
    one.volumes.toString(),
    mebibytes(one.peakBytes),
    mebibytes(one.budgetBytes),
    ratio(one.ratioToBudget),
    seconds(one.upMs),
  ]);
  return table([["volumes", "peak MiB", "budget MiB", "of budget", "up s"], ...rows]);
}

export function planTable(figures: readonly PlanFigures[]): string[] {
  const rows = figures.map((one) => [
    one.hosts.toString(),
    one.volumes.toString(),
    one.guests.toString(),
    one.planMs.toFixed(0),
    (one.planMs / one.hosts).toFixed(2),
    one.budgetMs.toFixed(0),
    mebibytes(one.peakBytes),
    mebibytes(one.budgetBytes),
  ]);
  const head = ["hosts", "volumes", "guests", "plan ms", "ms a host", "budget ms", "peak MiB"];
  return table([[...head, "budget MiB"], ...rows]);
}
