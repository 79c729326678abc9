import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeBedId } from "../../bed/identities";
import { removeStaleCgroups } from "../../lab/guests/leftovers";
import { dataset } from "../../provider/resources/bench-dataset";
import { run } from "../../provider/resources/bench-run";
import { verdict } from "../../provider/resources/bench-verdict";
import { ready } from "../../provider/resources/guest-ready";
import { readRun } from "../../runner/results/run-folder";
import { sysbenchBootstrap } from "../../templates/sysbench-bootstrap";
import { guestTree } from "../../tools/guest-tree/guest-tree";
import { GuestLab } from "../lab/guests/guest-lab";
import { missingForLevelA } from "../lab/guests/level-a";
import { GuestBed, parsedInputs, type Heard } from "../support/handler-call";
import { measureAgain } from "../support/measure-again";

const missing = missingForLevelA();
const atLevelA = missing.length === 0 ? describe : describe.skip;
const title = missing.length === 0 ? "" : ` (skipped, no level A here: ${missing.join("; ")})`;

jest.setTimeout(180_000);

const bedId = makeBedId(randomBytes);
const pool = 16n * 1024n ** 2n;
const tables = { tables: 4, rows: 10_000 };
const workload = {
  kind: "sysbench-oltp",
  ...tables,
  threads: 8,
  preconditionSeconds: 3,
  measureSeconds: 8,
  reportIntervalSeconds: 1,
  maxRetryShare: 0.05,
};

