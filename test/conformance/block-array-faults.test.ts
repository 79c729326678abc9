import { call } from "../support/device-rig";
import { build, group, scope, tearDown, withArray } from "../support/array-bed";

jest.setTimeout(20_000);

describe.each([["9.8"], ["9.9.1"]])("a faulty block array running ONTAP %s", (profile) => {
  const creations = [
    ["tenant", "/svm/svms"],
    ["service", "/fcp/services"],
    ["port", "/fc/interfaces"],
    ["volume", "/storage/volumes"],
    ["LUN", "/storage/luns"],
    ["group", "/san/igroups"],
    ["initiators", "/initiators"],
    ["map", "/lun-maps"],
  ] as const;

  test.each(
    creations.flatMap(([what, path]) => [
      [what, path, "before", { dropBefore: true as const }] as const,
      [what, path, "after", { dropAfter: true as const }] as const,
    ]),
  )(
    "finishes when the answer to the creation of the %s (%s) is lost %s its effect",
    async (_what, path, _when, effect) => {
      await withArray(profile, async (array, lab) => {
        await lab.client.addFault({
          device: "array",
          match: { method: "POST", path },
          times: 1,
          effect,
        });
        await build(array, 2);
        expect(await array.maps.list(call(), scope, group)).toHaveLength(2);
      });
    },
  );

  test.each(
    creations.flatMap(([what, path]) => [
      [what, path, "before", { dropBefore: true as const }] as const,
      [what, path, "after", { dropAfter: true as const }] as const,
    ]),
  )(
    "finishes when the answer to the removal of the %s (%s) is lost %s its effect",
    async (_what, path, _when, effect) => {
      await withArray(profile, async (array, lab) => {
        const before = await array.inventory(call());
        await build(array, 2);
        await lab.client.addFault({
          device: "array",
          match: { method: "DELETE", path },
          times: 1,
          effect,
        });
        await tearDown(array, 2);
        expect(await array.inventory(call())).toEqual(before);
      });
    },
  );

  test.each([
    [
      "a full request queue",
      { match: { method: "GET" }, times: 2, effect: { dropBefore: true as const } },
    ],
    ["an array that answers 503", { match: { method: "GET" }, times: 2, effect: { status: 503 } }],
    [
      "a locked configuration",
      { match: { method: "POST" }, times: 2, effect: { code: "2621573" } },
    ],
    [
      "a busy volume",
      { match: { method: "POST", path: "/volumes" }, times: 2, effect: { code: "524486" } },
    ],
    [
      "another provisioning job",
      { match: { method: "POST", path: "/volumes" }, times: 2, effect: { code: "19726382" } },
    ],
  ])("outlasts %s", async (_what, rule) => {
    await withArray(profile, async (array, lab) => {
      await lab.client.addFault({ device: "array", ...rule });
      await build(array, 1);
    });
  });
});
