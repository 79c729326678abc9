import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { a250Preset } from "../../../lab/presets/a250";
import { WorldFile } from "../../../lab/world/world-file";

async function withFile(
  test: (file: WorldFile, path: string, said: string[]) => Promise<void> | void,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "sanbed-test-world-"));
  const path = join(dir, "world.json");
  const said: string[] = [];
  const state = a250Preset();
  const file = new WorldFile(
    path,
    () => state,
    (line) => said.push(line),
  );
  try {
    await test(file, path, said);
  } finally {
    file.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

it("keeps what changed last when it is closed", () =>
  withFile((file, path) => {
    file.changed();
    file.close();
    expect(existsSync(path)).toBe(true);
  }));

it("writes nothing more once it is closed, when its folder is gone", () =>
  withFile(async (file, path, said) => {
    file.close();
    rmSync(path);
    // A device whose work ends after the lab does.
    file.changed();
    file.close();
    await sleep(150);
    expect(existsSync(path)).toBe(false);
    expect(said).toEqual([]);
  }));