atLevelA(`guests, data sets and runs on real guests${title}`, () => {
  let lab: GuestLab;
  let bed: GuestBed;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sanbed-bed-"));
    lab = new GuestLab((await guestTree()).path, ["sb01", "sb02"]);
    await lab.start();
    await Promise.all(lab.vms.map((vm) => lab.powerOn(vm)));
    bed = new GuestBed(bedId, folder, () => Promise.resolve(lab.clientKey.private));
  });

  afterAll(async () => {
    await bed.close();
    await lab.dispose();
    await removeStaleCgroups(lab.dir);
    rmSync(folder, { recursive: true, force: true });
  });

  const guest = (vm: string) => ({
    name: vm,
    host: lab.address(vm),
    port: lab.sshPort,
    privateKey: "env:UNUSED",
    hostKey: lab.hostKey.public,
  });
  const readyInputs = (vm: string) =>
    parsedInputs(ready, { vmUuid: `uuid-${vm}`, guest: guest(vm), tools: ["sysbench", "mariadb"] });
  const datasetInputs = (vm: string) =>
    parsedInputs(dataset, {
      vmUuid: `uuid-${vm}`,
      guest: guest(vm),
      ready: "ready",
      engine: "mariadb",
      ...tables,
      bufferPoolBytes: pool.toString(),
    });
  const fingerprints = new Map<string, string>();
  const runInputs = (name: string, changes: object = {}) =>
    parsedInputs(run, {
      case: name,
      runId: "r1",
      guests: Object.fromEntries(
        lab.vms.map((vm) => [
          vm,
          { vmUuid: `uuid-${vm}`, guest: guest(vm), dataset: fingerprints.get(vm) },
        ]),
      ),
      workload: { ...workload, ...changes },
    });
  const bootstrap = async (vm: string): Promise<string> => {
    const script = sysbenchBootstrap({
      bedId,
      address: lab.address(vm),
      databasePort: lab.databasePort,
      bufferPoolBytes: pool,
      tables: tables.tables,
      threads: workload.threads,
      testDisk: "/dev/sdb",
    });
    const shell = bed.context.guest({ ...guest(vm), user: "root" });
    const { call } = bed.call(vm);
    const result = await shell.exec(call, ["sh", "-s"], { stdin: script, allowFailure: true });
    return `${result.exitCode.toString()} ${result.stdout}`;
  };
  const unit = (vm: string) => lab.ok(vm, "systemctl list-units --no-legend 'sanbed-*' | wc -l");

  it("refuses a disk that holds somebody else's file system, and leaves it alone", async () => {
    await lab.ok("sb01", "mkfs.ext4 -q -L holiday /dev/sdb");
    const before = await lab.ok("sb01", "blkid -p -o value -s UUID /dev/sdb");
    expect(await bootstrap("sb01")).toMatch(
      /^65 bootstrap refused: \/dev\/sdb holds ext4 labelled "holiday"/,
    );
    expect(await lab.ok("sb01", "blkid -p -o value -s UUID /dev/sdb")).toBe(before);
    await lab.ok("sb01", "wipefs -qa /dev/sdb");
  });

  it("bootstraps once, and changes nothing when run again", async () => {
    for (const output of await Promise.all(lab.vms.map(bootstrap))) {
      expect(output).toMatch(
        /^0 MariaDB 10\.11\..* on \/dev\/sdb at \/srv\/sanbed, buffer pool 16777216 bytes\n$/,
      );
    }
    const pid = () => lab.ok("sb01", "systemctl show -p MainPID --value mariadb");
    const before = await pid();
    expect(await bootstrap("sb01")).toMatch(/^0 MariaDB/);
    expect(await pid()).toBe(before);
  });

  it("mounts the disk before the server starts again after a reset", async () => {
    await lab.powerOff("sb02", true);
    await lab.powerOn("sb02");
    await lab.ok("sb02", "systemctl is-system-running --wait");
    expect(await lab.ok("sb02", "mariadb -Ne 'select @@datadir'")).toBe("/srv/sanbed/data/");
    expect(await lab.ok("sb02", "findmnt -no SOURCE /srv/sanbed")).toBe("/dev/sdb");
  });

  it("waits until a guest is ready and tells its facts", async () => {
    const { call } = bed.call("ready");
    const { id, state } = await ready.create(call, readyInputs("sb01"));
    expect(id).toBe("uuid-sb01");
    expect(state).toMatchObject({
      facts: { hostname: "sb01", systemd: true, tools: { sysbench: "sysbench 1.0.20" } },
    });
  });

  it("refuses a guest that lacks a tool, or answers with another host key", async () => {
    const inputs = readyInputs("sb01");
    const without = ready.create(bed.call("x").call, { ...inputs, tools: ["vdbench"] });
    await expect(without).rejects.toThrow(/sb01: cannot use the guest: vdbench is not installed/);
  });

  it("loads a data set and reuses it", async () => {
    for (const vm of lab.vms) {
      const { call, heard } = bed.call(vm);
      const { state } = await dataset.create(call, datasetInputs(vm));
      expect(state).toMatchObject({ reused: false, database: `sanbed_${bedId}` });
      expect(heard.begun?.state["fingerprint"]).toBe(state["fingerprint"]);
      fingerprints.set(vm, String(state["fingerprint"]));
    }
    const { call } = bed.call("again");
    expect((await dataset.create(call, datasetInputs("sb01"))).state).toMatchObject({
      reused: true,
    });
  });

  it("runs a case in units of systemd and keeps only figures in the state", async () => {
    const once = async (attempt: number) => {
      const { call, heard } = bed.call("run");
      const running = run.create(call, runInputs(`oltp-2vm-${attempt.toString()}`));
      await delay(7000);
      expect(await unit("sb01")).toBe("1");
      return { call, heard, ...(await running) };
    };
    const reasonsOf = ({ state }: { state: Record<string, unknown> }) =>
      state["reasons"] as string[];
    const { call, heard, id, state } = await measureAgain(once, reasonsOf);
    expect(state).toMatchObject({ verdict: "valid", valid: true, reasons: [], origin: "measured" });
    expect(state["startSkewMs"]).toBeLessThan(500);
    expect(heard.begun?.id).toBe(id);
    expect(heard.begun?.state).toMatchObject({ verdict: "unfinished", valid: false });
    expect(JSON.stringify(state).length).toBeLessThan(4000);
    expect(await unit("sb01")).toBe("0");
    await run.delete(call, id, state);
    expect((await readRun(String(state["folder"]))).summary.verdict).toBe("valid");
  });

  it("detaches on Cancel at once, goes on, and the next up continues", async () => {
    const inputs = runInputs("cancelled", { measureSeconds: 12 });
    const first = bed.call("run");
    const running = run.create(first.call, inputs);
    await untilMeasuring(running, first.heard);
    first.abort();
    const began = Date.now();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(Date.now() - began).toBeLessThan(5000);
    expect(await unit("sb01")).toBe("1");
    const { id, state } = first.heard.begun!;
    const next = bed.call("run");
    const done = await run.update!(next.call, id, state, inputs);
    expect(done).toMatchObject({ verdict: "valid", origin: "attached" });
  });

  it("stops an unfinished run on delete and marks it partial", async () => {
    const inputs = runInputs("deleted", { measureSeconds: 120 });
    const first = bed.call("run");
    const running = run.create(first.call, inputs);
    await untilMeasuring(running, first.heard);
    first.abort();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    const { id, state } = first.heard.begun!;
    await run.delete(bed.call("run").call, id, state);
    expect(await unit("sb01")).toBe("0");
    expect(await unit("sb02")).toBe("0");
    expect((await readRun(String(state["folder"]))).summary.verdict).toBe("partial");
  });

  it("names guest and cause when MariaDB is killed, as an output and not an error", async () => {
    const { call, heard } = bed.call("run");
    const running = run.create(call, runInputs("crash", { measureSeconds: 60 }));
    await untilMeasuring(running, heard);
    await lab.ok("sb02", "systemctl kill --signal=KILL mariadb");
    const { state } = await running;
    expect(state).toMatchObject({ verdict: "invalid", valid: false });
    expect(String(state["reasons"])).toMatch(/sb02: .*error 20(13|06|02)/);
    const judged = verdict.create(
      bed.call("verdict").call,
      parsedInputs(verdict, { expected: ["oltp-2vm"], cases: { crash: state } }),
    );
    await expect(judged).rejects.toThrow(
      /2 of 2 cases are no evidence[^]*oltp-2vm: missing[^]*crash: not valid[^]*sb02/,
    );
    await lab.ok("sb02", "systemctl start mariadb");
  });

  it("stops and harvests what no state knows when the guest goes, and a guest that is gone is done", async () => {
    const first = bed.call("run");
    const running = run.create(first.call, runInputs("orphan", { measureSeconds: 120 }));
    await untilMeasuring(running, first.heard);
    first.abort();
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    const last = bed.call("ready");
    await ready.delete(last.call, "uuid-sb01", readyInputs("sb01"));
    expect(last.heard.log.join("\n")).toMatch(/info: sb01: stopped orphan\..*harvested/);
    expect(await unit("sb01")).toBe("0");
    await lab.powerOff("sb02", true);
    await ready.delete(last.call, "uuid-sb02", readyInputs("sb02"));
    expect(last.heard.log.at(-1)).toMatch(/warning: guest sb02: .*no SSH.*nothing was harvested/);
    const stored = await readRun(String(first.heard.begun?.state["folder"]));
    expect(stored.summary).toMatchObject({ verdict: "partial", guests: 2 });
    expect(readFileSync(join(stored.folder, "guests/sb01/stdout"), "utf8")).toContain("tps:");
  });
});

