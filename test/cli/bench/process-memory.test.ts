import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { watchMemory } from "../../../cli/bench/process-memory";

const withProc = existsSync("/proc/self/status") ? test : test.skip;

/** A program below a shell, as a plugin is below the engine. */
async function run(script: string, watched: string): Promise<number | undefined> {
  const child = spawn(
    "sh",
    ["-c", '"$0" -e "$1" sanbed-memory-test; true', process.execPath, script],
    {
      stdio: "ignore",
    },
  );
  const memory = watchMemory(child.pid, watched);
  await new Promise((resolve) => child.on("close", resolve));
  return memory.end();
}

withProc("the peak of a process below is seen, though it was given back", async () => {
  const script =
    "let b = Buffer.alloc(200 * 2 ** 20, 1); setTimeout(() => { b = undefined; }, 300); setTimeout(() => {}, 700)";
  expect(await run(script, "sanbed-memory-test")).toBeGreaterThan(200 * 2 ** 20);
});

withProc("other programs do not count", async () => {
  expect(await run("setTimeout(() => {}, 300)", "no-such-program")).toBeUndefined();
});
