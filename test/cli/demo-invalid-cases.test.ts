import { invalidCases } from "../../cli/demo/invalid-cases";

const run = (name: string, verdict: string, reasons: readonly string[] = []) => ({
  type: "sanbed:bench:Run",
  outputs: { case: name, verdict, reasons },
});

test("only cases that were measured to their end and are no evidence are measured again", () => {
  const resources = [
    { type: "sanbed:bench:Certificate", outputs: { verdict: "invalid" } },
    run("oltp-4vm", "valid"),
    run("oltp-8vm", "invalid", ["g01: 0.77 s were measured instead of 12 s"]),
    run("oltp-16vm", "unfinished", ["the run is not finished"]),
    run("oltp-24vm", "partial", ["stopped"]),
    { type: "sanbed:bench:Run" },
  ];
  expect(invalidCases({ resources })).toEqual([
    { name: "oltp-8vm", reasons: ["g01: 0.77 s were measured instead of 12 s"] },
  ]);
  expect(invalidCases({})).toEqual([]);
  expect(invalidCases(undefined)).toEqual([]);
});
