import type { EngineEvent, StackResource } from "../stack-runner";

/** A request to a device as an emulator logged it. Milliseconds since the epoch. */
export interface DeviceRequest {
  readonly device: string;
  readonly method: string;
  readonly path: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly write: boolean;
}

/** A span of time, milliseconds since the epoch. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface PathStep {
  readonly urn: string;
  /** While the engine worked on it. */
  readonly span: Span;
  /** Part of the span in which its devices had a request in hand. */
  readonly deviceMs: number;
}

export interface CriticalPath {
  readonly deviceMs: number;
  /** Resources on it that asked a device, in the order of creation. */
  readonly steps: readonly PathStep[];
}

/** Devices that a resource type may talk to; a type that is not here talks to none. */
export function devicesOf(type: string, all: readonly string[]): readonly string[] {
  if (type === "sanbed:bench:Certificate") return all;
  if (type.startsWith("sanbed:fabric:")) return all.filter((device) => device.startsWith("fabric"));
  if (type.startsWith("sanbed:array:")) return all.filter((device) => device === "array");
  if (type.startsWith("sanbed:host:") || type.startsWith("vsphere:")) {
    return all.filter((device) => device === "vcenter");
  }
  return [];
}

/**
 * The longest chain of device time through the graph of resources. A resource weighs the time within
 * its span in which a device of its type had at least one request in hand; a chain follows
 * dependencies, parents and providers. Two resources of a chain never run at the same time, so no
 * time counts twice.
 */
export function criticalPath(
  resources: readonly StackResource[],
  spans: ReadonlyMap<string, Span>,
  requests: readonly DeviceRequest[],
): CriticalPath {
  const busy = busyByDevices(requests);
  const known = new Map(resources.map((resource) => [resource.urn, resource]));
  const done = new Map<string, CriticalPath>();
  const visit = (urn: string): CriticalPath => {
    const found = done.get(urn);
    if (found !== undefined) return found;
    const resource = known.get(urn);
    if (resource === undefined) return { deviceMs: 0, steps: [] };
    const before = neighbours(resource).map(visit).reduce(longer, { deviceMs: 0, steps: [] });
    const step = weigh(resource, spans.get(urn), busy);
    const path =
      step === undefined
        ? before
        : { deviceMs: before.deviceMs + step.deviceMs, steps: [...before.steps, step] };
    done.set(urn, path);
    return path;
  };
  return resources.map(({ urn }) => visit(urn)).reduce(longer, { deviceMs: 0, steps: [] });
}

const longer = (one: CriticalPath, other: CriticalPath): CriticalPath =>
  other.deviceMs > one.deviceMs ? other : one;

/** What must be there before this resource, and goes only after it. */
function neighbours({ dependencies, parent, provider }: StackResource): string[] {
  const cut = provider?.lastIndexOf("::") ?? -1;
  return [
    ...(dependencies ?? []),
    ...(parent === undefined ? [] : [parent]),
    ...(provider === undefined || cut < 0 ? [] : [provider.slice(0, cut)]),
  ];
}

function weigh(
  { urn, type }: StackResource,
  span: Span | undefined,
  busy: BusyTimes,
): PathStep | undefined {
  if (span === undefined) return undefined;
  const devices = devicesOf(type, busy.devices);
  if (devices.length === 0) return undefined;
  const deviceMs = lengthWithin(busy.of(devices), span);
  return deviceMs === 0 ? undefined : { urn, span, deviceMs };
}

interface BusyTimes {
  readonly devices: readonly string[];
  of(devices: readonly string[]): readonly Span[];
}

function busyByDevices(requests: readonly DeviceRequest[]): BusyTimes {
  const devices = [...new Set(requests.map((request) => request.device))].sort();
  const known = new Map<string, readonly Span[]>();
  return {
    devices,
    of: (wanted) => {
      const key = wanted.join(" ");
      const found =
        known.get(key) ?? busySpans(requests.filter(({ device }) => wanted.includes(device)));
      known.set(key, found);
      return found;
    },
  };
}

/** Spans in which at least one of the requests was in hand, ascending, without overlap. */
export function busySpans(requests: readonly DeviceRequest[]): readonly Span[] {
  const sorted = requests
    .map(({ startedAtMs, durationMs }) => ({ fromMs: startedAtMs, toMs: startedAtMs + durationMs }))
    .sort((a, b) => a.fromMs - b.fromMs);
  const merged: { fromMs: number; toMs: number }[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs);
    else merged.push({ ...span });
  }
  return merged;
}

export function lengthWithin(spans: readonly Span[], { fromMs, toMs }: Span): number {
  return spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)),
    0,
  );
}

/** When the engine worked on each resource: from the start of its first step to the end of its last. */
export function resourceSpans(events: readonly EngineEvent[]): Map<string, Span> {
  const spans = new Map<string, Span>();
  for (const event of events) {
    const begun = event.resourcePreEvent?.metadata.urn;
    if (begun !== undefined && !spans.has(begun)) {
      spans.set(begun, { fromMs: event.seenAtMs, toMs: Number.POSITIVE_INFINITY });
    }
    const ended = (event.resOutputsEvent ?? event.resOpFailedEvent)?.metadata.urn;
    const span = ended === undefined ? undefined : spans.get(ended);
    if (ended !== undefined && span !== undefined) {
      spans.set(ended, { fromMs: span.fromMs, toMs: event.seenAtMs });
    }
  }
  return spans;
}

/** Most requests in hand at the same time. */
export function mostAtOnce(requests: readonly DeviceRequest[]): number {
  const edges = requests
    .flatMap(({ startedAtMs, durationMs }) => [
      { at: startedAtMs, by: 1 },
      { at: startedAtMs + durationMs, by: -1 },
    ])
    .sort((a, b) => a.at - b.at || a.by - b.by);
  let now = 0;
  return edges.reduce((most, { by }) => Math.max(most, (now += by)), 0);
}
