import { randomBytes } from "node:crypto";
import { makeBedId, parseNqn, parseWwpn } from "../../bed/identities";
import type { Site } from "../../bed/site";
import {
  nvmeSide,
  type BlockArray,
  type HostInitiators,
  type Scope,
} from "../../provider/devices/block-array";
import type { DeviceCall } from "../../provider/devices/call";
import type { DataProtocol } from "../../provider/devices/data-protocol";
import type { ArrayStep } from "./array-least";

/** What is measured: one release of an array over one protocol. */
export interface ArrayCase {
  readonly release: string;
  readonly protocol: DataProtocol;
}

export interface ArrayLoad {
  readonly volumes: number;
  readonly hosts: number;
  readonly signal: AbortSignal;
}

export type WorkStep = ArrayStep & { readonly run: () => Promise<unknown> };

const tenant = "bench_speed";
const group = "bench";

interface Job extends ArrayCase, ArrayLoad {
  readonly array: BlockArray;
  readonly site: Site;
}

/** Targets that are there before, then the same steps as a bed has, in its order. */
export function workOf(job: Job): {
  readonly prepare: () => Promise<unknown>;
  readonly build: readonly WorkStep[];
  readonly remove: readonly WorkStep[];
} {
  const { array, site, protocol, signal } = job;
  const call: DeviceCall = { signal };
  const scope: Scope = { bedId: makeBedId((size) => randomBytes(size)), target: tenant };
  const { pools, ports } = site.array;
  const prepare = (): Promise<unknown> =>
    array.targets.ensure(call, {
      ...scope,
      protocol,
      ports: Object.fromEntries(
        ports.map(({ key, controller, port }) => [key, { name: key, controller, port }]),
      ),
      pools: pools.map((pool) => pool.name),
    });
  return { prepare, build: buildSteps(job, call, scope), remove: removeSteps(job, call, scope) };
}

/** No object needs a read of its own. */
const each = { readsForEach: 0 };

function buildSteps(job: Job, call: DeviceCall, scope: Scope): WorkStep[] {
  const { array, protocol, site } = job;
  const { pools } = site.array;
  const side = protocol === "fcp" ? array : nvmeSide(array);
  const specs = namesOf(job).map((name, index) => ({
    name,
    sizeBytes: 1024n ** 3n,
    pool: pools[index % pools.length]?.name ?? "",
    thin: true,
  }));
  const mapAll = (): Promise<void> =>
    protocol === "fcp"
      ? array.maps.ensure(call, scope, mapsOf(job))
      : nvmeSide(array).maps.ensure(call, scope, mapsOf(job));
  const step = (name: string, run: () => Promise<unknown>): WorkStep => ({
    name,
    ...each,
    // A look before the first write, and one after the last.
    readRounds: 2,
    run,
  });
  return [
    step("volumes", () => side.volumes.ensure(call, scope, specs)),
    step("group", () => side.hosts.ensureGroup(call, scope, group)),
    step("hosts", () => side.hosts.ensureHosts(call, scope, group, membersOf(job))),
    step("maps", mapAll),
  ];
}

function removeSteps(job: Job, call: DeviceCall, scope: Scope): WorkStep[] {
  const { array, protocol, release } = job;
  const side = protocol === "fcp" ? array : nvmeSide(array);
  // Files are a list of each volume; so are snapshots over REST. Clones, mirrors and mounts are few lists.
  const lists = release === "9.5" ? job.volumes + 4 : 2 * job.volumes + 2;
  return [
    {
      name: "maps",
      ...each,
      readRounds: 2,
      run: () => side.maps.remove(call, scope, mapsOf(job)),
    },
    {
      name: "volumes",
      readsForEach: lists,
      // Whose tenant it is, the volumes, the recovery queue, the proof.
      readRounds: 4,
      run: () => side.volumes.remove(call, scope, namesOf(job)),
    },
    {
      name: "hosts",
      ...each,
      readRounds: 1,
      run: () => side.hosts.removeHosts(call, scope, group, membersOf(job)),
    },
    {
      name: "group",
      ...each,
      readRounds: 1,
      run: () => side.hosts.removeGroup(call, scope, group),
    },
  ];
}

function namesOf({ volumes }: ArrayLoad): string[] {
  return Array.from(
    { length: volumes },
    (_, index) => `bench_${index.toString().padStart(4, "0")}`,
  );
}

function mapsOf(load: ArrayLoad): { volume: string; group: string; lun: number }[] {
  return namesOf(load).map((volume, lun) => ({ volume, group, lun }));
}

function membersOf({ site, hosts, protocol }: Job): HostInitiators[] {
  return site.hosts.slice(0, hosts).map((host) => ({
    name: host.name,
    initiators:
      protocol === "fcp"
        ? host.hbas.flatMap(({ wwpn }) => parseWwpn(wwpn) ?? [])
        : [parseNqn(host.nqn ?? "")].flatMap((nqn) => nqn ?? []),
  }));
}
