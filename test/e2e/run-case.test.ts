import { spawn } from "node:child_process";
import { build } from "esbuild";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runCase, stopCase } from "../../runner/run-case";
import { readRun } from "../../runner/results/run-folder";
import { sweepGuest } from "../../runner/sweep-guest";
import { dropDataset, ensureDataset } from "../../runner/workloads/sysbench/dataset";
import { findGuestTools } from "../support/guest-tools";
import { measureAgain } from "../support/measure-again";
import { bufferPoolBytes, PlainGuests, smallCase, type ChildOrder } from "../support/plain-guests";

const tools = findGuestTools();
const withTools = tools === undefined ? describe.skip : describe;

jest.setTimeout(120_000);

withTools("a case on real MariaDB and sysbench (needs the guest tree)", () => {
  let lab: PlainGuests;

  beforeAll(async () => {
    lab = new PlainGuests(tools!);
    await Promise.all([lab.add("g01"), lab.add("g02")]);
    await lab.load(smallCase());
  });

  afterAll(async () => {
    await lab.stop();
    expect(lab.leftovers()).toEqual([]);
  });

  it("reuses a data set that is whole, loads again one that is not", async () => {
    const guest = lab.guests[0]!;
    const ensure = () =>
      ensureDataset(lab.context(), guest.place, lab.bedId, {
        tables: 2,
        rows: 10_000,
        loadThreads: 2,
        bufferPoolBytes,
        socket: guest.database.socket,
      });
    const first = await ensure();
    expect(first.reused).toBe(true);
    expect(first.dataBytes).toBeGreaterThan(1_000_000n);
    guest.database.query(`DELETE FROM sanbed_${lab.bedId}.sbtest2 WHERE id = 7`);
    const second = await ensure();
    expect(second.reused).toBe(false);
    expect(second.fingerprint).toBe(first.fingerprint);
  });

  it("refuses a server whose buffer pool is not the declared one", async () => {
    const guest = lab.guests[0]!;
    const wrong = ensureDataset(lab.context(), guest.place, lab.bedId, {
      tables: 2,
      rows: 10_000,
      loadThreads: 2,
      bufferPoolBytes: bufferPoolBytes * 8n,
      socket: guest.database.socket,
    });
    await expect(wrong).rejects.toThrow(/buffer pool is 16777216 bytes, declared are 134217728/);
  });

  it("starts all guests at one instant, measures, judges and seals", async () => {
    const lines: string[] = [];
    const once = () =>
      runCase(
        lab.context((line) => lines.push(line)),
        lab.order("one", smallCase()),
      );
    const result = await measureAgain(once, ({ summary }) => summary.reasons);
    expect(result.summary.reasons).toEqual([]);
    expect(result.summary).toMatchObject({ verdict: "valid", guests: 2, guestsDelivered: 2 });
    expect(result.origin).toBe("measured");
    expect(result.summary.startSkewMs).toBeLessThan(200);
    expect(result.summary.overlap).toBeGreaterThan(0.95);
    expect(result.summary.tps).toBeGreaterThan(0);
    expect(lines.join("\n")).toMatch(/measuring on 2 guests: \d+ TPS, .* of 8s, /);
    const run = await readRun(result.folder);
    expect(secondsOf(run.samplesCsv, "g01").slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(run.environment.guests["g01"]?.variables?.["innodb_flush_method"]).toBe("O_DIRECT");
    expect(existsSync(join(lab.folder, "g01", "work", lab.bedId, "one"))).toBe(false);
  });

  it("keeps a valid run, and says so, without touching a guest", async () => {
    const before = lab.guests[0]!.ssh.commands.length;
    const again = await runCase(lab.context(), lab.order("one", smallCase()));
    expect(again.origin).toBe("kept");
    expect(lab.guests[0]!.ssh.commands).toHaveLength(before);
  });

  it("measures anew when a kept run was changed", async () => {
    writeFileSync(join(lab.runs(), "one", "samples.csv"), "changed");
    const again = await runCase(lab.context(), lab.order("one", smallCase()));
    expect(again.origin).toBe("measured");
    expect(existsSync(join(lab.runs(), "one.damaged-1", "samples.csv"))).toBe(true);
  });

  it("survives the loss of every connection during the run", async () => {
    const running = runCase(lab.context(), lab.order("cut", smallCase()));
    const cutting = setInterval(() => {
      lab.guests.forEach((g) => {
        g.ssh.cut();
      });
    }, 900);
    await delay(9000);
    clearInterval(cutting);
    const result = await running;
    expect(result.summary.reasons).toEqual([]);
    expect(secondsOf((await readRun(result.folder)).samplesCsv, "g02").slice(0, 5)).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it("goes on when the process that started it is killed, and the next one loses no sample", async () => {
    const spec = smallCase({ preconditionSeconds: 3, measureSeconds: 6 });
    const child = await startChild(lab, "killed", spec);
    await child.printed(/measuring|preconditioning on 2 guests/);
    child.kill();
    await delay(1500);
    const lines: string[] = [];
    const result = await runCase(
      lab.context((l) => lines.push(l)),
      lab.order("killed", spec),
    );
    expect(result.origin).toBe("attached");
    expect(result.summary.reasons).toEqual([]);
    const run = await readRun(result.folder);
    for (const guest of ["g01", "g02"]) {
      expect(secondsOf(run.samplesCsv, guest).slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }
    const events = readFileSync(join(result.folder, "journal.jsonl"), "utf8");
    expect(events.match(/"launched"/g)).toHaveLength(1);
    expect(events).toContain('"attached"');
  });

  it("is stopped and harvested by the guest's sweep when nobody recorded it", async () => {
    const spec = smallCase({ preconditionSeconds: 3, measureSeconds: 60 });
    const child = await startChild(lab, "orphan", spec);
    await child.printed(/measuring|preconditioning on 2 guests/);
    child.kill();
    await delay(1500);
    const found = await Promise.all(
      lab.guests.map((g) => sweepGuest(lab.context(), g.place, lab.bedId, lab.runs())),
    );
    expect(found.flat()).toHaveLength(2);
    const run = await readRun(join(lab.runs(), "orphan"));
    expect(run.summary.verdict).toBe("partial");
    expect(run.summary.perGuest.map((g) => g.samples > 0)).toEqual([true, true]);
    expect(lab.leftovers().filter((line) => line.includes("sysbench"))).toEqual([]);
  });

  it("stops at once when told, and what there is stays, marked partial", async () => {
    const spec = smallCase({ measureSeconds: 60 });
    const order = lab.order("stopped", spec);
    const controller = new AbortController();
    const running = runCase({ ...lab.context(), call: { signal: controller.signal } }, order);
    const outcome = running.then(
      () => "ended",
      () => "detached",
    );
    await delay(6000);
    controller.abort();
    expect(await outcome).toBe("detached");
    expect(lab.leftovers().filter((line) => line.includes("sysbench")).length).toBeGreaterThan(0);
    expect(await stopCase(lab.context(), order)).toEqual([]);
    expect((await readRun(order.folder)).summary.verdict).toBe("partial");
    expect(lab.leftovers().filter((line) => line.includes("sysbench"))).toEqual([]);
  });

  it("is invalid, with guest and error code, when MariaDB is killed during the run", async () => {
    const order = lab.order("crash", smallCase({ measureSeconds: 30 }));
    const running = runCase(lab.context(), order);
    await delay(6500);
    await lab.guests[1]!.database.kill();
    const began = Date.now();
    const { summary, folder } = await running;
    expect(Date.now() - began).toBeLessThan(15_000); // the others are stopped, not waited for
    expect(summary.verdict).toBe("invalid");
    expect(summary.reasons.join("\n")).toMatch(
      /g02: the job ended with exit code 1: error 20(13|06|02) /,
    );
    expect(summary.reasons.join("\n")).toContain("g01: the job was stopped");
    expect(summary.tps).toBeUndefined();
    expect((await readRun(folder)).manifest.files.map((f) => f.path)).toContain(
      "guests/g02/stdout",
    );
    await lab.guests[1]!.database.start();
  });

  it("is refused when the server's limits are too low, before anything starts", async () => {
    const guest = lab.guests[0]!;
    guest.database.query("SET GLOBAL max_prepared_stmt_count = 10");
    const order = lab.order("limits", smallCase());
    await expect(runCase(lab.context(), order)).rejects.toThrow(
      /g01: cannot start a case: max_prepared_stmt_count is 10, the case needs 80/,
    );
    guest.database.query("SET GLOBAL max_prepared_stmt_count = 100000");
    expect(existsSync(join(guest.place.workRoot, lab.bedId, "limits"))).toBe(false);
  });

  it("keeps no password in any argument vector or result, and drops the data at the end", async () => {
    const guest = lab.guests[0]!;
    const cnf = readFileSync(join(guest.place.workRoot, lab.bedId, "sysbench.cnf"), "utf8");
    const password = /mysql-password=(\S+)/.exec(cnf)?.[1] ?? "";
    expect(password).toHaveLength(48);
    expect(guest.ssh.commands.join("\n")).not.toContain(password);
    const run = await readRun(join(lab.runs(), "one"));
    for (const { path } of run.manifest.files) {
      expect(readFileSync(join(run.folder, path), "latin1")).not.toContain(password);
    }
    await dropDataset(lab.context(), guest.place, lab.bedId, guest.database.socket);
    expect(guest.database.query("SHOW DATABASES")).not.toContain("sanbed_");
  });
});

/** Seconds of a guest's samples. The last one races with the end of the run and may be missing. */
function secondsOf(csv: string, guest: string): number[] {
  const rows = csv.trim().split("\r\n").slice(1);
  return rows
    .map((row) => row.split(","))
    .flatMap((row) => (row[2] === guest ? [Number(row[3])] : []));
}

interface Child {
  printed(pattern: RegExp): Promise<void>;
  kill(): void;
}

/** Runs the case in another process, as the plugin would, so that it can be killed for real. */
async function startChild(
  lab: PlainGuests,
  id: string,
  spec: ReturnType<typeof smallCase>,
): Promise<Child> {
  const root = resolve(__dirname, "../..");
  mkdirSync(join(root, ".sanbed"), { recursive: true });
  // Below the project, so that the bundle finds packages and templates.
  const folder = mkdtempSync(join(root, ".sanbed", "child-"));
  await build({
    entryPoints: [join(root, "test/support/run-case-child.ts")],
    outfile: join(folder, "child.cjs"),
    bundle: true,
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  const order: ChildOrder = {
    bedId: lab.bedId,
    id,
    spec,
    runsFolder: lab.runs(),
    guests: lab.guests.map(({ ssh, seat }) => ({
      name: seat.name,
      vmUuid: seat.vmUuid,
      address: ssh.address(),
      privateKey: ssh.clientKey.private,
      workRoot: seat.place.workRoot,
      socket: seat.socket,
    })),
  };
  writeFileSync(join(folder, "order.json"), JSON.stringify(order));
  const child = spawn(process.execPath, [join(folder, "child.cjs"), join(folder, "order.json")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.on("data", (data: Buffer) => (text += data.toString()));
  child.stderr.on("data", (data: Buffer) => (text += data.toString()));
  return {
    printed: async (pattern) => {
      for (let tries = 0; tries < 300; tries += 1) {
        if (pattern.test(text)) return;
        if (child.exitCode !== null) break;
        await delay(100);
      }
      throw new Error(`the child did not print ${pattern.source}: ${text}`);
    },
    kill: () => {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
