import { ConfigError, type Problem } from "../../bed/errors";
import type { BlockArray } from "./block-array";
import { brocadeFosKind } from "./brocade-fos/config";
import { ciscoMdsKind } from "./cisco-mds/config";
import type { DeviceEnvironment, DeviceKind, OpenedDevice } from "./device-kind";
import type { FabricSwitch } from "./fabric-switch";
import type { HostStorage } from "./host-storage";
import type { ArraySweeper, FabricSweeper, HostSweeper } from "./sweep";
import { ontapKind } from "./ontap/config";

/** Switches and arrays. Other kinds (the hypervisor's) join where the plugin is put together. */
export const sanDeviceKinds: readonly DeviceKind[] = [
  erase(brocadeFosKind),
  erase(ciscoMdsKind),
  erase(ontapKind),
];

/** The devices of one bed, by name. */
export interface OpenDevices {
  readonly fabrics: ReadonlyMap<string, FabricSwitch & FabricSweeper>;
  readonly arrays: ReadonlyMap<string, BlockArray & ArraySweeper>;
  readonly hypervisors: ReadonlyMap<string, HostStorage & HostSweeper>;
  /** What the user should know, for instance that a certificate is not verified. */
  readonly warnings: readonly string[];
  /** Ends every session. */
  close(): Promise<void>;
}

/** Problems of a device table: unknown kinds, wrong or missing settings, with their paths. */
export function checkDevices(
  kinds: readonly DeviceKind[],
  table: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  return Object.entries(table).flatMap(([name, entry]) => readEntry(kinds, name, entry).problems);
}

/**
 * Opens the drivers of a device table. Touches no device.
 * @throws {ConfigError} with every problem of the table at once.
 */
export function openDevices(
  kinds: readonly DeviceKind[],
  table: Readonly<Record<string, unknown>>,
  environment: DeviceEnvironment,
): OpenDevices {
  const problems = checkDevices(kinds, table);
  if (problems.length > 0) throw new ConfigError(problems, "the device table has problems");
  const opened = Object.entries(table).map(([name, entry]): [string, OpenedDevice] => {
    const { kind, config } = readEntry(kinds, name, entry);
    if (kind === undefined || config === undefined) throw new ConfigError([]);
    return [name, kind.open(name, config, environment)];
  });
  return {
    fabrics: only(opened, (device) => (device.role === "fabric" ? device.fabric : undefined)),
    arrays: only(opened, (device) => (device.role === "array" ? device.array : undefined)),
    hypervisors: only(opened, (device) =>
      device.role === "hypervisor" ? device.hosts : undefined,
    ),
    warnings: Object.entries(table).flatMap(([name, entry]) =>
      isInsecure(entry) ? [`${name}: its certificate is not verified (tls.insecure)`] : [],
    ),
    close: async () => {
      await Promise.allSettled(opened.map(([, device]) => driverOf(device).close()));
    },
  };
}

function readEntry(
  kinds: readonly DeviceKind[],
  name: string,
  entry: unknown,
): { kind?: DeviceKind; config?: Record<string, unknown>; problems: readonly Problem[] } {
  const word =
    typeof entry === "object" && entry !== null && "kind" in entry ? entry.kind : undefined;
  const kind = kinds.find((candidate) => candidate.kind === word);
  if (kind === undefined) {
    const message = typeof word === "string" ? `no driver for kind "${word}"` : "kind is missing";
    const remedy = `kinds are ${kinds.map((candidate) => candidate.kind).join(", ")}`;
    return { problems: [{ path: `devices.${name}.kind`, message, remedy }] };
  }
  const parsed = kind.config.safeParse(entry);
  if (parsed.success) return { kind, config: parsed.data, problems: [] };
  return {
    problems: parsed.error.issues.map((issue) => ({
      path: ["devices", name, ...issue.path.map(String)].join("."),
      message: issue.message,
    })),
  };
}

function only<T>(
  opened: readonly (readonly [string, OpenedDevice])[],
  pick: (device: OpenedDevice) => T | undefined,
): ReadonlyMap<string, T> {
  return new Map(
    opened.flatMap(([name, device]) => {
      const driver = pick(device);
      return driver === undefined ? [] : [[name, driver] as const];
    }),
  );
}

function driverOf(device: OpenedDevice): { close(): Promise<void> } {
  switch (device.role) {
    case "fabric":
      return device.fabric;
    case "array":
      return device.array;
    case "hypervisor":
      return device.hosts;
  }
}

function isInsecure(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null || !("tls" in entry)) return false;
  const { tls } = entry;
  return typeof tls === "object" && tls !== null && "insecure" in tls && tls.insecure === true;
}

/** Safe because `open` only ever gets what the kind's own schema has parsed. */
function erase<Config extends DeviceKind["config"]>(kind: DeviceKind<Config>): DeviceKind {
  return kind;
}
