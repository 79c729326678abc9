import type { EmulatorRequest } from "../../../lab/emulator/emulator";
import { type FaultRuleInput, FaultRules, faultRuleSchema } from "../../../lab/emulator/faults";

const request: EmulatorRequest = {
  method: "PATCH",
  path: "/rest/running/zone%20name",
  query: new URLSearchParams(),
  headers: {},
  body: '{"checksum":"1"}',
  remoteAddress: "127.0.0.1",
  signal: new AbortController().signal,
};

function rules(...inputs: FaultRuleInput[]): FaultRules {
  const all = new FaultRules();
  for (const input of inputs) all.add(faultRuleSchema.parse(input));
  return all;
}

describe("fault rules", () => {
  it("let pass what they skip, hit as often as told, and then stop", () => {
    const all = rules({ device: "a", skip: 1, times: 2, effect: { dropBefore: true } });
    const drops = [1, 2, 3, 4, 5].map(() => all.apply("a", request).drop);
    expect(drops).toEqual([undefined, "before", "before", undefined, undefined]);
    expect(all.list()[0]).toMatchObject({ hits: 2, left: 0 });
  });

  it("match by device, method, part of the path and part of the body", () => {
    const hit = (match: FaultRuleInput["match"], device = "a"): boolean =>
      rules({ device, match, effect: { status: 503 } }).apply("a", request).answer !== undefined;
    expect(hit({ method: "patch", path: "zone name", body: "checksum" })).toBe(true);
    expect(hit({}, "*")).toBe(true);
    expect(hit({}, "b")).toBe(false);
    expect(hit({ method: "GET" })).toBe(false);
    expect(hit({ path: "cfg" })).toBe(false);
    expect(hit({ body: "cfg" })).toBe(false);
  });

  it("add latencies up and take the first of other effects, without spending the second", () => {
    const all = rules(
      { device: "*", effect: { latencyMs: 5 } },
      { device: "a", effect: { latencyMs: 7 } },
      { device: "a", times: 1, effect: { code: "busy" } },
      { device: "a", times: 1, effect: { dropAfter: true } },
    );
    expect(all.apply("a", request)).toEqual({
      latencyMs: 12,
      drop: undefined,
      answer: { code: "busy" },
    });
    expect(all.apply("a", request).drop).toBe("after");
  });

  it("draw the same chances from the same seed", () => {
    const draws = (seed: number): string => {
      const match = { probability: 0.5 };
      const all = rules({ device: "a", match, seed, effect: { status: 503 } });
      return Array.from({ length: 64 }, () => (all.apply("a", request).answer ? "x" : ".")).join(
        "",
      );
    };
    expect(draws(1)).toBe(draws(1));
    expect(draws(1)).not.toBe(draws(2));
    expect(draws(1)).toMatch(/x/);
    expect(draws(1)).toMatch(/\./);
  });

  it("refuse rules without an effect or with an unknown field", () => {
    expect(faultRuleSchema.safeParse({ device: "a", effect: {} }).success).toBe(false);
    expect(
      faultRuleSchema.safeParse({ device: "a", effect: { status: 503 }, time: 1 }).success,
    ).toBe(false);
  });
});
