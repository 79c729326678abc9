import type { DiagnosticEvent, EngineEvent } from "@pulumi/pulumi/automation";
import type { Terminal } from "../terminal";

/** Stages of a bed in the order of creation, by the type of their resources. */
const stages: readonly { readonly title: string; readonly types: readonly string[] }[] = [
  { title: "inventory before", types: ["sanbed:bench:Certificate"] },
  { title: "array targets", types: ["sanbed:array:Targets"] },
  { title: "zoning on both fabrics", types: ["sanbed:fabric:HostZones"] },
  {
    title: "volumes, host group, maps",
    types: [
      "sanbed:array:Pool",
      "sanbed:array:VolumeSet",
      "sanbed:array:HostGroup",
      "sanbed:array:HostEntry",
      "sanbed:array:VolumeMap",
      "sanbed:host:RescanGuard",
    ],
  },
  { title: "devices on the hosts", types: ["sanbed:host:BlockDevices"] },
  { title: "datastores", types: ["vsphere:index/vmfsDatastore:VmfsDatastore"] },
  { title: "guests cloned and started", types: ["vsphere:index/virtualMachine:VirtualMachine"] },
  { title: "guests bootstrapped", types: ["command:remote:Command", "sanbed:guest:Ready"] },
  { title: "data loaded", types: ["sanbed:bench:Dataset"] },
  { title: "measurement", types: ["sanbed:bench:Run"] },
  { title: "verdict", types: ["sanbed:bench:Verdict"] },
];

interface StageState {
  started: number | undefined;
  running: number;
  done: number;
}

/**
 * Turns the engine's events into one line when a stage starts and one when nothing of it runs any
 * more, with its time and what comes next; live status of a run at most every two seconds.
 */
export function showProgress(
  terminal: Terminal,
  direction: "up" | "destroy",
  now: () => number = Date.now,
): (event: EngineEvent) => void {
  const state = new Map<number, StageState>();
  const at = (type: string): number => stages.findIndex((stage) => stage.types.includes(type));
  const entry = (index: number): StageState => {
    const found = state.get(index) ?? { started: undefined, running: 0, done: 0 };
    state.set(index, found);
    return found;
  };
  const begin = (index: number): void => {
    const stage = entry(index);
    stage.running += 1;
    if (stage.started !== undefined) return;
    stage.started = now();
    terminal.step(`${stages[index]?.title ?? ""} ...`);
  };
  const end = (index: number): void => {
    const stage = entry(index);
    stage.running -= 1;
    stage.done += 1;
    if (stage.running > 0) return;
    const seconds = ((now() - (stage.started ?? now())) / 1000).toFixed(1);
    const next = stages[direction === "up" ? index + 1 : index - 1]?.title;
    terminal.step(
      `${stages[index]?.title ?? ""}: ${stage.done.toString()} done, ${seconds} s${next === undefined ? "" : `; next: ${next}`}`,
    );
  };
  const report = diagnosticPrinter(terminal, now);
  return (event) => {
    const started = event.resourcePreEvent?.metadata;
    const finished = event.resOutputsEvent?.metadata;
    if (started && isChange(started.op) && at(started.type) >= 0) begin(at(started.type));
    if (finished && isChange(finished.op) && at(finished.type) >= 0) end(at(finished.type));
    if (event.diagnosticEvent !== undefined) report(event.diagnosticEvent);
  };
}

/** Errors, warnings and lasting lines at once; live status of runs only now and then. */
function diagnosticPrinter(
  terminal: Terminal,
  now: () => number,
): (diagnostic: DiagnosticEvent) => void {
  let lastStatus = 0;
  return ({ message, severity, ephemeral, urn = "" }) => {
    const text = message.replace(/<\{%[^%]*%\}>/g, "").trimEnd();
    if (severity === "error" || severity === "warning") {
      terminal.step(`${severity}: ${text}`);
    } else if (ephemeral !== true) {
      if (severity === "info" && urn !== "") terminal.step(text);
    } else if (urn.includes("sanbed:bench:Run") && now() - lastStatus > 2000) {
      lastStatus = now();
      terminal.step(`  ${text}`);
    }
  };
}

function isChange(op: string): boolean {
  return op !== "same" && op !== "read" && op !== "refresh";
}
