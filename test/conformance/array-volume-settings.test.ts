import { isDeviceError } from "../../bed/errors";
import {
  nvmeSide,
  type ArrayVolumes,
  type DataReduction,
} from "../../provider/devices/block-array";
import { changeVolume } from "../support/array-admin";
import { failure, names, scope, targetsOf, volumes, withArray } from "../support/array-bed";
import {
  place,
  sets,
  setInputs,
  targetInputsOf,
  tenants,
  withArrayBed,
} from "../support/array-resources";
import { call } from "../support/device-rig";
import type { TestLab } from "../support/lab";

jest.setTimeout(20_000);

const writes = async (lab: TestLab): Promise<number> =>
  (await lab.client.requests("array")).filter((request) => request.write).length;

const wishes: readonly DataReduction[] = [
  { deduplication: "inline", compression: "inline" },
  { deduplication: "off", compression: "off" },
  { deduplication: "background", compression: "off", compaction: "off" },
  { deduplication: "off", compression: "inline" },
  { deduplication: "both", compression: "inline", compaction: "inline" },
];

describe.each([
  ["9.5", "fcp"],
  ["9.8", "fcp"],
  ["9.9.1", "fcp"],
  ["9.9.1", "nvme-fc"],
] as const)("volumes on ONTAP %s over %s", (release, protocol) => {
  const targets = { ...targetsOf(release), protocol };

  test.each(["applied", "ignored"])(
    "get the data reduction that was asked for, with efficiency at creation %s, and are then left alone",
    async (efficiencyAtCreate) => {
      await withArray(release, async (array, lab) => {
        await lab.client.tamper("array", "setSwitches", { efficiencyAtCreate });
        await array.targets.ensure(call(), targets);
        const side: ArrayVolumes = protocol === "fcp" ? array.volumes : nvmeSide(array).volumes;
        for (const dataReduction of wishes) {
          const specs = volumes(2, { dataReduction });
          for (const made of await side.ensure(call(), scope, specs)) {
            expect(made.dataReduction).toMatchObject(dataReduction);
          }
          const before = await writes(lab);
          await side.ensure(call(), scope, specs);
          await side.ensure(call(), scope, volumes(2));
          expect(await writes(lab)).toBe(before);
        }
      });
    },
  );

  test("change between thin and thick in place, as long as the pool has room", async () => {
    await withArray(release, async (array, lab) => {
      await array.targets.ensure(call(), targets);
      const side: ArrayVolumes = protocol === "fcp" ? array.volumes : nvmeSide(array).volumes;
      const [thin] = await side.ensure(call(), scope, volumes(1));
      const [thick] = await side.ensure(call(), scope, volumes(1, { thin: false }));
      expect([thin?.thin, thick?.thin]).toEqual([true, false]);
      expect(thick?.serial).toBe(thin?.serial);
      expect((await side.ensure(call(), scope, volumes(1)))[0]?.thin).toBe(true);
      await lab.client.tamper("array", "fillPool", { pool: "aggr_a", freeBytes: "1073741824" });
      const error = await failure(side.ensure(call(), scope, volumes(1, { thin: false })));
      expect(isDeviceError(error, "refused")).toBe(true);
      expect(error.message).toContain("aggr_a has 1 GiB free");
      expect((await side.list(call(), scope, names(volumes(1))))[0]?.thin).toBe(true);
    });
  });
});

describe.each(["9.5", "9.8", "9.9.1"])("a volume group on ONTAP %s", (release) => {
  const dataReduction = { deduplication: "inline", compression: "inline" } as const;

  test("shows in a refresh what somebody set otherwise, and up sets it back", async () => {
    await withArrayBed(async (context, lab) => {
      await tenants.create(context, targetInputsOf(release));
      const inputs = { ...setInputs, dataReduction };
      const { id, state } = await sets.create(context, inputs);
      expect((await sets.read(context, id, state))?.inputs).toEqual(inputs);
      const at = { svm: place.target, volume: "t_data_02" };
      await changeVolume(lab, release, at, {
        rest: { efficiency: { compression: "none" }, guarantee: { type: "volume" } },
        ontapi: [
          "<sis-set-config><path>/vol/t_data_02</path><enable-compression>false</enable-compression>" +
            "<enable-inline-compression>false</enable-inline-compression></sis-set-config>",
          "<volume-modify-iter><query><volume-attributes><volume-id-attributes><name>t_data_02</name>" +
            "</volume-id-attributes></volume-attributes></query><attributes><volume-attributes>" +
            "<volume-space-attributes><space-guarantee>volume</space-guarantee></volume-space-attributes>" +
            "</volume-attributes></attributes></volume-modify-iter>",
        ],
      });
      const seen = await sets.read(context, id, state);
      expect(seen?.inputs).toEqual({
        ...inputs,
        thin: false,
        dataReduction: { ...dataReduction, compression: "off" },
      });
      const again = await sets.update(context, id, seen!.state, inputs);
      expect((await sets.read(context, id, again))?.inputs).toEqual(inputs);
    }, release);
  });

  test("leaves alone what the program leaves to the array", async () => {
    await withArrayBed(async (context, lab) => {
      await tenants.create(context, targetInputsOf(release));
      const { id, state } = await sets.create(context, setInputs);
      await changeVolume(
        lab,
        release,
        { svm: place.target, volume: "t_data_01" },
        {
          rest: { efficiency: { dedupe: "none" } },
          ontapi: ["<sis-disable><path>/vol/t_data_01</path></sis-disable>"],
        },
      );
      expect((await sets.read(context, id, state))?.inputs).toEqual(setInputs);
      const before = await writes(lab);
      await sets.update(context, id, state, setInputs);
      expect(await writes(lab)).toBe(before);
    }, release);
  });
});

test("compression that the interface cannot tell apart is refused by name", async () => {
  await withArray("9.5", async (array) => {
    await array.targets.ensure(call(), targetsOf("9.5"));
    const specs = volumes(1, { dataReduction: { compression: "both" } });
    const error = await failure(array.volumes.ensure(call(), scope, specs));
    expect(isDeviceError(error, "unsupported")).toBe(true);
    expect(error.message).toContain("t_data01");
    expect(error.message).toContain("Ask for compression inline");
  });
});
