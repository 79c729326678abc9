import { zoneNames } from "../../bed/zone-names";
import { wwpnFromInt64 } from "../../bed/identities";
import type { ZoningState } from "../../provider/devices/fabric-switch";
import { wantedZones } from "../../provider/resources/fabric-zone-plan";
import { planAll, type ZoneWish } from "../../provider/resources/fabric-zone-request";
import { call, testBedId } from "../support/device-rig";
import { fabricFamilies } from "../support/fabric-families";
import type { TestSwitch } from "../support/handler-rig";
import { withLab } from "../support/lab";

jest.setTimeout(180_000);

const wwpn = (base: bigint, index: number): string => wwpnFromInt64(base + BigInt(index));
const targets = [0, 1, 2, 3].map((index) => wwpn(0x2001_00a0_98bb_0000n, index));

/** 500 zones: eight ports of each of 52 hosts, seven of each of twelve. */
function hosts(): ZoneWish[] {
  return Array.from({ length: 64 }, (_, host): ZoneWish => {
    const ports = host < 52 ? 8 : 7;
    const initiators = Object.fromEntries(
      Array.from({ length: ports }, (__, port) => [
        `vmhba${port.toString()}`,
        wwpn(0x1000_0010_9baa_0000n, host * 8 + port),
      ]),
    );
    const side = { initiators, targets, zonePrefix: "t" };
    const wanted = wantedZones(testBedId, `esx${host.toString()}`, side);
    const earlier = { aliases: [], zones: [] };
    return {
      host: `esx${host.toString()}`,
      kind: "ensure",
      sides: [{ fabric: "A", device: "fabricA", wanted, earlier }],
    };
  });
}

/** What was made for them earlier, to be taken away again. */
function removal(wishes: readonly ZoneWish[]): ZoneWish[] {
  return wishes.map(({ host, sides }) => ({
    host,
    kind: "remove",
    sides: sides.map((side) => ({
      ...side,
      wanted: [],
      earlier: {
        aliases: side.wanted.map(({ hba }) => zoneNames(testBedId, host, hba, "t").alias),
        zones: side.wanted.map(({ hba }) => zoneNames(testBedId, host, hba, "t").zone),
      },
    })),
  }));
}

const foreign = new Map(
  Array.from({ length: 2000 }, (_, index): [string, string[]] => [
    `prod_${index.toString().padStart(4, "0")}`,
    [wwpn(0x2100_0024_ff7b_0000n, index), wwpn(0x5006_0160_c7e0_0000n, index % 32)],
  ]),
);

/** Quicker than one by one; without a mark they are others' from then on. */
async function addForeign(fabric: TestSwitch): Promise<void> {
  const transaction = await fabric.stage(call(60_000), () => ({
    upsertAliases: new Map(),
    upsertZones: foreign,
    removeAliases: [],
    removeZones: [],
  }));
  await transaction?.commit(call(60_000));
  await fabric.close();
}

describe.each(fabricFamilies)("$name", (family) => {
  test("zones 64 hosts with 500 zones beside 2,000 of others in twelve calls, and takes them away in as many", async () => {
    await withLab(
      "D",
      async (lab) => {
        family.prepare(lab);
        await addForeign(family.open(lab, "fabricA"));
        const wishes = hosts();
        for (const one of [wishes, removal(wishes)]) {
          let calls = 0;
          const fabric = family.open(lab, "fabricA", { sent: () => calls++ });
          // What a bed does: who is logged in, then one transaction, then out again.
          await fabric.logins(call());
          const refused = new Map<ZoneWish, unknown>();
          const transaction = await fabric.stage(call(60_000), (state) =>
            planAll("fabricA", state, one, refused, testBedId),
          );
          const after = await transaction?.commit(call(60_000));
          await fabric.close();
          expect(refused.size).toBe(0);
          expectFabric(after, one === wishes ? 500 : 0);
          expect(calls).toBeLessThanOrEqual(12);
        }
      },
      family.lab,
    );
  });
});

function expectFabric(state: ZoningState | undefined, ours: number): void {
  const inForce = [...(state?.effective?.zones ?? [])];
  expect(inForce.filter(([name]) => name.startsWith("t_"))).toHaveLength(ours);
  const kept = inForce.filter(([name]) => name.startsWith("prod_"));
  const sorted = (map: Iterable<[string, readonly string[]]>) =>
    [...map].map(([name, list]) => [name, [...list].sort()]);
  expect(sorted(kept)).toEqual(sorted(foreign));
  const aliases = [...(state?.aliases.keys() ?? [])];
  expect(aliases.filter((name) => name.includes(testBedId))).toHaveLength(ours);
}
