import type { DeviceCall } from "../devices/call";
import { systemClock, type Clock } from "../devices/clock";
import type { Outcome } from "../kit/group-commit";
import type { BedContext } from "./context";
import { checkAllLogins } from "./fabric-login-gate";
import { lostPairs, pathLossError, pathUse } from "./fabric-path-loss";
import { planAll, type ZoneRequest } from "./fabric-zone-request";
import { ZoneUnit } from "./fabric-zone-unit";

/** Name of the effective configuration that the zones are in, by device. */
export type ZoneResult = Readonly<Record<string, string>>;

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
    await this.#attempt(ensured, failures, async () => {
      await checkAllLogins({ context: this.#context, clock: this.#clock }, ensured, failures, call);
      await this.#checkPaths(ensured, failures, call);
      await this.#carryOut(ensured, failures, results, call);
    });
    await this.#attempt(removed, failures, () => this.#carryOut(removed, failures, {}, call));
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

  /**
   * Refuses the updates that would take the last paths of a device away. Before anything is written: a
   * refused update must not look begun.
   */
  async #checkPaths(
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    call: DeviceCall,
  ): Promise<void> {
    const updates = requests.filter(
      (request) => !failures.has(request) && request.sides.some((side) => madeEarlier(side)),
    );
    for (const request of updates) {
      const lost = await this.#lostBy(request, call);
      const refusal = pathLossError(await pathUse(this.#context, call, [request.host], lost));
      if (refusal !== undefined) failures.set(request, refusal);
    }
  }

  async #lostBy(request: ZoneRequest, call: DeviceCall): Promise<ReadonlySet<string>> {
    const devices = [...new Set(request.sides.map((side) => side.device))];
    const lost = await Promise.all(
      devices.map(async (device) => {
        const state = await this.#context.fabric(device).zoning(call);
        const change = planAll(device, state, [request], new Map(), this.#context.bedId);
        return [...lostPairs(state, change)];
      }),
    );
    return new Set(lost.flat());
  }

  async #carryOut(
    requests: readonly ZoneRequest[],
    failures: Map<ZoneRequest, unknown>,
    results: Record<string, string>,
    call: DeviceCall,
  ): Promise<void> {
    for (;;) {
      const accepted = requests.filter((request) => !failures.has(request));
      if (accepted.length === 0) return;
      const unit = new ZoneUnit(this.#context, accepted);
      await unit.stage(call, failures, results);
      if (accepted.every((request) => !failures.has(request))) {
        await unit.commit(call);
        return;
      }
      // One host's refusal must not spoil the others: dropped, and staged anew without it.
      await unit.abort();
    }
  }
}

function madeEarlier({ earlier }: ZoneRequest["sides"][number]): boolean {
  return earlier.zones.length > 0 || earlier.aliases.length > 0;
}
