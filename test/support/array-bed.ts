import { parseWwpn, type Wwpn } from "../../bed/identities";
import type {
  BlockArray,
  Scope,
  TargetsSpec,
  VolumeSpec,
} from "../../provider/devices/block-array";
import type { OntapArray } from "../../provider/devices/ontap/driver";
import { call, openArray, quickJobs, testBedId } from "./device-rig";
import { withLab, type TestLab } from "./lab";

/** A small bed on the lab's array: one tenant, four ports, some volumes, two hosts in one group. */
export const gibibyte = 1024n ** 3n;
export const scope: Scope = { bedId: testBedId, target: "t_svm" };

/** The lab's array by the release that it runs: its controllers, and a port of each on either fabric. */
export interface ArrayModel {
  readonly controllers: readonly [string, string];
  readonly ports: readonly [fabricA: string, fabricB: string];
}

export function modelOf(release: string): ArrayModel {
  return release === "9.5"
    ? { controllers: ["a800-01", "a800-02"], ports: ["5a", "5b"] }
    : { controllers: ["a250-01", "a250-02"], ports: ["2a", "2b"] };
}

export function targetsOf(release: string): TargetsSpec {
  const { controllers, ports } = modelOf(release);
  const at = (name: string, node: 0 | 1, fabric: 0 | 1) => ({
    name,
    controller: controllers[node],
    port: ports[fabric],
  });
  return {
    ...scope,
    protocol: "fcp",
    ports: {
      n1_a: at("t_n1_a", 0, 0),
      n1_b: at("t_n1_b", 0, 1),
      n2_a: at("t_n2_a", 1, 0),
      n2_b: at("t_n2_b", 1, 1),
    },
    pools: ["aggr_a", "aggr_b"],
  };
}
export const group = "hosts";
export const esx01 = {
  name: "esx01",
  initiators: wwpns("10:00:00:10:9b:aa:01:01", "10:00:00:10:9b:aa:01:02"),
};
export const esx02 = {
  name: "esx02",
  initiators: wwpns("10:00:00:10:9b:aa:02:01", "10:00:00:10:9b:aa:02:02"),
};

export function volumes(count: number, change: Partial<VolumeSpec> = {}): VolumeSpec[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `t_data${(index + 1).toString().padStart(2, "0")}`,
    sizeBytes: 10n * gibibyte,
    pool: index % 2 === 0 ? "aggr_a" : "aggr_b",
    thin: true,
    ...change,
  }));
}

function wwpns(...texts: string[]): Wwpn[] {
  return texts.flatMap((text) => parseWwpn(text) ?? []);
}

export const names = (specs: readonly VolumeSpec[]): string[] => specs.map((spec) => spec.name);

/** Builds everything up to the maps, as a bed does. */
export async function build(array: BlockArray, targets: TargetsSpec, count = 4): Promise<void> {
  await array.targets.ensure(call(), targets);
  await array.volumes.ensure(call(), scope, volumes(count));
  await array.hosts.ensureGroup(call(), scope, group);
  await array.hosts.ensureHosts(call(), scope, group, [esx01, esx02]);
  await array.maps.ensure(call(), scope, mapsOf(count));
}

export const mapsOf = (
  count: number,
  first = 10,
): { volume: string; group: string; lun: number }[] =>
  names(volumes(count)).map((volume, index) => ({ volume, group, lun: first + index }));

export async function tearDown(array: BlockArray, count = 4): Promise<void> {
  await array.maps.remove(call(), scope, mapsOf(count));
  await array.volumes.remove(call(), scope, names(volumes(count)));
  await array.hosts.removeHosts(call(), scope, group, [esx01, esx02]);
  await array.hosts.removeGroup(call(), scope, group);
  await array.targets.remove(call(), scope);
}

/** Runs a test on the driver of an array of its own. `settings` go over its entry in the device table. */
export async function withArray(
  release: string,
  test: (array: OntapArray, lab: TestLab) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      quickJobs(lab);
      const array = openArray(lab, "array", settings);
      try {
        await test(array, lab);
      } finally {
        await array.close();
      }
    },
    { profiles: { array: release } },
  );
}

export async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => {
      throw new Error("it should have failed");
    },
    (error: unknown) => error as Error,
  );
}
