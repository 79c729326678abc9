import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../../bed/errors";
import { stringify } from "yaml";
import { readSite } from "../../stacks/input-file";
import { exampleSite } from "../support/example-site";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "sanbed-test-input-"));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

function refused(file: string): ConfigError {
  try {
    readSite(file);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the site was read");
}

function written(name: string, content: string | Buffer): string {
  const file = join(dir, name);
  writeFileSync(file, content);
  return file;
}

describe("a site file", () => {
  it("may be JSON or YAML", () => {
    expect(readSite(written("s.json", JSON.stringify(exampleSite())))).toEqual(exampleSite());
    expect(readSite(written("s.yaml", stringify(exampleSite())))).toEqual(exampleSite());
  });

  it("tells what keeps it from being read, and what to do", () => {
    symlinkSync("loop", join(dir, "loop"));
    execFileSync("mkfifo", [join(dir, "pipe")]);
    const cases: [string, RegExp][] = [
      [join(dir, "none.yaml"), /cannot be read \(ENOENT\) \(.*sanbed lab up/],
      [dir, /cannot be read \(EISDIR\) \(name the file in it\)/],
      [join(dir, "pipe"), /cannot be read \(a pipe\) \(write what it gives to a file/],
      [join(dir, "loop"), /cannot be read \(ELOOP\) \(its symbolic links/],
      ["/dev/zero", /is larger than 1048576 bytes/],
      [written("ten-megabytes.yaml", "a: b\n".repeat(2_000_000)), /is larger than 1048576 bytes/],
      [written("binary.yaml", Buffer.from([0x61, 0x3a, 0xff, 0xfe])), /is no text in UTF-8/],
      [written("nul.yaml", "a: \u0000"), /is no text in UTF-8/],
      [written("empty.yaml", ""), /says nothing: it is empty/],
      [written("null.yaml", "null\n"), /says nothing: it is empty, or holds no more than null/],
      [written("list.yaml", "- 1\n"), /expected a map of settings, found a list/],
    ];
    for (const [file, message] of cases) {
      const { problems, message: whole } = refused(file);
      expect(problems.map(({ path }) => path)).toEqual([file]);
      expect(whole).toMatch(message);
      expect(whole).toContain(file);
    }
  });

  it("has mistakes of YAML and of content told together", () => {
    const text = stringify({ ...exampleSite(), colour: "blue" });
    const { problems } = refused(written("both.yaml", `${text}name: other\nloop: &l [*l]\n`));
    expect(problems.map(({ path, message }) => `${path.replace(dir, "")} ${message}`)).toEqual([
      expect.stringMatching(/^\/both\.yaml:\d+:1 the key "name" is there twice/),
      expect.stringMatching(/^\/both\.yaml:\d+:11 loop\[0\]: the alias \*l lies inside/),
      expect.stringMatching(/^colour there is no such setting/),
      expect.stringMatching(/^loop there is no such setting/),
    ]);
  });
});
