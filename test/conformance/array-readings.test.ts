import { isDeviceError } from "../../bed/errors";
import {
  build,
  failure,
  scope,
  targetsOf,
  tearDown,
  volumes,
  withArray,
} from "../support/array-bed";
import { call } from "../support/device-rig";
import { buildNvme, nvmeTargetsOf, tearDownNvme } from "../support/nvme-bed";

jest.setTimeout(30_000);

/**
 * Where the documentation leaves two readings the driver must do with either; and with an array that is slow,
 * forgetful or short of breath.
 */
const otherReadings = {
  restPreview: "absent",
  unauthorizedBody: "empty",
  lunNumberTaken: "1254324",
  lunSize: "geometry",
  createdBody: "empty",
  failedInTime: "job",
  defaultReturnTimeoutSeconds: 1,
  initiatorMatch: "canonical",
  mapNeedsInterface: "every",
  vmwareBlockSize: 512,
  mappedVolumeDelete: "cascade",
  efficiencyAtCreate: "ignored",
};

const behaviours: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
  ["pages of one record", { pageLimit: 1 }],
  ["jobs that outlast no return_timeout but take their time", { jobSlowness: 3 }],
  ["jobs that are forgotten as soon as they end", { jobKeepMs: 0 }],
  ["LUNs that cannot be mapped at once", { lunVisibleAfterMs: 30 }],
];

test.each(["9.5", "9.8", "9.9.1", "9.12.1"])(
  "a bed is built and taken away with the other reading of everything that is open (ONTAP %s)",
  async (release) => {
    await withArray(release, async (array, lab) => {
      await lab.client.tamper("array", "setSwitches", otherReadings);
      const before = await array.inventory(call());
      await build(array, targetsOf(release));
      await build(array, targetsOf(release));
      await tearDown(array);
      expect(await array.inventory(call())).toEqual(before);
    });
  },
);

describe.each(["9.5", "9.8"])("a bed on ONTAP %s", (release) => {
  test.each(behaviours)("is built and taken away with %s", async (_name, behaviour) => {
    await withArray(release, async (array, lab) => {
      await lab.client.tamper("array", "behave", behaviour);
      const before = await array.inventory(call());
      await build(array, targetsOf(release));
      await tearDown(array);
      expect(await array.inventory(call())).toEqual(before);
    });
  });

  test.each(["error", "job"])(
    "tells of a job that failed by its number and text (failedInTime %s), and goes on afterwards",
    async (failedInTime) => {
      await withArray(release, async (array, lab) => {
        await array.targets.ensure(call(), targetsOf(release));
        await lab.client.tamper("array", "setSwitches", { failedInTime });
        const failJobs = { code: "917534", times: 1, match: "volumes" };
        await lab.client.tamper("array", "behave", { failJobs });
        const error = await failure(array.volumes.ensure(call(), scope, volumes(2)));
        expect(isDeviceError(error, "refused", "protocol", "unsupported")).toBe(true);
        expect(error.message).toMatch(/t_data0[12]/);
        expect(await array.volumes.ensure(call(), scope, volumes(2))).toHaveLength(2);
      });
    },
  );
});

test("a LUN that is made in part is taken as it is (REST 5374863)", async () => {
  await withArray("9.8", async (array, lab) => {
    await lab.client.tamper("array", "behave", { partialLuns: 2 });
    const before = await array.inventory(call());
    await build(array, targetsOf("9.8"));
    await tearDown(array);
    expect(await array.inventory(call())).toEqual(before);
  });
});

test.each(["9.8", "9.12.1"])(
  "a bed over NVMe is built and taken away with pages of one record (ONTAP %s)",
  async (release) => {
    await withArray(release, async (array, lab) => {
      await lab.client.tamper("array", "behave", { pageLimit: 1 });
      const before = await array.inventory(call());
      await buildNvme(array, nvmeTargetsOf(release), 3);
      await tearDownNvme(array, 3);
      expect(await array.inventory(call())).toEqual(before);
    });
  },
);

/** What a role leaves out, over either interface, and what a bed needs it for. */
const rights: readonly (readonly [what: string, rest: string, ontapi: string])[] = [
  ["tenants", "POST /api/svm/svms", "vserver-create"],
  ["services", "POST /api/protocols/san/fcp/services", "fcp-service-create"],
  ["ports", "POST /api/network/fc/interfaces", "net-interface-create"],
  ["volumes", "POST /api/storage/volumes", "volume-create"],
  ["LUNs", "POST /api/storage/luns", "lun-create-by-size"],
  ["groups", "POST /api/protocols/san/igroups", "igroup-create"],
  ["maps", "POST /api/protocols/san/lun-maps", "lun-map"],
];

describe.each(["9.5", "9.8"])("an account of ONTAP %s that may not make", (release) => {
  test.each(rights)(
    "%s is refused by name, once, and the bed goes on with the right",
    async (_what, rest, ontapi) => {
      await withArray(release, async (array, lab) => {
        const before = await array.inventory(call());
        await lab.client.tamper("array", "denyCommands", { commands: [rest, ontapi] });
        const error = await failure(build(array, targetsOf(release), 1));
        expect(isDeviceError(error, "unauthorized")).toBe(true);
        expect(error.message).toContain("array");
        expect(error.message).toMatch(/role/);
        await lab.client.tamper("array", "denyCommands", { commands: [] });
        await build(array, targetsOf(release), 1);
        await tearDown(array, 1);
        expect(await array.inventory(call())).toEqual(before);
      });
    },
  );
});
