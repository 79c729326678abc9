import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withLock } from "../../../tools/setup/lock";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sanbed-lock-"));
  file = join(folder, "made", ".lock");
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const gone = (): Promise<void> => expect(access(file)).rejects.toThrow("ENOENT");

test("lets one in after another, in this process too, and is gone when the last is out", async () => {
  let inside = 0;
  const most: number[] = [];
  const work = async (): Promise<void> => {
    inside += 1;
    most.push(inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withLock(file, undefined, work)));
  expect(most).toEqual([1, 1, 1]);
  await gone();
});

test("hands on the error of the work, and the lock", async () => {
  const failing = withLock(file, undefined, () => Promise.reject(new Error("no space")));
  await expect(failing).rejects.toThrow("no space");
  expect(await withLock(file, undefined, () => Promise.resolve(1))).toBe(1);
});

test("waits for a living process, saying so once, and takes over from a dead one", async () => {
  await withLock(file, undefined, () => Promise.resolve());
  const holder = spawn("sleep", ["30"]);
  await writeFile(file, String(holder.pid));
  const said: string[] = [];
  let done = false;
  const waiting = withLock(
    file,
    (line) => said.push(line),
    () => {
      done = true;
      return Promise.resolve();
    },
  );
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(done).toBe(false);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  await waiting;
  expect(said).toEqual([`waiting for process ${String(holder.pid)}, which holds ${file}`]);
  await gone();
});

test("takes over a lock that its owner never signed", async () => {
  await withLock(file, undefined, () => Promise.resolve());
  await writeFile(file, "");
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(file, longAgo, longAgo);
  expect(await withLock(file, undefined, () => Promise.resolve("in"))).toBe("in");
});

test("knows that a process that has ended is no owner", async () => {
  await withLock(file, undefined, () => Promise.resolve());
  const { pid } = spawnSync("true");
  await writeFile(file, String(pid));
  expect(await withLock(file, undefined, () => Promise.resolve("in"))).toBe("in");
});
