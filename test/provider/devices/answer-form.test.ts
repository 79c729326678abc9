import { z } from "zod";
import { isDeviceError } from "../../../bed/errors";
import { readAnswer } from "../../../provider/devices/answer-form";

const form = z.object({
  name: z.string(),
  ports: z.array(z.object({ wwpn: z.string(), index: z.number() })),
});
const source = { device: "fabricA", operation: "read the ports", asked: "/rest/ports" };

function refusal(answer: unknown): Error {
  try {
    readAnswer(form, answer, source);
  } catch (error) {
    return error as Error;
  }
  throw new Error("it was accepted");
}

test("an answer of the documented form is read", () => {
  const answer = { name: "a", ports: [{ wwpn: "w", index: 1 }] };
  expect(readAnswer(form, answer, source)).toEqual(answer);
});

test("another form is named place by place, in words, never as JSON", () => {
  const error = refusal({ ports: [{ wwpn: 7, index: "one" }] });
  expect(isDeviceError(error, "protocol")).toBe(true);
  expect(error.message).toContain("fabricA: cannot read the ports: the answer to /rest/ports");
  expect(error.message).toContain("name: expected text, found nothing");
  expect(error.message).toContain("ports[0].wwpn: expected text, found 7");
  expect(error.message).toContain('ports[0].index: expected a number, found "one"');
  expect(error.message).not.toMatch(/[{}]|invalid_type|"code"/);
});

test("a wrong answer of a whole list stays one short sentence", () => {
  const ports = Array.from({ length: 500 }, () => ({}));
  const error = refusal({ name: "x".repeat(5000), ports });
  expect(error.message).toContain("and 997 more");
  expect(error.message.length).toBeLessThan(600);
  expect(refusal([]).message).toContain("as a whole: expected an object, found a list of 0");
});
