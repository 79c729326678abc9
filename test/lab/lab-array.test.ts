import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Lab, type LabOptions } from "../../lab/lab";

/** Starts a lab in a folder, hands it over, and stops it. */
async function inLab<T>(
  dir: string,
  options: Pick<LabOptions, "shape" | "profiles">,
  look: (lab: Lab) => T,
): Promise<T> {
  const probe = { level: "D", missing: {} } as const;
  const lab = await Lab.start({ dir, probe, token: "t", log: () => undefined, ...options });
  try {
    return look(lab);
  } finally {
    await lab.stop();
  }
}

const arrayOf = (lab: Lab) => [
  lab.world.view.arrays["array"]?.attributes["model"],
  lab.profiles.get("array") ?? "",
  lab.site().array.ports[0]?.port ?? "",
];

describe("the array of a lab", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), `sanbed-test-lab-${process.pid.toString()}-`));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it("is chosen by model and release, and the lab keeps both over restarts", async () => {
    const a800 = { shape: { array: "aff-a800" } } as const;
    expect(await inLab(dir, {}, arrayOf)).toEqual(["AFF-A250", "9.8", "2a"]);
    expect(await inLab(dir, { profiles: { array: "9.9.1" } }, arrayOf)).toEqual([
      "AFF-A250",
      "9.9.1",
      "2a",
    ]);
    expect(await inLab(dir, {}, arrayOf)).toEqual(["AFF-A250", "9.9.1", "2a"]);
    // Nothing lies on it: it becomes another one, with the release of that.
    expect(await inLab(dir, a800, arrayOf)).toEqual(["AFF-A800", "9.5", "5a"]);
    expect(await inLab(dir, {}, arrayOf)).toEqual(["AFF-A800", "9.5", "5a"]);
  });

  it("follows from a release that only one model has, and none runs a release older than itself", async () => {
    expect(await inLab(dir, { profiles: { array: "9.5" } }, arrayOf)).toContain("AFF-A800");
    const wrong = { shape: { array: "aff-a250" }, profiles: { array: "9.5" } } as const;
    await expect(inLab(dir, wrong, arrayOf)).rejects.toThrow(
      "there is no AFF-A250 with ONTAP 9.5: it came with 9.8",
    );
  });

  it("stays as long as something lies on it, or on a switch", async () => {
    await inLab(dir, {}, (lab) => {
      lab.world.change(({ fabrics }) => {
        fabrics["A"]!.zoning.defined.aliases["left"] = [];
      });
    });
    const a800 = { shape: { array: "aff-a800" } } as const;
    await expect(inLab(dir, a800, arrayOf)).rejects.toThrow(
      /holds a lab with aff-a250 .* asked for is one with aff-a800 .* `npx sanbed lab reset` it/,
    );
    await inLab(dir, {}, (lab) => lab.reset());
    expect(await inLab(dir, a800, arrayOf)).toContain("AFF-A800");
  });
});
