import fc from "fast-check";
import { markComment } from "../../../../bed/mark";
import { decideMaps } from "../../../../provider/devices/ontap/map-decisions";
import {
  exactly,
  groupName,
  unitPath,
  volumeOfPath,
} from "../../../../provider/devices/ontap/naming";
import { meaningOfCode } from "../../../../provider/devices/ontap/rest/rest-codes";
import {
  innerFault,
  ontapError,
  readFault,
} from "../../../../provider/devices/ontap/rest/rest-errors";
import { supports, versionText } from "../../../../provider/devices/ontap/ontap-versions";
import { pageShape } from "../../../../provider/devices/ontap/rest/wire";
import { nameOfNamespace, naaOfSerial } from "../../../../provider/devices/ontap/side";
import { entriesOf } from "../../../../provider/devices/ontap/recovery-queue";
import {
  decideVolume,
  flexVolBytes,
  refuseRemoval,
} from "../../../../provider/devices/ontap/volume-decisions";
import { settingChanges } from "../../../../provider/devices/ontap/volume-settings";
import { testBedId } from "../../../support/device-rig";

const bytes = fc.bigInt({ min: 1n, max: 16n * 1024n ** 4n });

describe("the volume around a LUN", () => {
  test("has a tenth more, whole MiB, never below what the array takes", () => {
    fc.assert(
      fc.property(bytes, (size) => {
        const around = flexVolBytes(size);
        expect(around >= size + size / 10n).toBe(true);
        expect(around % 1048576n).toBe(0n);
        expect(around >= 20n * 1048576n).toBe(true);
        expect(around - size <= size / 10n + 20n * 1048576n).toBe(true);
      }),
    );
  });
});

describe("what to do about a volume", () => {
  const spec = { name: "v", sizeBytes: 10737418240n, pool: "aggr", thin: true };
  const lun = (size: bigint, comment = markComment(testBedId, "volume")) => ({
    uuid: "l",
    path: unitPath("v"),
    svm: "s",
    serial: "81LgM$V4waSp",
    osType: "vmware",
    comment,
    sizeBytes: size,
    blockBytes: undefined,
    state: "online",
    reserved: false,
    mapped: false,
  });
  const found = (size: bigint | undefined, change: object = {}) => ({
    flexVol: {
      uuid: "u",
      name: "v",
      svm: "s",
      state: "online",
      sizeBytes: flexVolBytes(10737418240n),
      comment: markComment(testBedId, "volume"),
      aggregate: "aggr",
      guarantee: "none",
      reduction: undefined,
      isRoot: false,
      ...change,
    },
    units: size === undefined ? [] : [lun(size)],
  });

  test("follows from what is there", () => {
    expect(decideVolume(spec, undefined, testBedId).kind).toBe("create");
    expect(decideVolume(spec, found(10737418240n), testBedId).kind).toBe("ready");
    expect(decideVolume(spec, found(1n), testBedId).kind).toBe("grow");
    expect(decideVolume(spec, found(undefined), testBedId)).toEqual({
      kind: "createUnit",
      growFlexVol: false,
    });
    expect(decideVolume(spec, found(undefined, { sizeBytes: 1n }), testBedId)).toEqual({
      kind: "createUnit",
      growFlexVol: true,
    });
  });

  test("refuses a namespace whose blocks ESXi does not take", () => {
    const namespace = (blockBytes: number) => ({
      ...found(10737418240n),
      units: [{ ...lun(10737418240n), blockBytes }],
    });
    expect(decideVolume(spec, namespace(512), testBedId).kind).toBe("ready");
    expect(decideVolume(spec, namespace(4096), testBedId)).toMatchObject({
      kind: "refuse",
      reason: expect.stringContaining("4096") as string,
    });
  });

  test("accepts what the array rounded up, and nothing beyond", () => {
    fc.assert(
      fc.property(bytes, (size) => {
        const { kind } = decideVolume(spec, found(size), testBedId);
        const wanted = spec.sizeBytes;
        const expected =
          size < wanted ? "grow" : size <= wanted + wanted / 100n ? "ready" : "refuse";
        expect(kind).toBe(expected);
      }),
    );
  });

  test("sets in place what is set otherwise, and nothing that was not asked for", () => {
    const asIs = { deduplication: "both", compression: "inline", compaction: "inline" } as const;
    const volume = found(10737418240n, { reduction: asIs });
    expect(settingChanges(spec, volume)).toBeUndefined();
    const wish = {
      ...spec,
      thin: false,
      dataReduction: { ...asIs, deduplication: "off" },
    } as const;
    expect(settingChanges(wish, volume)).toEqual({
      thin: false,
      reserved: true,
      reduction: { deduplication: "off" },
    });
    // A namespace tells no reservation of its own.
    const namespace = {
      ...volume,
      units: volume.units.map((u) => ({ ...u, reserved: undefined })),
    };
    expect(settingChanges({ ...spec, thin: false }, namespace)).toMatchObject({
      reserved: undefined,
    });
    const silent = found(10737418240n, { guarantee: undefined });
    expect(settingChanges({ ...spec, thin: false }, silent)?.thin).toBeUndefined();
  });

  test.each([
    ["without the mark", { comment: "" }],
    [
      "with another bed's mark",
      { comment: markComment("bbbbbbbbbb" as typeof testBedId, "volume") },
    ],
    ["in another pool", { aggregate: "other" }],
  ])("is to refuse one %s", (_what, change) => {
    expect(decideVolume(spec, found(10737418240n, change), testBedId).kind).toBe("refuse");
  });

  test("is not to remove what holds others' LUNs or is mapped", () => {
    expect(refuseRemoval(found(1n), testBedId)).toBeUndefined();
    expect(refuseRemoval(found(1n, { comment: "theirs" }), testBedId)?.reason).toContain("theirs");
    const foreign = { ...found(1n), units: [lun(1n), { ...lun(1n, ""), path: "/vol/v/other" }] };
    expect(refuseRemoval(foreign, testBedId)?.reason).toContain("/vol/v/other");
    const mapped = { ...found(1n), units: [{ ...lun(1n), mapped: true }] };
    expect(refuseRemoval(mapped, testBedId)?.reason).toContain("mapped");
  });
});

