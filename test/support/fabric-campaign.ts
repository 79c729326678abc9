import type { FaultRule } from "../../lab/emulator/faults";
import type { Lab } from "../../lab/lab";
import type { WorldState } from "../../lab/world/state";
import type { BedContext } from "../../provider/resources/context";
import { testBedId } from "./device-rig";
import type { FabricFamily } from "./fabric-families";
import { openTestBed, testCall, type TestCall } from "./handler-rig";
import type { TestLab } from "./lab";

const devices = ["fabricA", "fabricB"] as const;
type CampaignDevice = (typeof devices)[number];
type State = Record<string, unknown>;

/** One step of a stack's life; `state` is undefined where the stack has no record. */
export interface CampaignWork {
  readonly name: string;
  run(call: TestCall, state: State | undefined): Promise<State | undefined>;
}

/** How a call goes wrong. */
export interface Situation {
  readonly name: string;
  /** What the lab makes of that call; undefined: it is answered as always. */
  readonly effect?: FaultRule["effect"];
  /** Another administrator comes in between, right after that call. */
  readonly takeOver?: true;
  /**
   * The process is dead from then on: nothing of it reaches any device any more. The engine is with it:
   * nothing more is recorded.
   */
  readonly dies?: true;
}

interface Zoning {
  readonly defined: {
    readonly aliases: Record<string, unknown>;
    readonly zones: Record<string, unknown>;
    readonly configs: Record<string, readonly string[]>;
  };
  readonly effective: { readonly zones: Record<string, unknown> } | undefined;
}
type Fabrics = Record<CampaignDevice, Zoning>;

/** What the fabrics really have, by the lab, not by the driver. */
async function look(lab: Lab): Promise<Fabrics> {
  const { world } = (await lab.inventory()) as {
    world: { fabrics: Record<"A" | "B", { zoning: Zoning }> };
  };
  return { fabricA: world.fabrics.A.zoning, fabricB: world.fabrics.B.zoning };
}

/**
 * Goes through a step of a stack once for every call that it makes, each time with a fault at that call,
 * and holds every fabric to: as it was or as it should be, nothing of others changed, and the next run
 * gets to its end. Zones of the bed are those whose names `isOurs` knows.
 */
export class Campaign {
  /** Calls that were hit. */
  hits = 0;
  readonly #running: Lab;

  constructor(
    readonly family: FabricFamily,
    readonly lab: TestLab,
    readonly situation: Situation,
    readonly isOurs: (zone: string) => boolean,
  ) {
    if (lab.lab === undefined) throw new Error("the campaign needs a lab in its own process");
    this.#running = lab.lab;
  }

