import fc from "fast-check";
import { stringify } from "yaml";
import { parseYaml } from "../../stacks/yaml-input";

const problemsOf = (text: string): string[] =>
  parseYaml(text, "f.yaml").problems.map(({ path, message }) => `${path}: ${message}`);

describe("YAML as input", () => {
  it("reads what JSON and YAML can say, with tabs, anchors, and port names that are no numbers", () => {
    expect(parseYaml('{\n\t"a": [1, true, null, "x"]\n}', "f")).toEqual({
      value: { a: [1, true, null, "x"] },
      problems: [],
      whole: true,
    });
    const yaml = "base: &b {n: 1}\nwwpn: 10:00:00:00:00:00:00:01\nday: 2026-11-30\nagain: *b\n";
    expect(parseYaml(yaml, "f").value).toEqual({
      base: { n: 1 },
      wwpn: "10:00:00:00:00:00:00:01",
      day: "2026-11-30",
      again: { n: 1 },
    });
  });

  it("reads back any plain value that was written", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!text.includes("__proto__"));
        // JSON knows no negative zero.
        const value = JSON.parse(text, (_key, one: unknown) => (one === 0 ? 0 : one)) as unknown;
        expect(parseYaml(stringify(value), "f")).toEqual({ value, problems: [], whole: true });
        expect(parseYaml(JSON.stringify(value), "f").value).toEqual(value);
      }),
    );
  });

  it("names every place where the text is no YAML", () => {
    expect(problemsOf("a: b: c\nd: [1, 2\ne: }\n")).toEqual(
      expect.arrayContaining([expect.stringMatching(/^f\.yaml:1:4: is no plain YAML: /)]),
    );
    expect(problemsOf("a: 1\n---\nb: 2\n")).toEqual([
      expect.stringMatching(/^f\.yaml:2:1: is no plain YAML/),
    ]);
  });

  it("names cycles, aliases without an anchor, double keys and tags at their places", () => {
    expect(problemsOf("a: &a\n  b: [1, *a]\n")).toEqual([
      "f.yaml:2:10: a.b[1]: the alias *a lies inside what it stands for: it never ends",
    ]);
    expect(problemsOf("a: &x\n  b: &y\n    c: *x\n    d: *y\n")).toHaveLength(2);
    expect(problemsOf("a: *nowhere\nb: &nowhere 1\n")).toEqual([
      "f.yaml:1:4: a: there is no anchor &nowhere before the alias *nowhere",
    ]);
    expect(problemsOf("hosts: []\nhosts: []\nx: {k: 1, k: 2}\n")).toEqual([
      'f.yaml:2:1: the key "hosts" is there twice',
      'f.yaml:3:11: x: the key "k" is there twice',
    ]);
    expect(problemsOf('a: !!js/function "x"\nb: !own 1\nc: !!binary aGVsbG8=\n')).toHaveLength(3);
    expect(problemsOf("__proto__: {a: 1}\n? [1]\n: 2\n")).toHaveLength(2);
  });

  it("stays small and quick with texts made to be large", () => {
    const level = (name: string, of: string): string =>
      `${name}: &${name} [${`*${of},`.repeat(9)}]\n`;
    const names = "abcdefghijk".split("");
    const laughs = [...names]
      .map((n, i) => (i === 0 ? "a: &a [1]\n" : level(n, names[i - 1]!)))
      .join("");
    expect(problemsOf(laughs)).toEqual([
      expect.stringMatching(/aliases make more than 200000 values/),
    ]);
    for (const deep of [
      "[".repeat(500_000),
      "- ".repeat(200_000),
      "{a: ".repeat(90_000),
      "? ".repeat(90_000),
    ]) {
      expect(problemsOf(deep)).toEqual([
        expect.stringMatching(/^f\.yaml:1: is nested more than 50 levels/),
      ]);
    }
    const steps = Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
    expect(problemsOf(steps)).toEqual([expect.stringMatching(/is nested more than 50 levels/)]);
    expect(problemsOf(Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join("\n"))).toEqual([]);
    // A parser that compares each key with each, or that goes down into the depth, takes minutes.
  }, 60_000);

  it("never throws, whatever the text", () => {
    const piece = fc.constantFrom(
      ..."&*-?:|>!%@`{}[],#'\"\\\n\t ".split(""),
      "&a",
      "*a",
      "- ",
      ": ",
      "? ",
      "<<",
      "key",
      "1e9",
      ".inf",
      "!!set",
      "---\n",
      "...",
      "\u0000",
      "\ud800",
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ maxLength: 80 }), fc.array(piece, { maxLength: 60 })),
        (parts) => {
          const text = typeof parts === "string" ? parts : parts.join("");
          const { problems, whole } = parseYaml(text, "f.yaml");
          expect(whole || problems.length > 0).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
