import { isDeviceError } from "../../bed/errors";
import { nvmeSide, type ArrayVolumes } from "../../provider/devices/block-array";
import { asArrayAdmin, asOntapiAdmin, takeOffline } from "../support/array-admin";
import { failure, names, scope, targetsOf, volumes, withArray } from "../support/array-bed";
import { call } from "../support/device-rig";
import type { TestLab } from "../support/lab";

jest.setTimeout(20_000);

interface Case {
  readonly what: string;
  readonly prepare: (lab: TestLab, release: string) => Promise<unknown>;
  /** What the refusal says besides the volume's name. */
  readonly says: string;
  /** `tidyVolume` takes it back, and the volume can go. */
  readonly tidies?: false;
}

const volume = "t_data01";
const tamper =
  (action: string, args: Record<string, string>) =>
  (lab: TestLab): Promise<unknown> =>
    lab.client.tamper("array", action, { volume, ...args });

/** A LUN of somebody in our volume, over the API that the release has. */
async function putLun(lab: TestLab, release: string): Promise<void> {
  if (release === "9.5") {
    const inputs = `<path>/vol/${volume}/theirs</path><size>1073741824</size><ostype>linux</ostype>`;
    await asOntapiAdmin(lab, `<lun-create-by-size>${inputs}</lun-create-by-size>`, scope.target);
    return;
  }
  await asArrayAdmin(lab, "POST", "/api/storage/luns", {
    svm: { name: scope.target },
    name: `/vol/${volume}/theirs`,
    os_type: "linux",
    space: { size: 1073741824 },
  });
}

/** Our LUN for somebody's hosts. */
async function mapToOthers(lab: TestLab, release: string): Promise<void> {
  await lab.client.tamper("array", "createIgroup", { svm: scope.target, name: "theirs" });
  const path = `/vol/${volume}/${volume}`;
  if (release === "9.5") {
    const inputs = `<path>${path}</path><initiator-group>theirs</initiator-group>`;
    await asOntapiAdmin(lab, `<lun-map>${inputs}</lun-map>`, scope.target);
    return;
  }
  await asArrayAdmin(lab, "POST", "/api/protocols/san/lun-maps", {
    svm: { name: scope.target },
    lun: { name: path },
    igroup: { name: "theirs" },
  });
}

const snapshot = tamper("createSnapshot", { name: "before_upgrade" });
const says = `snapshot before_upgrade of ${volume}`;
const anySide: readonly Case[] = [
  { what: "a snapshot", prepare: snapshot, says },
  {
    what: "a FlexClone",
    prepare: tamper("cloneVolume", { name: "dev_copy" }),
    says: "clone t_svm/dev_copy",
    tidies: false,
  },
  {
    what: "a SnapMirror relationship",
    prepare: tamper("mirrorVolume", { destination: "dr:copy" }),
    says: "SnapMirror relationship",
  },
  {
    what: "a mount",
    prepare: tamper("mountVolume", { path: "/share" }),
    says: "mount at /share",
  },
  { what: "a file", prepare: tamper("writeFile", { file: "notes.txt" }), says: "file notes.txt" },
  {
    what: "a snapshot, although it is offline",
    prepare: async (lab, release) => {
      await snapshot(lab);
      await takeOffline(lab, release, scope.target, volume);
    },
    says,
  },
  {
    what: "a snapshot, although it is restricted",
    prepare: async (lab) => {
      await snapshot(lab);
      await tamper("restrictVolume", {})(lab);
    },
    says,
  },
];
const luns: readonly Case[] = [
  { what: "a LUN in it", prepare: putLun, says: `/vol/${volume}/theirs`, tidies: false },
  {
    what: "a map to their igroup",
    prepare: mapToOthers,
    says: `/vol/${volume}/${volume} is still mapped`,
    tidies: false,
  },
];

describe.each([
  ["9.5", "fcp"],
  ["9.8", "fcp"],
  ["9.9.1", "fcp"],
  ["9.12.1", "fcp"],
  ["9.9.1", "nvme-fc"],
] as const)("a volume of the bed on ONTAP %s over %s", (release, protocol) => {
  const cases = protocol === "fcp" ? [...anySide, ...luns] : anySide;

  test.each(cases)(
    "stays while somebody else has $what, which is named",
    async ({ prepare, says: said, tidies }) => {
      await withArray(release, async (array, lab) => {
        await array.targets.ensure(call(), { ...targetsOf(release), protocol });
        const side: ArrayVolumes = protocol === "fcp" ? array.volumes : nvmeSide(array).volumes;
        const specs = volumes(2);
        await side.ensure(call(), scope, specs);
        await prepare(lab, release);
        const before = await array.inventory(call());
        const error = await failure(side.remove(call(), scope, names(specs)));
        expect(isDeviceError(error, "refused")).toBe(true);
        expect(error.message).toContain(volume);
        expect(error.message).toContain(said);
        // Its state apart: what hangs on a volume can only be seen while it is online.
        const listed = (objects: typeof before) =>
          objects.map((object) => `${object.class}/${object.name}/${object.bedId ?? ""}`);
        expect(listed(await array.inventory(call()))).toEqual(listed(before));
        if (tidies === false) return;
        await lab.client.tamper("array", "tidyVolume", { volume });
        await side.remove(call(), scope, names(specs));
        expect(await side.list(call(), scope, names(specs))).toEqual([]);
      });
    },
  );
});

test.each(["9.5", "9.8"])(
  "nothing is removed when what hangs on a volume cannot be looked at (ONTAP %s)",
  async (release) => {
    await withArray(release, async (array, lab) => {
      await array.targets.ensure(call(), targetsOf(release));
      await array.volumes.ensure(call(), scope, volumes(1));
      await lab.client.tamper("array", "denyCommands", {
        commands: ["GET /api/storage/volumes/*/snapshots", "snapshot-get-iter"],
      });
      const error = await failure(array.volumes.remove(call(), scope, names(volumes(1))));
      expect(isDeviceError(error, "unauthorized")).toBe(true);
      expect(await array.volumes.list(call(), scope, names(volumes(1)))).toHaveLength(1);
    });
  },
);
