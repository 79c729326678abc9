import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { gantt } from "../../../runner/report/gantt";
import { lineChart, niceTicks } from "../../../runner/report/line-chart";
import { writeReport, type WrittenReport } from "../../../runner/report/write-report";
import { publishedCases, publishedSysbench } from "../../../runner/report/published";
import { capturedCase, labPlatform, sealCaptured } from "../../support/captured-run";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sanbed-report-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const guests = (count: number, capture = "checkpoint-histogram") =>
  Array.from({ length: count }, (_, i) => ({ name: `g0${(i + 1).toString()}`, capture }));

async function report(
  runs: string[],
  title = "AFF A250",
): Promise<WrittenReport & { page: string }> {
  const written = await writeReport({
    runFolders: runs.map((name) => join(folder, name)),
    bed: { bedId: "abcdefghij", title, platform: labPlatform },
    outDir: join(folder, "out"),
    createdAt: "2026-11-30T19:00:00Z",
    requests: [
      {
        device: "fabricA",
        operation: "PATCH zoning",
        startedAt: "2026-11-30T18:00:00Z",
        durationMs: 120,
        write: true,
        outcome: "204",
      },
      {
        device: "array",
        operation: "GET luns",
        startedAt: "2026-11-30T18:00:00.050Z",
        durationMs: 30,
        write: false,
        outcome: "200",
      },
    ],
  });
  return { ...written, page: readFileSync(written.html, "utf8") };
}

it("needs nothing but itself: no script, no reference outside", async () => {
  await sealCaptured(join(folder, "a"), guests(2));
  const { page } = await report(["a"]);
  expect(page).not.toMatch(/<script|src=|@import|url\(|<link/);
  const outside = page.replaceAll('xmlns="http://www.w3.org/2000/svg"', "");
  expect(outside).not.toMatch(/https?:\/\//);
  expect(page.match(/<svg/g)!.length).toBe(4);
});

it("says that lab figures are not comparable, and why", async () => {
  await sealCaptured(join(folder, "a"), guests(8));
  const { page, model, table } = await report(["a"]);
  expect(page).toContain("Measured on the embedded lab");
  const one = model.cases[0]!;
  expect(one.comparability.grade).toBe("notComparable");
  expect(one.comparability.differences[0]).toMatch(/no array was involved/);
  expect(one.published).toMatchObject({ tps: 13_135, avgMs: 19.49, p99Ms: 51.61 });
  expect(page).toContain("StorageReview.com");
  expect(table.join("\n")).toMatch(/oltp-8vm +valid .*13,135 TPS \(not comparable\)/);
});

it("grades a run on hardware by its differences from the published protocol", async () => {
  const platform = { ...labPlatform, kind: "hardware" as const, label: "site" };
  await sealCaptured(join(folder, "a"), guests(2), { platform });
  const short = (await report(["a"])).model.cases[0]!.comparability;
  expect(short.grade).toBe("notComparable");
  expect(short.differences).toContain("4 tables instead of 100");
  const spec = {
    ...capturedCase,
    tables: 100,
    rows: 10_000_000,
    preconditionSeconds: 7200,
    measureSeconds: 3600,
  };
  await sealCaptured(join(folder, "b"), guests(2), { platform, spec });
  const full = (await report(["b"])).model.cases[0]!;
  expect(full.comparability.grade).toBe("indicative");
  expect(full.comparability.differences.join()).toMatch(
    /database server .*MariaDB instead of Percona/,
  );
  expect(full.summary.verdict).toBe("invalid"); // its samples are of 8 s
});

it("shows an invalid case with its reasons, in every form", async () => {
  await sealCaptured(join(folder, "a"), guests(2));
  await sealCaptured(join(folder, "b"), guests(4, "server-killed"), { caseName: "broken" });
  const written = await report(["a", "b"]);
  const xml = readFileSync(written.junit, "utf8");
  expect(XMLValidator.validate(xml)).toBe(true);
  const parsed: unknown = new XMLParser({ ignoreAttributes: false }).parse(xml);
  const counts = { "@_tests": "2", "@_failures": "1", "@_errors": "0" };
  expect(parsed).toMatchObject({ testsuite: counts });
  expect(written.page).toMatch(/class="text invalid">invalid/);
  const rows = readFileSync(written.csv, "utf8").trim().split("\r\n");
  const columns = rows[0]!.split(",");
  const broken = rows.find((row) => row.startsWith("broken,"))!.split(",");
  expect(broken[columns.indexOf("tps")]).toBe("");
  expect(broken[columns.indexOf("verdict")]).toBe("invalid");
});

it("never counts a run that was changed after the harvest", async () => {
  await sealCaptured(join(folder, "a"), guests(2));
  writeFileSync(join(folder, "a", "summary.json"), "{}");
  const { model, page } = await report(["a", "gone"]);
  expect(model.cases).toEqual([]);
  expect(model.unreadable).toHaveLength(2);
  expect(page).toContain("summary.json changed or missing");
});

it("escapes what comes from outside", async () => {
  await sealCaptured(join(folder, "a"), guests(1), { caseName: "<img onerror=x>" });
  const { page } = await report(["a"], "<b>title</b>");
  expect(page).not.toContain("<b>title");
  expect(page).not.toContain("<img");
});

it("is the same for the same runs", async () => {
  await sealCaptured(join(folder, "a"), guests(2));
  expect((await report(["a"])).page).toBe((await report(["a"])).page);
});

it("has the published figures of the review, which obey the closed loop's law", () => {
  const published = publishedSysbench();
  for (const mode of ["fcp", "nvme-fc"]) {
    const cases = publishedCases(published, "NetApp AFF A250", mode);
    expect(cases.map((c) => c.guests)).toEqual([8, 16]);
    expect(publishedCases(published, "AFF A250", mode)).toHaveLength(2);
    expect(publishedCases(published, "A250", mode)).toHaveLength(2);
    expect(publishedCases(published, "250", mode)).toEqual([]);
    for (const one of cases) {
      expect((one.tps! * one.avgMs!) / 1000 / (32 * one.guests)).toBeCloseTo(1, 2);
    }
  }
});

describe("charts", () => {
  it("have round ticks that cover the range", () => {
    expect(niceTicks(0, 97)).toEqual([0, 20, 40, 60, 80, 100]);
    expect(niceTicks(0, 0.7).at(-1)).toBeGreaterThanOrEqual(0.7);
    expect(niceTicks(0, 0)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });

  it("leave a gap where a value is missing", () => {
    const svg = lineChart({
      title: "t",
      xLabel: "x",
      yLabel: "y",
      series: [
        {
          name: "s",
          color: "#000",
          points: [
            [0, 1],
            [1, 2],
            [2, undefined],
            [3, 1],
            [4, 2],
          ],
        },
      ],
    });
    expect(/ d="([^"]*)"/.exec(svg)?.[1]?.match(/M/g)).toHaveLength(2);
    expect(XMLValidator.validate(svg)).toBe(true);
  });

  it("say so when there is nothing to draw", () => {
    expect(lineChart({ title: "t", xLabel: "", yLabel: "", series: [] })).toContain("no samples");
    expect(gantt([])).toBe("");
  });
});
