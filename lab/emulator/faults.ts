import { z } from "zod";
import type { EmulatorRequest } from "./emulator";

/** A fault or latency rule as the control port takes it (docs/lab-protocol.md). */
export const faultRuleSchema = z.strictObject({
  /** Device name, or `*` for every emulator. */
  device: z.string().min(1),
  match: z
    .strictObject({
      method: z.string().optional(),
      /** Part of the path. */
      path: z.string().optional(),
      /** Part of the body. */
      body: z.string().optional(),
      /** Chance that a matching request is hit, by the seeded generator. */
      probability: z.number().min(0).max(1).optional(),
    })
    .default({}),
  /** Matching requests to let pass first. */
  skip: z.int().min(0).default(0),
  /** Requests to hit; absent: until deleted. */
  times: z.int().min(1).optional(),
  effect: z.union([
    z.strictObject({ latencyMs: z.number().min(0), jitterMs: z.number().min(0).optional() }),
    z.strictObject({ status: z.int().min(400).max(599), code: z.string().optional() }),
    z.strictObject({ code: z.string() }),
    z.strictObject({ dropBefore: z.literal(true) }),
    z.strictObject({ dropAfter: z.literal(true) }),
  ]),
  seed: z.int().default(1),
});

export type FaultRule = z.infer<typeof faultRuleSchema>;
export type FaultRuleInput = z.input<typeof faultRuleSchema>;

/** What the rules make of one request. */
export interface FaultOutcome {
  readonly latencyMs: number;
  readonly drop: "before" | "after" | undefined;
  readonly answer: { readonly status?: number; readonly code?: string } | undefined;
}

interface LiveRule {
  readonly id: string;
  readonly rule: FaultRule;
  skip: number;
  left: number | undefined;
  hits: number;
  readonly random: () => number;
}

/** All rules of a lab. Latencies add up; of the other effects the first rule that matches wins. */
export class FaultRules {
  readonly #rules = new Map<string, LiveRule>();
  #next = 1;

  add(rule: FaultRule): string {
    const id = `f${(this.#next++).toString()}`;
    this.#rules.set(id, {
      id,
      rule,
      skip: rule.skip,
      left: rule.times,
      hits: 0,
      random: seeded(rule.seed),
    });
    return id;
  }

  remove(id: string): boolean {
    return this.#rules.delete(id);
  }

  clear(): void {
    this.#rules.clear();
  }

  list(): { id: string; rule: FaultRule; hits: number; left: number | undefined }[] {
    return [...this.#rules.values()].map(({ id, rule, hits, left }) => ({ id, rule, hits, left }));
  }

  apply(device: string, request: EmulatorRequest): FaultOutcome {
    let latencyMs = 0;
    let drop: FaultOutcome["drop"];
    let answer: FaultOutcome["answer"];
    for (const live of this.#rules.values()) {
      const effect = live.rule.effect;
      const isLatency = "latencyMs" in effect;
      if (!isLatency && (drop !== undefined || answer !== undefined)) continue;
      if (!matches(live, device, request) || !spend(live)) continue;
      if (isLatency) latencyMs += effect.latencyMs + live.random() * (effect.jitterMs ?? 0);
      else if ("dropBefore" in effect) drop = "before";
      else if ("dropAfter" in effect) drop = "after";
      else answer = effect;
    }
    return { latencyMs, drop, answer };
  }
}

function matches(live: LiveRule, device: string, request: EmulatorRequest): boolean {
  const { rule } = live;
  if (live.left === 0 || (rule.device !== "*" && rule.device !== device)) return false;
  const { method, path, body, probability } = rule.match;
  if (method !== undefined && method.toUpperCase() !== request.method) return false;
  if (path !== undefined && !decodeURI(request.path).includes(path)) return false;
  if (body !== undefined && !request.body.includes(body)) return false;
  return probability === undefined || live.random() < probability;
}

function spend(live: LiveRule): boolean {
  if (live.skip > 0) {
    live.skip -= 1;
    return false;
  }
  if (live.left !== undefined) live.left -= 1;
  live.hits += 1;
  return true;
}

/** Mulberry32: small, good enough, and the same on every machine for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
