import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "../../bed/errors";
import { readStackInput, type StackConfig } from "../../stacks/stack-input";
import { exampleSite } from "../support/example-site";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "sanbed-test-stack-"));
  writeFileSync(join(dir, "site.json"), JSON.stringify(exampleSite()));
  writeFileSync(join(dir, "bad.json"), JSON.stringify({ ...exampleSite(), colour: "blue" }));
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const sound = { site: "site.json", bed: "aff-a250-fcp", phase: "sysbench", bedId: "abcdefghij" };

function config(values: Readonly<Record<string, unknown>>): StackConfig {
  return {
    keys: Object.keys(values),
    get: (key) => values[key] as string | undefined,
    getObject: (key) => {
      if (typeof values[key] === "string") throw new Error("no JSON");
      return values[key];
    },
  };
}

function problemsOf(values: Readonly<Record<string, unknown>>): string[] {
  try {
    readStackInput(config(values), "test", dir);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

describe("the input of a stack", () => {
  it("is bed, site and settings", () => {
    const { bed, site, settings } = readStackInput(config(sound), "test", dir);
    expect([bed.id, site.name, settings.phase, settings.runId]).toEqual([
      "aff-a250-fcp",
      "example",
      "sysbench",
      "1",
    ]);
  });

  it("has the problems of configuration, scale and site told at once", () => {
    const wrong = { ...sound, site: "bad.json", bed: "no-such", colour: "red", runId: "A B" };
    expect(problemsOf({ ...wrong, scale: { sise: 1 }, bedId: undefined })).toEqual([
      expect.stringMatching(/^colour: there is no such setting of a stack/),
      expect.stringMatching(/^colour: there is no such setting$/),
      'bed: there is no bed "no-such"',
      expect.stringMatching(/^runId: /),
      expect.stringMatching(/^scale/),
    ]);
  });

  it("says which settings are missing, and that a scale is a map", () => {
    expect(problemsOf({ bedId: "abcdefghij", scale: "clusters" })).toEqual([
      expect.stringMatching(/^site: is missing/),
      expect.stringMatching(/^bed: is missing/),
      expect.stringMatching(/^phase: is missing/),
      "scale: expected a map of settings",
    ]);
    expect(problemsOf({ ...sound, bedId: undefined })).toEqual(["bedId: the stack has no bed id"]);
  });
});
