import { DeviceError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import { bedOfName } from "../../bed/mark";
import type { HostInfo } from "./host-storage";
import type { DatastoreUse, Hold, MachineUse, StorageHolds, StorageUse } from "./storage-use";

/** What shall be taken away. */
export interface TeardownScope {
  /** Whose machines may lie on it; undefined: nobody's, the bed's own have gone before. */
  readonly bedId: BedId | undefined;
  /** Names that the bed gives its machines: one that was cut off carries no mark yet. */
  readonly planned: readonly string[];
  readonly devices: readonly string[];
  /** Hosts that the devices are presented to. */
  readonly hosts: readonly string[];
}

/** What the hypervisor and the arrays told. */
export interface TeardownFacts {
  /** Snapshots and clones on arrays that hang on the volumes behind the devices. */
  readonly copies?: readonly {
    readonly array: string;
    readonly tenant: string;
    readonly volume: string;
    readonly what: string;
  }[];
  readonly use: StorageUse;
  readonly hosts: readonly HostInfo[];
  readonly holds: StorageHolds;
  /** Files that belong to no machine, by the datastore's id. */
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** One thing that keeps the devices from being taken away safely. */
export interface Obstacle {
  /** What it is and where: object, datastore or device, host. */
  readonly what: string;
  readonly remedy: string;
}

/** Datastores that lie on one of the devices. Pure. */
export function datastoresOn(use: StorageUse, devices: readonly string[]): readonly DatastoreUse[] {
  return use.datastores.filter((one) => one.devices.some((device) => devices.includes(device)));
}

/**
 * Everything that must be out of the way before the devices go: what belongs to others, what the
 * hypervisor keeps for itself, and hosts where nothing could be let go of. Pure.
 */
export function teardownObstacles(scope: TeardownScope, facts: TeardownFacts): readonly Obstacle[] {
  const datastores = datastoresOn(facts.use, scope.devices);
  return [
    ...silentHosts(scope, facts, datastores),
    ...datastores.flatMap((datastore) => onDatastore(scope, facts, datastore)),
    ...(facts.copies ?? []).map(({ array, tenant, volume, what }) => ({
      what: `${what} of volume ${volume} (${array}, ${tenant}) would be lost or keeps it from going`,
      remedy: "Remove it, if nobody needs it; clones can be split off.",
    })),
    ...scope.devices.flatMap((device) =>
      (facts.holds.devices.get(device) ?? []).map((hold) => heldBy(hold, `device ${device}`)),
    ),
  ];
}

function onDatastore(
  scope: TeardownScope,
  facts: TeardownFacts,
  datastore: DatastoreUse,
): readonly Obstacle[] {
  const place = `datastore ${datastore.name}`;
  const beyond = datastore.devices.filter((device) => !scope.devices.includes(device));
  const machines = facts.use.machines.filter(
    (one) => datastore.machines.includes(one.id) && !isOurs(scope, one),
  );
  return [
    ...(beyond.length === 0
      ? []
      : [
          {
            what: `${place} also lies on ${beyond.join(", ")}, which is not the bed's`,
            remedy: "Move what lies on it elsewhere and remove it by hand.",
          },
        ]),
    ...machines.map((one) => foreignMachine(one, place)),
    ...(facts.files.get(datastore.id) ?? []).map((file) => foreignFile(file, place)),
    ...(facts.holds.datastores.get(datastore.id) ?? []).map((hold) => heldBy(hold, place)),
  ];
}

function isOurs({ bedId, planned }: TeardownScope, machine: MachineUse): boolean {
  if (bedId === undefined || machine.agent !== undefined) return false;
  if (machine.bedId === bedId) return true;
  const folders = machine.path.split("/").slice(0, -1);
  return planned.includes(machine.name) && folders.some((name) => bedOfName(name) === bedId);
}

function foreignMachine(machine: MachineUse, place: string): Obstacle {
  const where = machine.host === undefined ? "" : ` (host ${machine.host})`;
  if (machine.agent !== undefined) {
    const { what, remedy } = machine.agent;
    return { what: `machine ${machine.path} on ${place}${where} is ${what}`, remedy };
  }
  const kind = machine.template ? "template" : "machine";
  return {
    what: `${kind} ${machine.path} on ${place}${where} is not the bed's`,
    remedy: `Move the ${kind} elsewhere, or take what it uses there out of it.`,
  };
}

function foreignFile(file: string, place: string): Obstacle {
  // Core dump files lie in a folder of their own (esxcli system coredump file).
  const isDump = /\/?vmkdump\//.test(file);
  return {
    what: `file ${file} on ${place} belongs to no machine`,
    remedy: isDump
      ? "Give the host another core dump file (esxcli system coredump file), then remove it."
      : "Move the file elsewhere: it would be lost with the datastore.",
  };
}

function heldBy(hold: Hold, place: string): Obstacle {
  const where = hold.host === undefined ? "" : ` on host ${hold.host}`;
  return { what: `${place} is used${where} for ${hold.what}`, remedy: hold.remedy };
}

/** A host that does not answer cannot let go: its paths would die under it. One that has left does not count. */
function silentHosts(
  { hosts }: TeardownScope,
  facts: TeardownFacts,
  datastores: readonly DatastoreUse[],
): readonly Obstacle[] {
  return facts.hosts
    .filter((host) => !host.connected)
    .flatMap((host): Obstacle[] => {
      const mounted = datastores
        .filter(({ mounts }) => mounts.some((m) => m.mounted && m.host === host.name))
        .map(({ name }) => name);
      if (mounted.length === 0 && !hosts.includes(host.name) && !hosts.includes(host.id)) return [];
      const what = mounted.length === 0 ? "" : ` and has mounted datastore ${mounted.join(", ")}`;
      return [
        {
          what: `host ${host.name} does not answer${what}`,
          remedy: `Reconnect host ${host.name}, or take it out of the vCenter.`,
        },
      ];
    });
}

/** One error for all of them, each with its remedy. */
export function obstacleError(
  device: string,
  operation: string,
  object: string,
  obstacles: readonly Obstacle[],
): DeviceError {
  const lines = obstacles.map(({ what, remedy }) => `\n  - ${what}. ${remedy}`).join("");
  const count =
    obstacles.length === 1 ? "something is" : `${obstacles.length.toString()} things are`;
  return new DeviceError({
    kind: "refused",
    device,
    operation,
    object,
    reason: `${count} in the way, and nothing was removed:${lines.replace(/\.$/, "")}`,
    remedy: "\n  Then run destroy again.",
  });
}
