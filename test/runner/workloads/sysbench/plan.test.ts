import { prepareArgv, runArgv } from "../../../../runner/workloads/sysbench/command";
import { planSysbench, sysbenchCaseSchema } from "../../../../runner/workloads/sysbench/plan";

const review = sysbenchCaseSchema.parse({
  tables: 100,
  rows: 10_000_000,
  threads: 32,
  preconditionSeconds: 7200,
  measureSeconds: 3600,
  reportIntervalSeconds: 10,
});

describe("the protocol of the reviews", () => {
  const plan = planSysbench(review);

  it("is one uninterrupted run whose counters start anew after two hours", () => {
    expect(plan.options).toEqual([
      "--tables=100",
      "--table-size=10000000",
      "--threads=32",
      "--time=10800",
      "--events=0",
      "--report-checkpoints=7200",
      "--report-interval=10",
      "--percentile=99",
      "--histogram=on",
      "--rand-type=special",
      "--db-ps-mode=auto",
      "--forced-shutdown=60",
    ]);
  });

  it("needs more prepared statements than a server allows by default", () => {
    expect(plan.needs.preparedStatements).toBe(28_864);
    expect(
      planSysbench({ ...review, preparedStatements: "disable" }).needs.preparedStatements,
    ).toBe(0);
  });

  it("gives threads time to prepare, within sysbench's own limit of 30 s", () => {
    expect(plan.leadSeconds).toBeGreaterThan(9);
    expect(planSysbench({ ...review, tables: 1000, threads: 1024 }).leadSeconds).toBe(25);
  });

  it("ends a hung job by force, but never a slow one", () => {
    expect(plan.limitSeconds).toBeGreaterThan(10_800 + 60);
    expect(plan.limitSeconds).toBeLessThan(10_800 * 1.2);
  });
});

it("asks for no checkpoint without preconditioning", () => {
  const plan = planSysbench({ ...review, preconditionSeconds: 0 });
  expect(plan.checkpointSeconds).toBeUndefined();
  expect(plan.options.join(" ")).not.toContain("checkpoints");
});

it("keeps the password out of the argument vector", () => {
  const files = {
    barrierScript: "/j/barrier.lua",
    connectionFile: "/b/sysbench.cnf",
    startedFile: "/j/started",
  };
  const argv = runArgv(planSysbench(review), files, 1_700_000_000_123.4);
  expect(argv.slice(0, 6)).toEqual([
    "env",
    "SANBED_START_AT_MS=1700000000123",
    "SANBED_STARTED_FILE=/j/started",
    "sysbench",
    "/j/barrier.lua",
    "--config-file=/b/sysbench.cnf",
  ]);
  expect(argv.at(-1)).toBe("run");
  expect(argv.join(" ")).not.toMatch(/password/);
});

it("prepares with no more threads than tables", () => {
  expect(prepareArgv({ tables: 4, rows: 1000 }, "/c", 16)).toContain("--threads=4");
});
