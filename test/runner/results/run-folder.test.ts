import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { readManifest, readRun } from "../../../runner/results/run-folder";
import { sanbedVersion } from "../../../bed/version";
import { sealCaptured } from "../../support/captured-run";
import packageJson from "../../../package.json";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sanbed-run-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const two = [
  { name: "g01", capture: "checkpoint-histogram" },
  { name: "g02", capture: "checkpoint-histogram", lateMs: 12 },
];

it("a sealed run is read back whole", async () => {
  const sealed = await sealCaptured(folder, two);
  const run = await readRun(folder);
  expect(run.summary).toEqual(sealed.summary);
  expect(readManifest(folder)?.sha256).toBe(sealed.sha256);
  expect(run.summary).toMatchObject({ verdict: "valid", startSkewMs: 12, reasons: [] });
  expect(run.manifest.files.map((f) => f.path)).toEqual(
    expect.arrayContaining(["guests/g01/stdout", "samples.parquet", "summary.json"]),
  );
  expect(run.environment.tools["sysbench"]).toBe("sysbench 1.0.20");
});

it("two equal guests have twice the rate, the same mean and the same percentile as one", async () => {
  const one = mkdtempSync(join(tmpdir(), "sanbed-run-"));
  const { summary: single } = await sealCaptured(one, two.slice(0, 1));
  const { summary: both } = await sealCaptured(folder, two);
  rmSync(one, { recursive: true });
  expect(both.tps).toBeCloseTo(2 * single.tps!, 6);
  expect(both.avgMs).toBeCloseTo(single.avgMs!, 9);
  expect(both.p99Ms).toBe(single.p99Ms);
  expect(both.reviewStyle.p99Ms).toBe(single.p99Ms);
});

it("a run that was changed is not read", async () => {
  await sealCaptured(folder, two);
  writeFileSync(join(folder, "guests/g01/stdout"), "better figures");
  await expect(readRun(folder)).rejects.toThrow("guests/g01/stdout");
});

it("a folder without its manifest is no run", async () => {
  await sealCaptured(folder, two);
  rmSync(join(folder, "manifest.json"));
  await expect(readRun(folder)).rejects.toThrow(/manifest.json is missing/);
});

it("figures of a case that lost a guest are absent, not those of the rest", async () => {
  const { summary } = await sealCaptured(folder, [
    two[0]!,
    { name: "g02", capture: "server-killed" },
  ]);
  expect(summary).toMatchObject({ verdict: "invalid", guests: 2, guestsDelivered: 1 });
  expect(summary.tps).toBeUndefined();
  expect(summary.p99Ms).toBeUndefined();
  expect(summary.reasons.join()).toContain("error 2013");
});

it("samples are the same in Parquet and in CSV", async () => {
  await sealCaptured(folder, two);
  const bytes = readFileSync(join(folder, "samples.parquet"));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const rows = await parquetReadObjects({ file });
  const csv = readFileSync(join(folder, "samples.csv"), "utf8").trim().split("\r\n");
  expect(rows).toHaveLength(csv.length - 1);
  expect(rows).toHaveLength(16);
  expect(rows[3]).toMatchObject({
    guest: "g01",
    second: 4,
    part: "precondition",
    latency_p99_ms: null,
  });
  const fourth = csv[4]!.split(",");
  expect(Number(fourth[7])).toBe(rows[3]!["tps"]);
  expect(fourth[12]).toBe("");
});

it("names the version of the package", () => {
  expect(sanbedVersion).toBe(packageJson.version);
});