  /** `before` leads to the start of `work`, `after` from its end back to a clean fabric. */
  async over(
    work: CampaignWork,
    before: readonly CampaignWork[],
    after: readonly CampaignWork[],
  ): Promise<void> {
    const clean = await look(this.#running);
    const wanted = await this.#rehearse(work, before);
    for (const device of devices) {
      for (let skip = 0; skip < wanted.calls[device]; skip++) {
        const place = `${work.name}, call ${(skip + 1).toString()} to ${device}`;
        this.#turnBack(wanted.world);
        const recorded = await this.#once(work, wanted.started, device, skip);
        const faulty = await look(this.#running);
        // The next run of the same program, by the next process.
        const state = await this.#all([work], recorded);
        const end = await look(this.#running);
        for (const one of devices) {
          this.#expectForeign(faulty[one], clean[one], `${place}: ${one}, right after`);
          expectSame(end[one], wanted.end[one], `${place}: ${one}, after the next run`);
        }
        expectSame(state, wanted.state, `${place}: what the stack has recorded in the end`);
        this.#expectWhole(faulty, wanted.start, end, place);
      }
    }
    await this.#all(after, wanted.state);
    expectSame(await look(this.#running), clean, `${work.name}: everything is taken back`);
  }

  /**
   * What there is before and after when nothing goes wrong, and how many calls each switch gets on the way.
   * What comes after a fault is held to it, and each fault begins with this very start.
   */
  async #rehearse(work: CampaignWork, before: readonly CampaignWork[]) {
    const started = await this.#all(before, undefined);
    const world = structuredClone(this.#running.world.view.fabrics) as WorldState["fabrics"];
    const start = await look(this.#running);
    const calls = { fabricA: 0, fabricB: 0 };
    const state = await this.#inProcess(
      (context) => work.run(testCall(context), started),
      (device) => calls[device]++,
    );
    return { started, world, start, calls, state, end: await look(this.#running) };
  }

  /** The switches keep their sessions: what one still holds would be in the way of the next process. */
  #turnBack(fabrics: WorldState["fabrics"]): void {
    this.#running.world.change((state) => {
      for (const [name, { zoning, attributes }] of Object.entries(structuredClone(fabrics))) {
        const fabric = state.fabrics[name];
        if (fabric === undefined) continue;
        fabric.zoning = zoning;
        if (attributes !== undefined) fabric.attributes = attributes;
      }
    });
  }

  /** Runs it with the fault in its way; answers what the stack has recorded of it then. */
  async #once(
    work: CampaignWork,
    started: State | undefined,
    device: CampaignDevice,
    skip: number,
  ): Promise<State | undefined> {
    const { family, lab, situation } = this;
    const mend = this.#fault(device, situation.effect, skip);
    let sent = 0;
    const takenOver = new Set<CampaignDevice>();
    const afterCall = (to: CampaignDevice): void => {
      if (to !== device || sent++ !== skip) return;
      if (situation.dies === true) mend.push(...this.#fault("*", { dropBefore: true }));
      if (situation.takeOver && family.takeOver(lab, device)) takenOver.add(device);
    };
    let recorded = started;
    const open = this.#opener(afterCall);
    const bed = openTestBed(lab, open, 0);
    const call = testCall(bed.context);
    try {
      recorded = await work.run(call, started);
    } catch {
      if (situation.dies === undefined) recorded = call.begun.at(-1)?.state ?? started;
    }
    this.hits++;
    await bed.close();
    for (const id of mend) this.#running.faults.remove(id);
    if (situation.dies === true) await family.killed(lab);
    // His transaction was waited for, and is still his.
    for (const one of takenOver) await family.finish(lab, one);
    return recorded;
  }

  /** One call to a device, or with `*` every further one; answers the rules' ids. */
  #fault(device: string, effect: Situation["effect"], skip?: number): string[] {
    if (effect === undefined) return [];
    const times = skip === undefined ? undefined : 1;
    return [
      this.#running.faults.add({ device, match: {}, skip: skip ?? 0, times, effect, seed: 1 }),
    ];
  }

  async #all(works: readonly CampaignWork[], state: State | undefined): Promise<State | undefined> {
    let current = state;
    for (const work of works) {
      current = await this.#inProcess((context) => work.run(testCall(context), current));
    }
    return current;
  }

  /** A process of its own, as far as the switches can tell. */
  async #inProcess<T>(
    run: (context: BedContext) => Promise<T>,
    sent: (device: CampaignDevice) => void = () => undefined,
  ): Promise<T> {
    const bed = openTestBed(this.lab, this.#opener(sent), 0);
    try {
      return await run(bed.context);
    } finally {
      await bed.close();
    }
  }

  #opener(sent: (device: CampaignDevice) => void) {
    const { dies, takeOver } = this.situation;
    return (lab: TestLab, device: string) =>
      this.family.open(lab, device, {
        mortal: dies === true,
        crowded: takeOver === true,
        sent: (to) => {
          if (to === "fabricA" || to === "fabricB") sent(to);
        },
      });
  }

  /** Each fabric is as it was or as it should be; while the process lives, all of them alike. */
  #expectWhole(seen: Fabrics, start: Fabrics, end: Fabrics, place: string): void {
    const isAs = (device: CampaignDevice, other: Fabrics): boolean =>
      same(this.#asOne(seen[device]), this.#asOne(other[device]));
    const was = devices.map((device) => isAs(device, start));
    const is = devices.map((device) => isAs(device, end));
    const whole = devices.every((_, index) => was[index] === true || is[index] === true);
    if (!whole) throw new Error(`${place}: a fabric is neither as it was nor as it should be`);
    const alike = !was.includes(false) || !is.includes(false);
    if (alike || this.situation.dies === true) return;
    throw new Error(`${place}: one fabric is as it was, the other as it should be`);
  }

  /** What is changed as one whole. */
  #asOne(zoning: Zoning): Zoning {
    if (this.situation.dies === undefined || this.family.aliasesApart === undefined) return zoning;
    return { ...zoning, defined: { ...zoning.defined, aliases: {} } };
  }

  #expectForeign(seen: Zoning, wanted: Zoning, place: string): void {
    expectSame(this.#foreign(seen), this.#foreign(wanted), place);
  }

  /** Everything that is not the bed's. */
  #foreign({ defined, effective, ...rest }: Zoning): unknown {
    const isOurs = (name: string): boolean => name.includes(testBedId) || this.isOurs(name);
    const others = (objects: Record<string, unknown>): unknown[] =>
      Object.entries(objects).filter(([name]) => !isOurs(name));
    return {
      ...rest,
      aliases: others(defined.aliases),
      zones: others(defined.zones),
      configs: Object.entries(defined.configs).map(([name, members]) => [
        name,
        members.filter((member) => !isOurs(member)),
      ]),
      effective: effective === undefined ? null : { ...effective, zones: others(effective.zones) },
    };
  }
}

const same = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left) === JSON.stringify(right);

function expectSame(seen: unknown, wanted: unknown, place: string): void {
  if (same(seen, wanted)) return;
  throw new Error(`${place}: ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`);
}
