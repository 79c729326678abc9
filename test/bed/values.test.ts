import fc from "fast-check";
import { makeBedId, parseBedId, parseNaa, parseWwpn, wwpnFromInt64 } from "../../bed/identities";
import { bedOfComment, bedOfName, markComment, markName } from "../../bed/mark";
import { hostnameRules, physicalName, zoneNameRules } from "../../bed/physical-names";
import { formatBytes, formatDuration, parseBytes, parseDuration } from "../../bed/units";

describe("sizes", () => {
  it("keep decimal and binary units apart", () => {
    expect(parseBytes("1 GB")).toBe(1_000_000_000n);
    expect(parseBytes("1 GiB")).toBe(1_073_741_824n);
    expect(parseBytes("1.1TB")).toBe(1_100_000_000_000n);
  });

  it("are exact beyond 2^53", () => {
    expect(parseBytes("9007199254740993 B")).toBe(9_007_199_254_740_993n);
  });

  it.each(["", "5", "GB", "1.0000001 KB", "-1 GB", "1 XB"])("refuse %p", (text) => {
    expect(() => parseBytes(text)).toThrow();
  });

  it("print what they are", () => {
    expect(formatBytes(parseBytes("4 TiB"))).toBe("4 TiB");
    expect(formatBytes(1536n * 1024n ** 2n)).toBe("1.5 GiB");
  });
});

describe("durations", () => {
  it("add their parts", () => {
    expect(parseDuration("1h30m")).toBe(5_400_000);
    expect(formatDuration(5_400_000)).toBe("1h30m");
    expect(formatDuration(250)).toBe("250ms");
  });

  it.each(["", "5", "h", "1x"])("refuse %p", (text) => {
    expect(() => parseDuration(text)).toThrow();
  });
});

describe("identities", () => {
  it("read every usual spelling of a WWPN", () => {
    for (const text of [
      "10:00:00:10:9B:AA:00:01",
      "1000 0010 9baa 0001",
      "0x100000109baa0001",
      "10-00-00-10-9b-aa-00-01",
    ]) {
      expect(parseWwpn(text)).toBe("10:00:00:10:9b:aa:00:01");
    }
    expect(parseWwpn("10:00:00:10:9b:aa:00")).toBeUndefined();
  });

  it("read WWPNs that come as signed 64-bit numbers", () => {
    expect(wwpnFromInt64(-1n)).toBe("ff:ff:ff:ff:ff:ff:ff:ff");
    expect(wwpnFromInt64(0x100000109baa0001n)).toBe("10:00:00:10:9b:aa:00:01");
  });

  it("read NAA names of both lengths only", () => {
    expect(parseNaa("NAA.600A098038314C674D24563477615370")).toBe(
      "naa.600a098038314c674d24563477615370",
    );
    expect(parseNaa("naa.600a0980")).toBeUndefined();
  });

  it("make bed ids that are bed ids", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
        expect(parseBedId(makeBedId(() => bytes))).toBeDefined();
      }),
    );
  });
});

describe("the mark", () => {
  const bedId = makeBedId(() => new Uint8Array(10));

  it("comes back from comments and names", () => {
    expect(bedOfComment(markComment(bedId, "volume"))).toBe(bedId);
    expect(bedOfName(markName(bedId, "esx01_vmhba2"))).toBe(bedId);
  });

  it.each([
    "",
    "sanbed",
    "bed=aaaaaaaaaa",
    "x sanbed bed=aaaaaaaaaa role=y",
    "sanbed bed=aaaaaaaaa1 role=x",
  ])("is not seen in %p", (comment) => {
    expect(bedOfComment(comment)).toBeUndefined();
  });
});

describe("names on devices", () => {
  it("always fit length and character set", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }),
        (parts) => {
          expect(physicalName(zoneNameRules, ...parts)).toMatch(/^[A-Za-z][A-Za-z0-9_]{0,63}$/);
          expect(physicalName(hostnameRules, ...parts)).toMatch(/^[a-z][a-z0-9-]{0,62}$/);
        },
      ),
    );
  });

  it("stay apart when they are cut", () => {
    const long = "x".repeat(80);
    expect(physicalName(zoneNameRules, long, "1")).not.toBe(physicalName(zoneNameRules, long, "2"));
  });
});
