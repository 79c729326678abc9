import { DeviceError, SanbedError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import type { DeviceCall } from "../devices/call";
import { systemClock, type Clock } from "../devices/clock";
import type {
  FabricSwitch,
  ZoningChange,
  ZoningState,
  ZoningTransaction,
} from "../devices/fabric-switch";
import type { Outcome } from "../kit/group-commit";
import type { BedContext } from "./context";
import { checkLogins, type FabricLogins, type LoginProblem } from "./fabric-login-check";
import {
  mergeChanges,
  planHostZones,
  planRemoval,
  reverseChange,
  takesAway,
  type OwnedNames,
  type WantedZone,
} from "./fabric-zone-plan";

/** What one host wants on one fabric. Nothing wanted: only what was made earlier is taken away. */
export interface ZoneSide {
  /** Key of the fabric in the bed, `A`. */
  readonly fabric: string;
  readonly device: string;
  readonly wanted: readonly WantedZone[];
  readonly earlier: OwnedNames;
}

export interface ZoneRequest {
  readonly host: string;
  readonly kind: "ensure" | "remove";
  readonly sides: readonly ZoneSide[];
  readonly onWrite: () => void;
  readonly status: (message: string) => void;
}

/** Name of the effective configuration that the zones are in, by device. */
export type ZoneResult = Readonly<Record<string, string>>;

interface Prepared {
  readonly device: string;
  readonly fabric: FabricSwitch;
  readonly transaction: ZoningTransaction;
  readonly change: ZoningChange;
}

/** A target port that was just made needs a moment to log in to its fabric. */
const lateLoginMs = 8_000;
const cleanUpMs = 120_000;

/**
 * Zones of several hosts on both fabrics as one unit: logins checked, everything staged, then enabled
 * on both or put back on both. What a host wants wrongly fails that host alone.
 */
export class ZoneCommit {
  readonly #context: BedContext;
  readonly #clock: Clock;

  constructor(context: BedContext, clock: Clock = systemClock) {
    this.#context = context;
    this.#clock = clock;
  }

  async run(
    requests: readonly ZoneRequest[],
    signal: AbortSignal,
  ): Promise<readonly Outcome<ZoneResult>[]> {
    const call: DeviceCall = {
      signal,
      status: (message) => {
        for (const request of requests) request.status(message);
      },
    };
    const failures = new Map<ZoneRequest, unknown>();
    const results: Record<string, string> = {};
    const ensured = requests.filter((request) => request.kind === "ensure");
    const removed = requests.filter((request) => request.kind === "remove");
    await this.#attempt(ensured, failures, () => this.#ensure(ensured, failures, results, call));
    await this.#attempt(removed, failures, () => this.#remove(removed, failures, call));
    return requests.map((request) =>
      failures.has(request)
        ? { ok: false, error: failures.get(request) }
        : { ok: true, value: results },
    );
  }

  /** A failure that is nobody's in particular fails all that have not failed yet. */
  async #attempt(
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    work: () => Promise<void>,
  ): Promise<void> {
    if (requests.length === 0) return;
    try {
      await work();
    } catch (error) {
      for (const request of requests) if (!failures.has(request)) failures.set(request, error);
    }
  }

  async #ensure(
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    results: Record<string, string>,
    call: DeviceCall,
  ): Promise<void> {
    await this.#checkLogins(requests, failures, call);
    for (;;) {
      const accepted = requests.filter((request) => !failures.has(request));
      if (accepted.length === 0) return;
      const prepared = await this.#stageAll(accepted, failures, results, call);
      if (accepted.every((request) => !failures.has(request))) {
        await this.#commitAll(prepared, call);
        return;
      }
      // One host's refusal must not spoil the others: dropped, and staged anew without it.
      await abortAll(prepared);
    }
  }

  async #checkLogins(
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    call: DeviceCall,
  ): Promise<void> {
    const until = this.#clock.now() + lateLoginMs;
    for (;;) {
      const fabrics = await this.#logins(requests, call);
      const problems = requests.map((request) => loginProblems(request, fabrics));
      const late = problems.flat().length > 0 && problems.flat().every(([, p]) => p.maybeLate);
      if (!late || this.#clock.now() >= until) {
        for (const [index, request] of requests.entries()) {
          const own = problems[index] ?? [];
          if (own.length > 0) failures.set(request, loginError(request, own));
        }
        return;
      }
      call.status?.(`waiting for ports to log in: ${problems.flat()[0]?.[1].reason ?? ""}`);
      await this.#clock.sleep(2000, call.signal);
    }
  }

  async #logins(requests: readonly ZoneRequest[], call: DeviceCall): Promise<FabricLogins[]> {
    const fabrics = new Map(
      requests.flatMap((request) => request.sides.map((side) => [side.device, side.fabric])),
    );
    return await Promise.all(
      [...fabrics].map(async ([device, fabric]) => ({
        fabric,
        device,
        logins: await this.#context.fabric(device).logins(call),
      })),
    );
  }

  async #stageAll(
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    results: Record<string, string>,
    call: DeviceCall,
  ): Promise<Prepared[]> {
    const devices = [...new Set(requests.flatMap((r) => r.sides.map((side) => side.device)))];
    const attempts = await Promise.allSettled(
      devices.map((device) => this.#stage(device, requests, failures, results, call)),
    );
    const prepared = attempts.flatMap((attempt) =>
      attempt.status === "fulfilled" && attempt.value !== undefined ? [attempt.value] : [],
    );
    const failed = attempts.find((attempt) => attempt.status === "rejected");
    if (failed === undefined) return prepared;
    await abortAll(prepared);
    throw failed.reason as Error;
  }

  /** Undefined: nothing to do on this fabric, or a host was refused and nothing was staged. */
  async #stage(
    device: string,
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    results: Record<string, string>,
    call: DeviceCall,
  ): Promise<Prepared | undefined> {
    const fabric = this.#context.fabric(device);
    let change: ZoningChange = mergeChanges([]);
    const writing: DeviceCall = {
      ...call,
      onWrite: () => {
        for (const request of requests) request.onWrite();
      },
    };
    const transaction = await fabric.stage(writing, (state) => {
      if (state.effective !== undefined) results[device] = state.effective.name;
      change = planAll(device, state, requests, failures, this.#context.bedId);
      return change;
    });
    return transaction === undefined ? undefined : { device, fabric, transaction, change };
  }

  async #commitAll(prepared: readonly Prepared[], call: DeviceCall): Promise<void> {
    const careful = prepared.some(({ transaction, change }) =>
      takesAway(transaction.before, change),
    );
    const failures: { device: string; error: unknown }[] = [];
    const commit = async ({ device, transaction }: Prepared): Promise<void> => {
      try {
        await transaction.commit(call);
      } catch (error) {
        failures.push({ device, error });
      }
    };
    if (careful) {
      // Paths are taken away: the other fabric keeps its own until this one is done.
      for (const one of prepared) {
        if (failures.length === 0) await commit(one);
        else await abortAll([one]);
      }
    } else {
      await Promise.all(prepared.map(commit));
    }
    const [first] = failures;
    if (first === undefined) return;
    throw await this.#putBack(prepared, first.error);
  }

  /** Both or none: where it took effect it is taken back. Goes on although the call was cancelled. */
  async #putBack(prepared: readonly Prepared[], error: unknown): Promise<unknown> {
    const call: DeviceCall = { signal: AbortSignal.timeout(cleanUpMs) };
    const stuck: string[] = [];
    for (const { device, fabric, transaction, change } of prepared) {
      try {
        const reverse = reverseChange(transaction.before, change);
        const undo = await fabric.stage(call, () => reverse);
        await undo?.commit(call);
      } catch (problem) {
        stuck.push(`${device} (${problem instanceof Error ? problem.message : "unknown error"})`);
      }
    }
    if (stuck.length === 0) return error;
    const what = error instanceof Error ? error.message : "zoning failed";
    return new SanbedError(
      "zoning",
      `${what} The zones on ${stuck.join(" and ")} could not be put back: run up or destroy again.`,
      { cause: error },
    );
  }

  /** One fabric after the other, so that a host never loses all its paths at once. */
  async #remove(
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    call: DeviceCall,
  ): Promise<void> {
    const sides = requests.flatMap((request) => request.sides);
    const order = [...new Map(sides.map((side) => [side.device, side.fabric]))].sort((a, b) =>
      a[1].localeCompare(b[1]),
    );
    for (const [device] of order) {
      for (;;) {
        const accepted = requests.filter((request) => !failures.has(request));
        if (accepted.length === 0) return;
        const prepared = await this.#stage(device, accepted, failures, {}, call);
        if (accepted.every((request) => !failures.has(request))) {
          await prepared?.transaction.commit(call);
          break;
        }
        if (prepared !== undefined) await abortAll([prepared]);
      }
    }
  }
}

