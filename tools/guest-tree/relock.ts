import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { openApt, resolve } from "./apt";
import { debianArchitecture } from "./packages";

/**
 * Renews the committed lock: `node dist/tools/guest-tree/relock.js tools/guest-tree/lock.json`. Downloads the index
 * only.
 *
 * @returns number of packages
 */
export async function renewLock(file: string): Promise<number> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "sanbed-relock-"));
  try {
    const apt = await openApt(
      dir,
      path.join(dir, "archives"),
      debianArchitecture() ?? process.arch,
    );
    const lock = await resolve(apt, new Date().toISOString().slice(0, 10));
    await writeFile(file, `${JSON.stringify(lock, undefined, 2)}\n`);
    return lock.packages.length;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

if (require.main === module) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    process.stderr.write("usage: relock <lock.json>\n");
    process.exitCode = 2;
  } else {
    void renewLock(file).then((count) =>
      process.stdout.write(`${count} packages locked in ${file}\n`),
    );
  }
}