describe("maps of a group", () => {
  const map = fc.record({
    volume: fc.constantFrom("v1", "v2", "v3", "v4"),
    group: fc.constant("g"),
    number: fc.integer({ min: 1, max: 5 }),
  });
  const distinct = fc
    .uniqueArray(map, { selector: (one) => one.volume })
    .map((list) => list.filter((one, i) => list.findIndex((o) => o.number === one.number) === i));

  test("are completed, or refused when a volume or number would change hands", () => {
    fc.assert(
      fc.property(distinct, distinct, (present, wanted) => {
        const decision = decideMaps(present, wanted);
        const clash = wanted.some((one) =>
          present.some((now) => (now.volume === one.volume) !== (now.number === one.number)),
        );
        expect("refusal" in decision).toBe(clash);
        if ("refusal" in decision) return;
        const after = [...present, ...decision.missing];
        for (const one of wanted) expect(after).toContainEqual(one);
        expect(new Set(after.map((one) => one.number)).size).toBe(after.length);
      }),
    );
  });
});

test("namespaces, whose numbers the array gives, are only completed", () => {
  const present = [{ volume: "v1", group: "g", number: 1 }];
  const wanted = ["v1", "v2"].map((volume) => ({ volume, group: "g", number: undefined }));
  expect(decideMaps(present, wanted)).toEqual({ missing: [wanted[1]] });
});

