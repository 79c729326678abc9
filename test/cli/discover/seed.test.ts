import { ConfigError } from "../../../bed/errors";
import { parseSeed } from "../../../cli/discover/seed";
import { exampleSite } from "../../support/example-site";

describe("the file that discovery begins with", () => {
  const problemsOf = (input: unknown): string[] => {
    try {
      parseSeed(input);
      return [];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems.map(({ path, message }) => `${path}: ${message}`);
    }
  };
  const { devices, fabrics } = exampleSite();
  const seed = () => parseSeed({ name: "found", devices, fabrics });

  it("may leave out what is the only one of its kind, and not which switch is which", () => {
    expect(seed()).toMatchObject({ array: "array", hypervisor: "vcenter" });
    expect(problemsOf({ name: "x", devices })).toEqual([
      "fabrics.A.device: is missing: which is the switch of fabric A",
      "fabrics.B.device: is missing: which is the switch of fabric B",
    ]);
    const array2 = { ...devices["array"], endpoint: "https://192.0.2.9" };
    const two = { ...devices, array2 };
    expect(problemsOf({ name: "x", devices: two, fabrics })).toEqual([
      "array.device: is missing: which is the array",
    ]);
  });

  it("names no device twice, by name or by address", () => {
    const again = { ...devices, fabricB: { ...devices["fabricA"] } };
    expect(problemsOf({ name: "x", devices: again, fabrics })).toEqual([
      "devices.fabricB.endpoint: is the same device as devices.fabricA",
    ]);
    expect(problemsOf({ name: "x", devices, fabrics: { A: fabrics.A, B: fabrics.A } })).toEqual([
      "fabrics: both fabrics name the same switch",
    ]);
  });

  it("has all its problems told at once, those of the drivers' settings too", () => {
    expect(problemsOf({ nmae: "x", devices: {} })).toEqual([
      "name: is missing: expected a text",
      "nmae: there is no such setting",
    ]);
    const wrong = { ...devices, array: { ...devices["array"], concurrency: "many", colour: 1 } };
    expect(
      problemsOf({
        name: "x",
        devices: wrong,
        fabrics: { A: { device: "vcenter" }, B: fabrics.B },
      }),
    ).toEqual([
      expect.stringMatching(/^devices\.array\.concurrency: /),
      expect.stringMatching(/^devices\.array: .*colour/),
      "fabrics.A.device: is no switch of fabric A",
    ]);
  });
});
