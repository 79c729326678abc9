import fc from "fast-check";
import {
  isNxosName,
  joinLines,
  lines,
  type CliLine,
} from "../../../../provider/devices/cisco-mds/cli-line";

const vsan = { id: 10 };
const wwpn = "10:00:00:10:9b:aa:00:01";

/** Everything that puts a text of somebody's into a line. */
const builders: readonly ((text: string) => CliLine)[] = [
  (text) => lines.zone(text, vsan),
  (text) => lines.noZone(text, vsan),
  (text) => lines.zoneset(text, vsan),
  (text) => lines.activate(text, vsan),
  (text) => lines.fcalias(text, vsan),
  (text) => lines.noFcalias(text, vsan),
  (text) => lines.deviceAlias(text, wwpn),
  (text) => lines.deviceAlias("a", text),
  (text) => lines.noDeviceAlias(text),
  (text) => lines.memberZone(text),
  (text) => lines.noMemberZone(text),
  (text) => lines.member({ kind: "device-alias", value: text }),
  (text) => lines.member({ kind: "fcalias", value: text }),
  (text) => lines.member({ kind: "fwwn", value: text }),
  (text) => lines.noMember({ kind: "fcid", value: text }),
];

describe("a line of the command line", () => {
  test.each([
    "a ; no zone name prod vsan 10",
    "a;reload",
    "a\nreload",
    "a | no-more",
    "a vsan 1",
    "a`b`",
    '"a"',
    "",
    "a\u00a0b",
    "-a",
    "x".repeat(65),
  ])("is never made of %j", (text) => {
    for (const build of builders)
      expect(() => build(text)).toThrow("may not be put into a command");
  });

  test("holds one word where it takes a name, whatever the name is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(builders.length - 1), (text, index) => {
        const build = builders[index]!;
        let made: string;
        try {
          made = build(text);
        } catch {
          return;
        }
        const bare = build(index === 7 || index === 13 ? wwpn : index === 14 ? "0x010203" : "a");
        expect(made.split(" ")).toHaveLength(bare.split(" ").length);
        expect(made).toMatch(/^[A-Za-z0-9$^_: -]+$/);
      }),
    );
  });

  test.each([0, 4094, 1.5, Number.NaN])("takes no VSAN %p", (id) => {
    expect(() => lines.commit({ id })).toThrow("VSAN");
  });

  test("is parted from the next by a semicolon with blanks around it", () => {
    expect(
      joinLines([lines.zone("z", vsan), lines.member({ kind: "pwwn", value: wwpn as never })]),
    ).toBe(`zone name z vsan 10 ; member pwwn ${wwpn}`);
  });

  test("begins device aliases with a letter, zones with a letter or a digit", () => {
    expect(isNxosName("device-alias", "1a")).toBe(false);
    expect(isNxosName("zone", "1a")).toBe(true);
  });
});
