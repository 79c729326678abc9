import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onFile, systemErrorText } from "../../bed/system-error";

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("an error of this machine", () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "sanbed-system-error-"))));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it("says what failed, on which path, why, and what to do", () => {
    const missing = join(folder, "missing", "file");
    expect(systemErrorText(thrownBy(() => readFileSync(missing)))).toBe(
      `cannot open ${missing} on this machine: it does not exist (ENOENT). Make it, or correct its path, then run again.`,
    );
    expect(systemErrorText(thrownBy(() => readFileSync(folder)))).toMatch(/it is a folder/);
  });

  it("names a full disk as one", () => {
    // Linux has a device that is always full.
    const full = thrownBy(() => {
      writeFileSync("/dev/full", "x");
    });
    expect(systemErrorText(full)).toMatch(/no space is left on the device \(ENOSPC\)\. Free space/);
  });

  it("names the file where Node names none", () => {
    const read = thrownBy(() => onFile(folder, () => readFileSync(folder)));
    expect(systemErrorText(read)).toContain(`cannot read ${folder} on this machine`);
    const full = thrownBy(() => {
      onFile("/dev/full", () => {
        writeFileSync("/dev/full", "x");
      });
    });
    expect(systemErrorText(full)).toContain("cannot write /dev/full on this machine");
  });

  it("leaves other errors to those who know them", async () => {
    const refused = await new Promise((resolve) => {
      connect(1, "127.0.0.1").on("error", resolve);
    });
    expect(refused).toHaveProperty("code", "ECONNREFUSED");
    for (const error of [refused, new Error("x"), "x", undefined]) {
      expect(systemErrorText(error)).toBeUndefined();
    }
  });
});
