import type { BedAssumption, BedFact } from "../../bed/review-bed";
import type {
  SqlServerSettings,
  SysbenchSettings,
  VdbenchSettings,
} from "../../bed/workload-settings";
import type { PublishedRates } from "./published-rates";
import { assume, fact, type reviews } from "./reviews";
import { vdbenchProfiles } from "./vdbench-profiles";

type Review = keyof typeof reviews;

export function sysbenchWorkload(rates: PublishedRates): SysbenchSettings {
  return {
    kind: "sysbench",
    tables: 100,
    rows: 10_000_000,
    threads: 32,
    bufferPool: "24 GiB",
    precondition: "2h",
    measure: "1h",
    reportInterval: "10s",
    expectedTps: { ...rates.sysbenchTps },
    bytesWrittenPerTransaction: "132 KiB",
  };
}

export function sqlServerWorkload(): SqlServerSettings {
  return {
    kind: "sqlserver",
    scale: 1500,
    usersPerGuest: 15_000,
    thinkTimeMs: 4743,
    outstandingPerGuest: 32,
    bufferPool: "48 GiB",
    dataPerGuest: "400 GB",
    bytesWrittenPerTransaction: "64 KiB",
    precondition: "2h30m",
    measure: "30m",
    driver: "hammerdb",
  };
}

export function vdbenchWorkload(rates: PublishedRates): VdbenchSettings {
  return {
    kind: "vdbench",
    profiles: vdbenchProfiles(rates),
    curvePercent: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120],
    warmup: "30s",
    measure: "60s",
    reportInterval: "5s",
    fillFactor: 1,
  };
}

const sysbench = (name: string): string => `phases.sysbench.workload.${name}`;
const sqlserver = (name: string): string => `phases.sqlserver.workload.${name}`;

/** Published rates: those that can be read as they stand, those put back, and each in conflict. */
function rateFacts(review: Review, rates: PublishedRates): BedFact[] {
  const conflicts = rates.conflicts ?? {};
  const all = [
    ...Object.keys(rates.sysbenchTps).map((key) => [key, sysbench(`expectedTps.${key}`)] as const),
    ...Object.keys(rates.vdbenchIops).map(
      (key) => [key, `phases.vdbench.workload.profiles.${key}.expectedIops`] as const,
    ),
  ];
  const what = { stated: "published rates", reconstructed: "published rates, put back" } as const;
  const settled = (["stated", "reconstructed"] as const).flatMap((basis) => {
    const paths = all
      .filter(([key]) => conflicts[key] === undefined)
      .filter(([key]) => rates.reconstructed.includes(key) === (basis === "reconstructed"))
      .map(([, path]) => path);
    const value = `${paths.length.toString()} of ${all.length.toString()}, transactions and requests per second, for estimates of data written`;
    return paths.length === 0 ? [] : [fact(basis, review, what[basis], value, paths)];
  });
  const open = all.flatMap(([key, path]) => {
    const note = conflicts[key];
    const value = `${(rates.vdbenchIops[key] ?? 0).toString()} requests per second`;
    return note === undefined
      ? []
      : [fact("stated", review, `published rate of ${key}`, value, path, note)];
  });
  return [...settled, ...open];
}

/** @param factory publisher of Benchmark Factory, as the review names it. */
export function workloadFacts(
  review: Review,
  factory: "Dell" | "Quest",
  rates: PublishedRates,
): BedFact[] {
  return [
    fact("stated", review, "Sysbench database", "100 tables of 10,000,000 rows", [
      sysbench("tables"),
      sysbench("rows"),
    ]),
    fact("stated", review, "Sysbench threads", "32 for each guest", sysbench("threads")),
    fact("stated", review, "Sysbench buffer pool", "24 GB", sysbench("bufferPool")),
    fact("stated", review, "Sysbench duration", "three hours: two to precondition, one measured", [
      sysbench("precondition"),
      sysbench("measure"),
    ]),
    ...rateFacts(review, rates),
    fact("stated", review, "SQL Server database", "TPC-C, scale 1,500", sqlserver("scale")),
    fact("stated", review, "SQL Server users", "15,000 for each guest", sqlserver("usersPerGuest")),
    fact("stated", review, "SQL Server memory", "48 GB", sqlserver("bufferPool")),
    fact(
      "stated",
      review,
      "SQL Server duration",
      "three hours: two and a half to precondition, 30 minutes measured",
      [sqlserver("precondition"), sqlserver("measure")],
    ),
    fact("stated", review, "SQL Server load tool", `${factory}'s Benchmark Factory for Databases`),
    fact(
      "derived",
      review,
      "think time of SQL Server users",
      "4.743 s",
      sqlserver("thinkTimeMs"),
      "transactions per second are users over 4.743 s and the latency, on all eight arrays with a figure",
    ),
  ];
}

export function workloadAssumptions(): BedAssumption[] {
  return [
    assume("interval of Sysbench's report lines", "10 s", "not stated", sysbench("reportInterval")),
    assume(
      "what a Sysbench transaction writes",
      "132 KiB at most",
      "four changed rows, each on a page of 16 KiB that is written twice (doublewrite), and 4 KiB of log",
      sysbench("bytesWrittenPerTransaction"),
    ),
    assume(
      "what drives the SQL Server test",
      "hammerdb",
      "Benchmark Factory needs a licence for 15,000 users; HammerDB runs the same kind of transactions with the same think time. TPC-C is not compared between tools",
      sqlserver("driver"),
    ),
    assume(
      "data of a SQL Server database",
      "400 GB",
      "the review counts 500 GB used for each guest, 100 GB of it the boot disk",
      sqlserver("dataPerGuest"),
    ),
    assume(
      "requests that a SQL Server keeps in flight",
      "32",
      "not stated; as many as a disk on the stated controller takes",
      sqlserver("outstandingPerGuest"),
    ),
    assume(
      "what a SQL Server transaction writes",
      "64 KiB",
      "no figure at hand; about ten pages of 8 KiB changed by a new order, some of them together, and the log",
      sqlserver("bytesWrittenPerTransaction"),
    ),
  ];
}