/** The change of all hosts on one fabric; empty when one of them is refused, which is noted. */
function planAll(
  device: string,
  state: ZoningState,
  requests: readonly ZoneRequest[],
  failures: Map<ZoneRequest, unknown>,
  bedId: BedId,
): ZoningChange {
  const changes: ZoningChange[] = [];
  let refused = false;
  for (const request of requests) {
    for (const side of request.sides.filter((candidate) => candidate.device === device)) {
      const plan =
        request.kind === "remove"
          ? planRemoval(state, side.earlier, bedId)
          : planHostZones(state, side.wanted, side.earlier, bedId);
      if (typeof plan !== "string") {
        changes.push(plan);
        continue;
      }
      refused = true;
      failures.set(request, foreignError(device, request, plan));
    }
  }
  return refused ? mergeChanges([]) : mergeChanges(changes);
}

function foreignError(device: string, request: ZoneRequest, reason: string): DeviceError {
  const removing = request.kind === "remove";
  return new DeviceError({
    kind: "refused",
    device,
    operation: removing ? "remove the zones of" : "zone",
    object: `host ${request.host}`,
    reason,
    remedy: removing
      ? "Take our alias out of that zone first."
      : "Choose another zone prefix, or remove that zone if nobody needs it.",
  });
}

function loginProblems(
  request: ZoneRequest,
  fabrics: readonly FabricLogins[],
): (readonly [ZoneSide, LoginProblem])[] {
  return request.sides.flatMap((side) => {
    const here = fabrics.find((fabric) => fabric.device === side.device);
    if (here === undefined || side.wanted.length === 0) return [];
    const planned = {
      initiators: side.wanted.map((zone) => zone.initiator),
      targets: [...new Set(side.wanted.flatMap((zone) => zone.targets))],
    };
    const others = fabrics.filter((fabric) => fabric !== here);
    return checkLogins(planned, here, others).map((problem) => [side, problem] as const);
  });
}

function loginError(
  request: ZoneRequest,
  problems: readonly (readonly [ZoneSide, LoginProblem])[],
): DeviceError {
  const [side] = problems[0] ?? [];
  return new DeviceError({
    kind: "refused",
    device: side?.device ?? "fabric",
    operation: "zone",
    object: `host ${request.host}`,
    reason: problems.map(([, problem]) => problem.reason).join("; "),
    remedy: [...new Set(problems.map(([, problem]) => problem.remedy))].join(" "),
  });
}

/** Also after Cancel: what is staged would block every other administrator. */
async function abortAll(prepared: readonly Prepared[]): Promise<void> {
  const call: DeviceCall = { signal: AbortSignal.timeout(cleanUpMs) };
  await Promise.allSettled(prepared.map(({ transaction }) => transaction.abort(call)));
}