describe("names", () => {
  // LUN: NetApp/trident issue 941. Namespace: ONTAP SAN host, "NVMe-oF Host Configuration for ESXi 7.x".
  test("of devices follow from the serial number of a LUN, the UUID of a namespace", () => {
    expect(naaOfSerial("array", "81LgM$V4waSp")).toBe("naa.600a098038314c674d24563477615370");
    expect(() => naaOfSerial("array", "short")).toThrow("twelve characters");
    expect(nameOfNamespace("array", "5084e29a-6bb2-4fbc-a5ba-076eda8ecd7e")).toBe(
      "uuid.5084e29a6bb24fbca5ba076eda8ecd7e",
    );
    expect(() => nameOfNamespace("array", "5084e29a")).toThrow("UUID");
  });

  test("of LUNs and volumes lead to each other; others keep their path", () => {
    expect(volumeOfPath(unitPath("v1"))).toBe("v1");
    expect(volumeOfPath("/vol/v1/other")).toBe("/vol/v1/other");
  });

  test("of groups carry the mark once", () => {
    const scope = { bedId: testBedId, target: "s" };
    const name = groupName(scope, "hosts");
    expect(name).toBe(`sanbed_${testBedId}_hosts`);
    expect(groupName(scope, name)).toBe(name);
  });

  test("are never patterns in a query", () => {
    expect(exactly("array", ["a", "b.c"])).toBe("a|b.c");
    for (const name of ["a*", "a|b", '"a"', "!a", ">1", ""]) {
      expect(() => exactly("array", [name])).toThrow("characters");
    }
  });

  test("in the recovery queue end with a number; others' are left", () => {
    const queue = ["v1_1057", "v1_x", "v1_2_99", "v10_3", "v1", "v1_1057_"];
    expect(entriesOf(queue, ["v1"])).toEqual(["v1_1057"]);
    expect(entriesOf(queue, ["v1_2", "v10"])).toEqual(["v1_2_99", "v10_3"]);
  });
});

describe("refusals of the array", () => {
  const place = { device: "array", operation: "do", object: "x" };

  test("are told by their code, whatever the status", () => {
    const fault = readFault('{"error":{"message":"too small","code":"917534"}}');
    const error = ontapError(place, fault, 500);
    expect(error).toMatchObject({ kind: "refused", vendorCode: "ONTAP 917534", device: "array" });
    expect(error.message).toContain("too small");
  });

  test("are told by the status where there is no code", () => {
    expect(ontapError(place, readFault("<html>"), 401).kind).toBe("unauthorized");
    expect(ontapError(place, readFault(""), 503).kind).toBe("unreachable");
    expect(
      ontapError(place, readFault('{"error":{"message":"?","code":"99999999"}}'), 400).kind,
    ).toBe("protocol");
  });

  test("inside a failed job are found in its text", () => {
    const fault = innerFault({ code: "460770", message: 'Job failed: "5374242: exists"' });
    expect(fault.code).toBe("5374242");
    expect(innerFault({ code: "460770", message: "no space" }).code).toBe("460770");
  });

  test("that ask to come back later say for how long", () => {
    expect(meaningOfCode("2621573")?.retry).toEqual({ pauseMs: 30_000, forMs: 90_000 });
    expect(meaningOfCode("1254213")?.retry).toBeUndefined();
  });
});

test("releases are compared as numbers", () => {
  const release = (major: number, minor: number) => ({ generation: 9, major, minor });
  expect(supports(release(9, 1), "igroupComment")).toBe(true);
  expect(supports(release(8, 0), "igroupComment")).toBe(false);
  expect(supports(release(10, 1), "igroupComment")).toBe(true);
  expect(supports(release(9, 1), "forcedVolumeDelete")).toBe(false);
  expect(versionText(release(8, 0))).toBe("9.8");
  expect(versionText(release(9, 1))).toBe("9.9.1");
});

describe("what is no answer of ONTAP", () => {
  test("is never an object that is gone: only ONTAP's own code says that", () => {
    const place = { device: "array", operation: "read" };
    expect(ontapError(place, undefined, 404).kind).toBe("protocol");
    expect(ontapError(place, readFault('{"error":{"message":"x"}}'), 404).kind).toBe("protocol");
    expect(ontapError(place, readFault('{"error":{"code":"4"}}'), 404).kind).toBe("notFound");
  });

  test("is never an empty list: an empty list has records", () => {
    expect(pageShape.safeParse({ records: [], num_records: 0 }).success).toBe(true);
    expect(pageShape.safeParse({ status: "ok" }).success).toBe(false);
  });
});
