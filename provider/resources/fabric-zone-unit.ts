import { SanbedError } from "../../bed/errors";
import type { DeviceCall } from "../devices/call";
import type { FabricSwitch, ZoningTransaction } from "../devices/fabric-switch";
import type { BedContext } from "./context";
import { lostPairs, pathLossError, pathUse } from "./fabric-path-loss";
import { reverseChange, takesAway } from "./fabric-zone-plan";
import { planAll, type ZoneRequest } from "./fabric-zone-request";

interface Prepared {
  readonly device: string;
  readonly fabric: FabricSwitch;
  readonly transaction: ZoningTransaction;
}

const cleanUpMs = 120_000;

/** One change of several hosts on both fabrics: staged on all, then in force on all or on none. */
export class ZoneUnit {
  readonly #context: BedContext;
  readonly #requests: readonly ZoneRequest[];
  #prepared: readonly Prepared[] = [];

  constructor(context: BedContext, requests: readonly ZoneRequest[]) {
    this.#context = context;
    this.#requests = requests;
  }

  /**
   * Stages on every fabric, in parallel; nothing is left staged when one cannot. Hosts that are refused on
   * the database as it is are noted in `failures`; then nothing was staged on that fabric.
   */
  async stage(
    call: DeviceCall,
    failures: Map<ZoneRequest, unknown>,
    results: Record<string, string>,
  ): Promise<void> {
    const attempts = await Promise.allSettled(
      devicesOf(this.#requests).map((device) => this.#stageOn(device, failures, results, call)),
    );
    this.#prepared = attempts.flatMap((attempt) =>
      attempt.status === "fulfilled" && attempt.value !== undefined ? [attempt.value] : [],
    );
    const failed = attempts.find((attempt) => attempt.status === "rejected");
    if (failed === undefined) return;
    await this.abort();
    throw failed.reason as Error;
  }

  /** Puts it into force on all fabrics, or back on all of them. */
  async commit(call: DeviceCall): Promise<void> {
    const begun: Prepared[] = [];
    try {
      if (
        this.#prepared.some(({ transaction }) => takesAway(transaction.before, transaction.change))
      )
        await this.#commitInTurn(call, begun);
      else await this.#commitTogether(call, begun);
    } catch (error) {
      await abortAll(this.#prepared.filter((one) => !begun.includes(one)));
      throw await putBack(begun, error);
    }
  }

  /** Also after Cancel: what is staged would block every other administrator. */
  async abort(): Promise<void> {
    await abortAll(this.#prepared);
  }

  /** Undefined: nothing to do on this fabric, or a host was refused and nothing was staged. */
  async #stageOn(
    device: string,
    failures: Map<ZoneRequest, unknown>,
    results: Record<string, string>,
    call: DeviceCall,
  ): Promise<Prepared | undefined> {
    const fabric = this.#context.fabric(device);
    const writing: DeviceCall = {
      ...call,
      onWrite: () => {
        for (const request of this.#requests) request.onWrite();
      },
    };
    const transaction = await fabric.stage(writing, (state) => {
      if (state.effective !== undefined) results[device] = state.effective.name;
      return planAll(device, state, this.#requests, failures, this.#context.bedId);
    });
    return transaction === undefined ? undefined : { device, fabric, transaction };
  }

  /** What only adds paths takes no path from anybody: both at once. */
  async #commitTogether(call: DeviceCall, begun: Prepared[]): Promise<void> {
    begun.push(...this.#prepared);
    const outcomes = await Promise.allSettled(
      this.#prepared.map(({ transaction }) => transaction.commit(call)),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason as Error;
  }

  /**
   * Paths are taken away: first it is made sure that no host loses its last one, then one fabric after the
   * other, and before the next one the hosts that use what goes there are looked at again.
   */
  async #commitInTurn(call: DeviceCall, begun: Prepared[]): Promise<void> {
    let hosts = await this.#refuseLoss(call, this.#hosts(), this.#prepared);
    for (const [index, one] of this.#prepared.entries()) {
      if (index > 0) hosts = await this.#refuseLoss(call, hosts, this.#prepared.slice(index));
      begun.push(one);
      await one.transaction.commit(call);
    }
  }

  /** Answers the hosts that use any of the paths that go; the others need not be asked again. */
  async #refuseLoss(
    call: DeviceCall,
    hosts: readonly string[],
    prepared: readonly Prepared[],
  ): Promise<readonly string[]> {
    if (hosts.length === 0) return [];
    const pairs = prepared.flatMap(({ transaction }) => [
      ...lostPairs(transaction.before, transaction.change),
    ]);
    const uses = await pathUse(this.#context, call, hosts, new Set(pairs));
    const refusal = pathLossError(uses);
    if (refusal !== undefined) throw refusal;
    return uses.map(({ host }) => host);
  }

  #hosts(): readonly string[] {
    return [...new Set(this.#requests.map((request) => request.host))];
  }
}

/** In the order of the fabrics' keys: A before B. */
function devicesOf(requests: readonly ZoneRequest[]): readonly string[] {
  const keys = new Map(
    requests.flatMap(({ sides }) => sides.map(({ device, fabric }) => [device, fabric])),
  );
  return [...keys].sort(([, a], [, b]) => a.localeCompare(b)).map(([device]) => device);
}

async function abortAll(prepared: readonly Prepared[]): Promise<void> {
  const call: DeviceCall = { signal: AbortSignal.timeout(cleanUpMs) };
  await Promise.allSettled(prepared.map(({ transaction }) => transaction.abort(call)));
}

/** Where it took effect, or may have, it is taken back. Goes on although the call was cancelled. */
async function putBack(begun: readonly Prepared[], error: unknown): Promise<unknown> {
  const call: DeviceCall = { signal: AbortSignal.timeout(cleanUpMs) };
  const undone = await Promise.allSettled(
    begun.map(async ({ fabric, transaction }) => {
      const reverse = reverseChange(transaction.before, transaction.change);
      const undo = await fabric.stage(call, () => reverse);
      await undo?.commit(call);
    }),
  );
  const stuck = undone.flatMap((outcome, index) => {
    if (outcome.status === "fulfilled") return [];
    const reason: unknown = outcome.reason;
    const text = reason instanceof Error ? reason.message : "unknown error";
    return [`${begun[index]?.device ?? "fabric"} (${text})`];
  });
  if (stuck.length === 0) return error;
  const what = error instanceof Error ? error.message : "zoning failed";
  return new SanbedError(
    "zoning",
    `${what} The zones on ${stuck.join(" and ")} could not be put back: run up or destroy again.`,
    { cause: error },
  );
}
