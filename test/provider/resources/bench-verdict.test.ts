import { verdict } from "../../../provider/resources/bench-verdict";
import { makeBedId } from "../../../bed/identities";
import { GuestBed } from "../../support/handler-call";

const bed = new GuestBed(
  makeBedId((size) => new Uint8Array(size)),
  "/nowhere",
  () => Promise.reject(new Error("no secret")),
);
const bad = { valid: false, reasons: ["g01: stall"], folder: "/runs/1" };
const judged = (args: unknown): Promise<unknown> =>
  Promise.resolve(verdict.create(bed.call("verdict").call, verdict.inputs.parse(args)));

it.each([
  ["the suite: ", {}],
  ["suite nightly: ", { suite: "nightly" }],
])("fails with every case that is no evidence, once by its suite: %s", async (begin, named) => {
  const args = { ...named, expected: ["a", "b", "c"], cases: { a: { valid: true }, b: bad } };
  await expect(judged(args)).rejects.toThrow(
    new RegExp(
      `^${begin}2 of 3 cases are no evidence\\n  c: missing\\n  b: not valid \\(/runs/1\\)\\n +g01: stall`,
    ),
  );
});

it("counts the cases that are", async () => {
  const { state } = (await judged({ cases: { a: { valid: true } } })) as { state: object };
  expect(state).toMatchObject({ validCases: 1 });
});
