import { z } from "zod";
import { SanbedError } from "../../bed/errors";
import { resource } from "../kit/handler";
import type { BedContext } from "./context";

const judgedCase = z
  .object({
    valid: z.boolean().describe("It is evidence."),
    reasons: z.array(z.string()).default([]).describe("Why it is not valid."),
    folder: z.string().optional().describe("Its run folder."),
  })
  .meta({ id: "JudgedCase" });

/** Name of a suite that was given none. */
const unnamed = "suite";

const inputs = z.object({
  suite: z.string().default(unnamed).describe("Name of the suite."),
  expected: z.array(z.string()).default([]).describe("Cases that the suite must hold."),
  cases: z.record(z.string(), judgedCase).describe("Verdict of each case, by name."),
});

const state = inputs.extend({
  validCases: z.number().describe("Number of valid cases."),
});
type Inputs = z.infer<typeof inputs>;

/** Fails the `up` when a case of the suite is invalid or missing, after all cases have run. */
export const verdict = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:bench:Verdict",
  description: "Fails when a case of a suite is invalid or missing, listing all of them.",
  inputs,
  state,
  replaceOn: ["suite"],
  deleteBeforeReplace: false,
  create: (_call, args) => judged(args).then((state) => ({ id: args.suite, state })),
  update: (_call, _id, _olds, news) => judged(news),
  delete: () => Promise.resolve(),
});

/** What {@link judge} throws is a rejection. */
function judged(args: Inputs): Promise<z.infer<typeof state>> {
  return new Promise((resolve) => {
    resolve(judge(args));
  });
}

/** @throws {SanbedError} `verdict` with every case that is no evidence, and why. */
function judge(args: Inputs): z.infer<typeof state> {
  const missing = args.expected
    .filter((name) => !(name in args.cases))
    .map((name) => `${name}: missing`);
  const bad = Object.entries(args.cases).flatMap(([name, { valid, reasons, folder }]) =>
    valid
      ? []
      : [
          [
            `${name}: not valid${folder === undefined ? "" : ` (${folder})`}`,
            ...reasons.map((reason) => `  ${reason}`),
          ].join("\n  "),
        ],
  );
  const problems = [...missing, ...bad];
  if (problems.length === 0) return { ...args, validCases: Object.keys(args.cases).length };
  const total = new Set([...args.expected, ...Object.keys(args.cases)]).size;
  const name = args.suite === unnamed ? "the suite" : `suite ${args.suite}`;
  throw new SanbedError(
    "verdict",
    [
      `${name}: ${problems.length.toString()} of ${total.toString()} cases are no evidence`,
      ...problems,
      "Find the cause in the run folders, then measure again with another runId.",
    ].join("\n  "),
  );
}
