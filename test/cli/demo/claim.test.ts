import { spawn, type ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { claimDemo } from "../../../cli/demo/claim";
import { demoMessage, refuseOthersBed } from "../../../cli/demo/others-bed";
import { removeDeadLocks } from "../../../cli/demo/stack-locks";
import { thisProcess } from "../../../provider/devices/process-identity";

let root: string;
let other: ChildProcess;
let pid: number;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "sanbed-demo-"));
  other = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { stdio: "ignore" });
  pid = other.pid ?? 0;
});

afterEach(async () => {
  await end();
  rmSync(root, { recursive: true, force: true });
});

async function end(): Promise<void> {
  if (other.exitCode !== null || other.signalCode !== null) return;
  const gone = new Promise((resolve) => other.once("exit", resolve));
  other.kill("SIGKILL");
  await gone;
}

/** `.sanbed/demo.json` as the other process would have written it. */
function recordOfOther(built: boolean): void {
  mkdirSync(path.join(root, ".sanbed"), { recursive: true });
  const process = { ...thisProcess(), pid, started: "" };
  const record = { process, startedAt: "2026-01-02T03:04:05.000Z", built };
  writeFileSync(path.join(root, ".sanbed", "demo.json"), JSON.stringify(record));
}

describe("the stack of a checkout belongs to one demo", () => {
  test("a second one refuses while the first lives, and takes down what it left when it was killed", async () => {
    recordOfOther(true);
    await expect(claimDemo(root)).rejects.toThrow(
      `another demo of this checkout runs since 2026-01-02T03:04:05.000Z (process ${pid.toString()})`,
    );
    await end();
    const claim = await claimDemo(root);
    expect(claim.leftSince).toEqual(new Date("2026-01-02T03:04:05.000Z"));
    claim.release();
    expect(readdirSync(path.join(root, ".sanbed"))).toEqual([]);
  });

  test("one that was killed before it built left nothing of its own", async () => {
    recordOfOther(false);
    await end();
    expect((await claimDemo(root)).leftSince).toBeUndefined();
  });

  test("one that is killed while it takes leftovers down hands the right on", async () => {
    recordOfOther(true);
    await end();
    await claimDemo(root);
    // The record holds this living process now; a later one with its pid is another.
    const file = path.join(root, ".sanbed", "demo.json");
    const record = JSON.parse(readFileSync(file, "utf8")) as { process: object };
    writeFileSync(
      file,
      JSON.stringify({ ...record, process: { ...record.process, started: "1" } }),
    );
    expect((await claimDemo(root)).leftSince).toEqual(new Date("2026-01-02T03:04:05.000Z"));
  });
});

describe("locks of the stack", () => {
  const lock = (name: string, content: string): string => {
    const folder = path.join(root, ".pulumi/locks/organization/testbed/lab");
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const held = (host: string): string =>
    JSON.stringify({ pid, username: "u", hostname: host, timestamp: "2026-01-02T03:04:05Z" });
  const check = (): void => {
    removeDeadLocks(pathToFileURL(root).href, "testbed/lab");
  };

  test("are removed when their process has gone; none is taken from a living one", async () => {
    expect(check).not.toThrow();
    const file = lock("one.json", held(hostname()));
    expect(check).toThrow(
      `stack testbed/lab is in use: process ${pid.toString()} holds ${file}. Nothing was changed.`,
    );
    expect(existsSync(file)).toBe(true);
    await end();
    check();
    expect(existsSync(file)).toBe(false);
  });

  test("stay when another machine's, or when they cannot be read", async () => {
    await end();
    const elsewhere = lock("one.json", held("elsewhere"));
    expect(check).toThrow(`process ${pid.toString()} of machine elsewhere holds ${elsewhere}`);
    rmSync(elsewhere);
    const cut = lock("two.json", '{"pid":');
    expect(check).toThrow(`an unknown process holds ${cut}`);
    expect(existsSync(cut)).toBe(true);
  });
});

describe("a bed on the stack", () => {
  const since = new Date("2026-01-02T03:04:05.700Z");
  const update = (startTime: string, message: string) => ({
    startTime: new Date(startTime),
    message,
  });

  test("that no demo built stays", () => {
    expect(() => {
      refuseOthersBed(54, undefined, update("2026-01-02T03:00:00.000Z", ""));
    }).toThrow("stack lab holds a bed already (54 resources), and no demo built it.");
  });

  test("of an interrupted demo stays when somebody went on with it", () => {
    expect(() => {
      refuseOthersBed(54, since, update("2026-01-02T03:09:00.000Z", ""));
    }).toThrow("an update that was not the demo's went on with it");
  });

  test("of an interrupted demo may go: nobody touched it since", () => {
    refuseOthersBed(54, since, undefined);
    refuseOthersBed(54, since, update("2026-01-02T03:04:04.000Z", ""));
    refuseOthersBed(54, since, update("2026-01-02T03:05:00.000Z", demoMessage));
  });
});