/** Waits for the first figures. A run that fails before them fails the test with its reason. */
async function untilMeasuring(running: Promise<unknown>, heard: Heard): Promise<void> {
  let early: unknown;
  running.catch((error: unknown) => (early = error));
  while (!heard.status.some((line) => line.startsWith("measuring"))) {
    if (early !== undefined) throw early as Error;
    await delay(100);
  }
}

it("a change that leaves guests and workload alone does not ask for a new run", () => {
  const guest = { name: "g", host: "192.0.2.1", privateKey: "env:K", hostKey: "ssh-ed25519 A" };
  const inputs = (host: string, uuid: string) =>
    parsedInputs(run, {
      case: "c",
      runId: "r",
      guests: { g: { vmUuid: uuid, guest: { ...guest, host }, dataset: "f" } },
      workload,
    });
  const change = { path: "guests.g.guest.host", kind: "update" as const, replace: true };
  const state = {
    ...inputs("192.0.2.1", "u"),
    verdict: "valid",
    valid: true,
    reasons: [],
    folder: "/",
  };
  expect(run.diff!([change], state, inputs("192.0.2.2", "u"))[0]?.replace).toBe(false);
  expect(run.diff!([change], state, inputs("192.0.2.1", "other"))[0]?.replace).toBe(true);
});
