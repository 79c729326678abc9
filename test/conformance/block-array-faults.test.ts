import { wireOf, type ArrayObject } from "../support/array-wire";
import { call } from "../support/device-rig";
import { build, group, scope, targetsOf, tearDown, withArray } from "../support/array-bed";

jest.setTimeout(20_000);

test("another provisioning job is waited for (ONTAP 9.8)", async () => {
  await withArray("9.8", async (array, lab) => {
    const rule = { match: wireOf("9.8").create("volume"), times: 2, effect: { code: "19726382" } };
    await lab.client.addFault({ device: "array", ...rule });
    await build(array, targetsOf("9.8"), 1);
  });
});

describe.each([["9.5"], ["9.8"], ["9.9.1"]])("a faulty block array running ONTAP %s", (profile) => {
  const targets = targetsOf(profile);

  const wire = wireOf(profile);
  const objects: readonly ArrayObject[] = [
    "tenant",
    "service",
    "port",
    "volume",
    "LUN",
    "group",
    "initiators",
    "map",
  ];
  const losses = objects.flatMap((what) => [
    [what, "before", { dropBefore: true as const }] as const,
    [what, "after", { dropAfter: true as const }] as const,
  ]);

  test.each(losses)(
    "finishes when the answer to the creation of the %s is lost %s its effect",
    async (what, _when, effect) => {
      await withArray(profile, async (array, lab) => {
        const match = wire.create(what);
        await lab.client.addFault({ device: "array", match, times: 1, effect });
        await build(array, targets, 2);
        expect(await array.maps.list(call(), scope, group)).toHaveLength(2);
      });
    },
  );

  test.each(losses)(
    "finishes when the answer to the removal of the %s is lost %s its effect",
    async (what, _when, effect) => {
      await withArray(profile, async (array, lab) => {
        const before = await array.inventory(call());
        await build(array, targets, 2);
        const match = wire.remove(what);
        await lab.client.addFault({ device: "array", match, times: 1, effect });
        await tearDown(array, 2);
        expect(await array.inventory(call())).toEqual(before);
      });
    },
  );

  test.each([
    ["a full request queue", { match: wire.read, times: 2, effect: { dropBefore: true as const } }],
    ["an array that answers 503", { match: wire.read, times: 2, effect: { status: 503 } }],
    [
      "a locked configuration",
      { match: wire.write, times: 2, effect: { code: wire.busy.configuration } },
    ],
    [
      "a busy volume",
      { match: wire.create("volume"), times: 2, effect: { code: wire.busy.volume } },
    ],
  ])("outlasts %s", async (_what, rule) => {
    await withArray(profile, async (array, lab) => {
      await lab.client.addFault({ device: "array", ...rule });
      await build(array, targets, 1);
    });
  });
});
