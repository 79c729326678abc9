import type { CiscoMdsSwitch } from "../../provider/devices/cisco-mds/driver";
import type { ZoningChange, ZoningState } from "../../provider/devices/fabric-switch";
import { call, openMds, testBedId } from "./device-rig";
import { withLab, type TestLab } from "./lab";

/** Names and WWPNs of one host's zone on fabric A. */
export const alias = `sanbed_${testBedId}_esx01_vmhba2`;
export const zone = "t_esx01_vmhba2";
export const initiator = "10:00:00:10:9b:aa:01:01";
export const target = "20:01:00:a0:98:bb:00:01";
export const foreign: [string, string] = ["50:06:01:60:c7:e0:11:05", "50:06:01:60:c7:e0:11:06"];

export function upsert(members: readonly string[] = [alias, target]): ZoningChange {
  return {
    upsertAliases: new Map([[alias, [initiator]]]),
    upsertZones: new Map([[zone, members]]),
    removeAliases: [],
    removeZones: [],
  };
}

export const removal: ZoningChange = {
  upsertAliases: new Map(),
  upsertZones: new Map(),
  removeAliases: [alias],
  removeZones: [zone],
};

export async function apply(
  fabric: CiscoMdsSwitch,
  change: ZoningChange,
): Promise<ZoningState | undefined> {
  const transaction = await fabric.stage(call(), () => change);
  return await transaction?.commit(call());
}

export async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => {
      throw new Error("it should have failed");
    },
    (error: unknown) => error as Error,
  );
}

export type MdsTest = (fabric: CiscoMdsSwitch, lab: TestLab) => Promise<void>;

/** A lab of MDS switches; fabric A in this zone mode, its activations quick. */
export async function withMds(
  mode: string,
  test: MdsTest,
  patience = {},
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      await lab.client.tamper("fabricA", "set-zone-mode", { mode });
      await lab.client.tamper("fabricA", "set-readings", { activationMs: 20 });
      const fabric = openMds(lab, "fabricA", patience, settings);
      try {
        await test(fabric, lab);
      } finally {
        await fabric.close();
      }
    },
    { shape: { fabric: "cisco-mds" } },
  );
}

/** Nobody is kept out, and what others own is as it was. */
export async function expectClean(lab: TestLab, before: unknown): Promise<void> {
  const other = openMds(lab, "fabricA");
  expect(await other.inventory(call())).toEqual(before);
  await apply(other, upsert());
  await apply(other, removal);
  expect(await other.inventory(call())).toEqual(before);
  await other.close();
}
