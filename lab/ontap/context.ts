import { SanbedError } from "../../bed/errors";
import type { JsonObject, StorageArray } from "../world/state";
import type { DeepReadonly, World } from "../world/world";
import type { Body } from "./body";
import type { OntapFault } from "./faults";
import { newUuid, type Random } from "./identity";
import { Jobs, type JobSpec } from "./jobs";
import type { Rec } from "./record";
import type { Release, Switches } from "./release";
import type { Shape } from "./shape";

export type ArrayView = DeepReadonly<StorageArray>;

/** How the array behaves beyond what its objects say; set by tamper actions, back on reset. */
export interface Behaviour {
  /** Factor on the duration of jobs. */
  jobSlowness: number;
  /** How long an ended job can be read. */
  jobKeepMs: number;
  /** A LUN cannot be mapped for so long after its creation (read-after-write gap). */
  lunVisibleAfterMs: number;
  /** Largest page, whatever the client asks. */
  pageLimit: number | undefined;
  /** Jobs that fail with this number, and how many. */
  failJobs: { code: string; times: number; match: string } | undefined;
  /**
   * What the role of the administrator's account does not allow: `POST /api/storage/luns` (paths below
   * it too, `*` for any verb), or the name of an ONTAPI call.
   */
  denied: readonly string[];
  /** LUN creations that succeed but answer "partial success". */
  partialLuns: number;
}

export function plainBehaviour(): Behaviour {
  return {
    jobSlowness: 1,
    jobKeepMs: 300_000,
    lunVisibleAfterMs: 0,
    pageLimit: undefined,
    failJobs: undefined,
    denied: [],
    partialLuns: 0,
  };
}

/** Durations of asynchronous operations in milliseconds. */
export interface Timing {
  readonly svmMs: number;
  readonly volumeMs: number;
  readonly aggregateMs: number;
  readonly purgeMs: number;
}

export const defaultTiming: Timing = { svmMs: 800, volumeMs: 300, aggregateMs: 2000, purgeMs: 200 };

export interface ContextOptions {
  readonly world: World;
  readonly device: string;
  readonly release: Release;
  readonly switches: Switches;
  readonly timing: Timing;
  readonly now: () => number;
  readonly random: Random;
  readonly nextFailure: (spec: JobSpec) => OntapFault | undefined;
}

/** What the operations of one emulated cluster share. */
export class ArrayContext {
  readonly release: Release;
  switches: Switches;
  readonly timing: Timing;
  readonly jobs: Jobs;
  behaviour = plainBehaviour();
  /** Names of objects that a job is making at the moment. */
  readonly inCreation = new Set<string>();

  constructor(private readonly options: ContextOptions) {
    this.release = options.release;
    this.switches = options.switches;
    this.timing = options.timing;
    this.jobs = new Jobs({
      newUuid: () => this.newUuid(),
      now: options.now,
      keepMs: () => this.behaviour.jobKeepMs,
      slowness: () => this.behaviour.jobSlowness,
      nextFailure: options.nextFailure,
    });
  }

  get world(): World {
    return this.options.world;
  }

  get random(): Random {
    return this.options.random;
  }

  now(): number {
    return this.options.now();
  }

  get view(): ArrayView {
    const array = this.options.world.view.arrays[this.options.device];
    if (array === undefined) {
      throw new SanbedError("lab", `the world has no array "${this.options.device}"`);
    }
    return array;
  }

  change<T>(mutate: (array: StorageArray) => T): T {
    return this.options.world.change((state) => {
      const array = state.arrays[this.options.device];
      if (array === undefined) {
        throw new SanbedError("lab", `the world has no array "${this.options.device}"`);
      }
      return mutate(array);
    });
  }

  get device(): string {
    return this.options.device;
  }

  newUuid(): string {
    return newUuid(this.options.random);
  }

  /** Counts up a number of the cluster that is never given twice. */
  nextNumber(counter: string): number {
    return this.change((array) => {
      const next = Number(array.attributes[counter] ?? 0) + 1;
      array.attributes[counter] = next;
      return next;
    });
  }

  reset(): void {
    this.jobs.clear();
    this.inCreation.clear();
    this.behaviour = plainBehaviour();
    this.switches = this.options.switches;
  }
}

/** Parameters of one operation. */
export interface Call {
  /** Keys of the objects that the path names above this one. */
  readonly parents: readonly string[];
  /** Flags of the query string or, as some clients send them, of the body. */
  flag(name: string): boolean;
  /** Undefined when absent. */
  text(name: string): string | undefined;
}

/** An operation whose preconditions hold; `commit` lets it take effect. */
export interface Operation {
  /** Keys of the objects it makes or touches, as in their URLs. */
  readonly keys: readonly (readonly string[])[];
  /** @throws {OntapFault} when it turns out that it cannot be done. */
  readonly commit: () => void;
  /** Called at the end, whether it took effect or not. */
  readonly release?: () => void;
  /** Set when the array carries it out as a job. */
  readonly job?: Omit<JobSpec, "run">;
}

/** One collection of the API. */
export interface Endpoint {
  readonly shape: Shape;
  /**
   * All objects, complete; with `keys` those of one instance are enough.
   * @throws {OntapFault} when a parent does not exist.
   */
  readonly list: (
    ctx: ArrayContext,
    parents: readonly string[],
    keys: readonly string[] | undefined,
  ) => Rec[];
  /** What an instance URL without an object answers; 4 if absent. */
  readonly missing?: (keys: readonly string[]) => OntapFault;
  readonly create?: (ctx: ArrayContext, body: Body, call: Call) => Operation;
  readonly update?: (ctx: ArrayContext, record: Rec, body: Body, call: Call) => Operation;
  readonly remove?: (ctx: ArrayContext, record: Rec, call: Call) => Operation;
  /** Query parameters besides the general ones, by verb. */
  readonly flags?: Readonly<Partial<Record<string, readonly string[]>>>;
  /** False where PATCH and DELETE exist only on the instance. */
  readonly byQuery?: boolean;
  /** The collection's path is the object itself (`/api/cluster`). */
  readonly singleton?: boolean;
  /** Records that a collection shows only to those who ask for them by this property. */
  readonly hidden?: { readonly path: string; readonly value: string };
  /** A command: cannot be read. */
  readonly writeOnly?: boolean;
  /** Lets one key in a URL match in another spelling. */
  readonly sameKey?: (ctx: ArrayContext, stored: string, given: string) => boolean;
}

/** An attribute as text, or the default when absent or of another kind. */
export function attribute(
  attributes: DeepReadonly<JsonObject>,
  name: string,
  otherwise: string,
): string {
  const value = attributes[name];
  return typeof value === "string" ? value : otherwise;
}

/** A list of texts; empty when absent or of another kind. */
export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

export function attributeFlag(
  attributes: DeepReadonly<JsonObject>,
  name: string,
  otherwise: boolean,
): boolean {
  const value = attributes[name];
  return typeof value === "boolean" ? value : otherwise;
}
