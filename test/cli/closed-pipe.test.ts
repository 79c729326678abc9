import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(__dirname, "..", "..");

it("ends quietly when the reader of its output has gone", async () => {
  const dir = mkdtempSync(join(tmpdir(), "sanbed-pipe-"));
  try {
    const program = join(dir, "main.js");
    const entryPoints = [join(root, "cli", "main.ts")];
    await build({
      entryPoints,
      outfile: program,
      bundle: true,
      platform: "node",
      packages: "external",
    });
    // `true` reads nothing and is gone long before the first line.
    const line = 'set -o pipefail; "$0" "$1" lab --help | true';
    const ran = spawnSync("bash", ["-c", line, process.execPath, program], {
      encoding: "utf8",
      env: { ...process.env, NODE_PATH: join(root, "node_modules") },
    });
    expect(ran.stderr).toBe("");
    expect(ran.status).toBe(0);
  } finally {
    rmSync(dir, { recursive: true });
  }
}, 60_000);
