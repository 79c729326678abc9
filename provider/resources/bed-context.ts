import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { ConfigError } from "../../bed/errors";
import type { DeviceRequestRecord } from "../devices/call";
import { systemClock } from "../devices/clock";
import { resolveCredentials, resolveSecret } from "../devices/credentials";
import { openGuestShell } from "../devices/guest-ssh/guest-ssh";
import type { GuestAddress, GuestShell } from "../devices/guest-shell";
import { openDevices } from "../devices/registry";
import { RequestLog } from "../devices/request-log";
import { engineWindowMs } from "../kit/group-commit";
import type { BedContext } from "./context";
import { bedIdOf, deviceKinds, type ProviderConfig } from "./provider-config";

/** What the plugin holds for one bed, with the way to end it. */
export interface OpenBed extends BedContext {
  close(): Promise<void>;
}

/** Opens a bed: drivers for all its devices, none of them touched yet. */
export function openBed(config: ProviderConfig): OpenBed {
  const log = new RequestLog({ sink: requestFile(config.folder) });
  const devices = openDevices(deviceKinds, config.devices, {
    log,
    clock: systemClock,
    baseFolder: process.cwd(),
    stateFolder: path.join(config.folder, "sessions"),
    credentials: (reference, signal) => resolveCredentials(reference, process.cwd(), signal),
  });
  const guests = new Map<string, GuestShell>();
  const secret = async (reference: string): Promise<string> =>
    (await resolveSecret(reference, process.cwd())).reveal();
  return {
    bedId: bedIdOf(config),
    folder: config.folder,
    fabrics: devices.fabrics,
    arrays: devices.arrays,
    hypervisors: devices.hypervisors,
    gatherMs: engineWindowMs,
    declared: new Set(),
    warnings: devices.warnings,
    fabric: (name) => named(devices.fabrics, name, "switch"),
    array: (name) => named(devices.arrays, name, "array"),
    hosts: (name) => named(devices.hypervisors, name, "vCenter"),
    guest: (address) => guestShell(guests, address, secret),
    secret,
    close: async () => {
      await Promise.allSettled([devices.close(), ...[...guests.values()].map((g) => g.close())]);
    },
  };
}

function named<T>(devices: ReadonlyMap<string, T>, name: string, what: string): T {
  const device = devices.get(name);
  if (device !== undefined) return device;
  throw new ConfigError([
    {
      path: "device",
      message: `the provider has no ${what} "${name}"`,
      remedy: `it has ${[...devices.keys()].join(", ") || "none"}; see \`devices\` of the provider`,
    },
  ]);
}

/** One shell an address: the connection is shared by all resources of the guest. */
function guestShell(
  guests: Map<string, GuestShell>,
  address: GuestAddress,
  secret: (reference: string) => Promise<string>,
): GuestShell {
  const key = JSON.stringify([
    address.host,
    address.port,
    address.user,
    address.hostKey,
    address.privateKey,
  ]);
  const known = guests.get(key);
  if (known !== undefined) return known;
  const shell = openGuestShell(address, { resolve: secret });
  guests.set(key, shell);
  return shell;
}

/** Requests go to `requests.jsonl` of the bed, for the Gantt of the report; losing one is no error. */
function requestFile(folder: string): (record: DeviceRequestRecord) => void {
  const file = path.join(folder, "requests.jsonl");
  let tail: Promise<unknown> = mkdir(folder, { recursive: true });
  let waiting: string[] = [];
  return (record) => {
    waiting.push(`${JSON.stringify(record)}\n`);
    if (waiting.length > 1) return;
    tail = tail
      .then(() => {
        const lines = waiting.join("");
        waiting = [];
        return appendFile(file, lines);
      })
      .catch(() => undefined);
  };
}
