import type { BedContext } from "../../provider/resources/context";
import { hostEntry } from "../../provider/resources/array-host-entry";
import { hostGroup } from "../../provider/resources/array-host-group";
import { targets } from "../../provider/resources/array-targets";
import { volumeMap } from "../../provider/resources/array-volume-map";
import { volumeSet } from "../../provider/resources/array-volume-set";
import { modelOf } from "./array-bed";
import { call, quickJobs, testBedId } from "./device-rig";
import { Driven, withTestBed } from "./handler-rig";
import { withLab, type TestLab } from "./lab";

/** The array resources of a small bed, driven on the lab's array. */
export const tenants = new Driven(targets);
export const groups = new Driven(hostGroup);
export const entries = new Driven(hostEntry);
export const sets = new Driven(volumeSet);
export const maps = new Driven(volumeMap);

export const place = { device: "array", target: "t_svm" };
export const scope = { bedId: testBedId, target: "t_svm" };

export function targetInputsOf(release: string) {
  const { controllers, ports } = modelOf(release);
  return {
    ...place,
    mode: "create",
    protocol: "fcp",
    ports: {
      n1_a: { name: "t_n1_a", controller: controllers[0], port: ports[0] },
      n2_b: { name: "t_n2_b", controller: controllers[1], port: ports[1] },
    },
    pools: ["aggr_a", "aggr_b"],
  };
}
/** Those of the release that most tests run. */
export const targetInputs = targetInputsOf("9.8");
export const groupName = `sanbed_${testBedId}_t`;
export const groupInputs = { ...place, name: groupName };
export const entry = (host: number) => ({
  ...place,
  group: groupName,
  host: `esx0${host.toString()}`,
  initiators: [1, 2].map((port) => `10:00:00:10:9b:aa:0${host.toString()}:0${port.toString()}`),
});
export const setInputs = {
  ...place,
  thin: true,
  generation: 1,
  volumes: {
    "01": { name: "t_data_01", sizeBytes: "10737418240", pool: "aggr_a" },
    "02": { name: "t_data_02", sizeBytes: "10737418240", pool: "aggr_b" },
  },
};
export const mapInputs = {
  ...place,
  group: groupName,
  guard: "guard-1",
  luns: { "01": { volume: "t_data_01", lun: 10 }, "02": { volume: "t_data_02", lun: 11 } },
};

export async function withArrayBed(
  test: (context: BedContext, lab: TestLab) => Promise<void>,
  release = "9.8",
): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      quickJobs(lab);
      await withTestBed(lab, (context) => test(context, lab));
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

export const inventory = async (context: BedContext): Promise<unknown> =>
  await context.array("array").inventory(call());

/** All resources of a bed's array, made in order. */
export async function build(context: BedContext, inputs: object = targetInputs) {
  const target = await tenants.create(context, inputs);
  const group = await groups.create(context, groupInputs);
  const hosts = await Promise.all([1, 2].map((host) => entries.create(context, entry(host))));
  const set = await sets.create(context, setInputs);
  const map = await maps.create(context, mapInputs);
  return { target, group, hosts, set, map };
}
