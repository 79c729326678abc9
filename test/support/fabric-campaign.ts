import type { BedContext } from "../../provider/resources/context";
import { testBedId } from "./device-rig";
import type { FabricFamily } from "./fabric-families";
import { openTestBed, testCall, type TestCall } from "./handler-rig";
import type { TestLab } from "./lab";

const devices = ["fabricA", "fabricB"] as const;
export type CampaignDevice = (typeof devices)[number];
type State = Record<string, unknown>;

/** One step of a stack's life; `state` is undefined where the stack has no record. */
export interface CampaignWork {
  readonly name: string;
  run(call: TestCall, state: State | undefined): Promise<State | undefined>;
}

interface CampaignPlace {
  readonly lab: TestLab;
  readonly family: FabricFamily;
  readonly device: CampaignDevice;
}

/** How a call goes wrong. */
export interface Situation {
  readonly name: string;
  /** Lets `skip` calls to the switch pass; answers what makes it right again. */
  readonly fault: (at: CampaignPlace, skip: number) => Promise<() => Promise<void>>;
  /** Another administrator comes in between, right after that call. */
  readonly takeOver?: true;
  /** The process is dead from then on, and the engine with it: nothing more is recorded. */
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
async function look(lab: TestLab): Promise<Fabrics> {
  const { world } = (await lab.client.inventory()) as {
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

  constructor(
    readonly family: FabricFamily,
    readonly lab: TestLab,
    readonly situation: Situation,
    readonly isOurs: (zone: string) => boolean,
  ) {}

  /** `before` leads to the start of `work`, `after` from its end back to a clean fabric. */
  async over(
    work: CampaignWork,
    before: readonly CampaignWork[],
    after: readonly CampaignWork[],
  ): Promise<void> {
    const clean = await look(this.lab);
    const counts = await this.#rehearse(work, before, after);
    for (const device of devices) {
      for (let skip = 0; skip < counts[device]; skip++) {
        const place = `${work.name}, call ${(skip + 1).toString()} to ${device}`;
        const started = await this.#all(before, undefined);
        const start = await look(this.lab);
        const recorded = await this.#once(work, started, device, skip);
        const faulty = await look(this.lab);
        // The next run of the same program, by the next process.
        const state = await this.#all([work], recorded);
        const end = await look(this.lab);
        for (const one of devices) {
          this.#expectForeign(faulty[one], clean[one], `${place}: ${one}, right after`);
          this.#expectForeign(end[one], clean[one], `${place}: ${one}, after the next run`);
        }
        this.#expectWhole(faulty, start, end, place);
        await this.#all(after, state);
        const left = await look(this.lab);
        for (const one of devices)
          expectSame(left[one], clean[one], `${place}: ${one}, at the end`);
      }
    }
  }

  /** How many calls each switch gets when nothing goes wrong. */
  async #rehearse(
    work: CampaignWork,
    before: readonly CampaignWork[],
    after: readonly CampaignWork[],
  ): Promise<Record<CampaignDevice, number>> {
    const started = await this.#all(before, undefined);
    const counts = { fabricA: 0, fabricB: 0 };
    const state = await this.#inProcess(
      (context) => work.run(testCall(context), started),
      (device) => counts[device]++,
    );
    await this.#all(after, state);
    return counts;
  }

  /** Runs it with the fault in its way; answers what the stack has recorded of it then. */
  async #once(
    work: CampaignWork,
    started: State | undefined,
    device: CampaignDevice,
    skip: number,
  ): Promise<State | undefined> {
    const { family, lab, situation } = this;
    const mend = await situation.fault({ lab, family, device }, skip);
    let sent = 0;
    const takenOver = new Set<CampaignDevice>();
    const afterCall = (to: CampaignDevice): void => {
      if (to !== device || sent++ !== skip || situation.takeOver === undefined) return;
      if (family.takeOver(lab, device)) takenOver.add(device);
    };
    let recorded = started;
    const open = this.#opener(afterCall);
    const bed = openTestBed(lab, open);
    const call = testCall(bed.context);
    try {
      recorded = await work.run(call, started);
    } catch {
      if (situation.dies === undefined) recorded = call.begun.at(-1)?.state ?? started;
    }
    this.hits++;
    await bed.close();
    await mend();
    // His transaction was waited for, and is still his.
    for (const one of takenOver) await family.finish(lab, one);
    return recorded;
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
    const bed = openTestBed(this.lab, this.#opener(sent));
    try {
      return await run(bed.context);
    } finally {
      await bed.close();
    }
  }

  #opener(sent: (device: CampaignDevice) => void) {
    const mortal = this.situation.dies === true;
    return (lab: TestLab, device: string) =>
      this.family.open(lab, device, {
        mortal,
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
