import { OntapFault } from "./faults";
import { defined, type Rec } from "./record";

/** Classes of jobs that the array limits or that exclude each other. */
export type JobClass = "svm" | "aggregate" | "volume" | "other";

export interface JobSpec {
  /** `POST /api/storage/volumes/<uuid>`. */
  readonly description: string;
  readonly class: JobClass;
  readonly durationMs: number;
  readonly svm?: { readonly name: string; readonly uuid: string } | undefined;
  /** Takes effect; runs once, when the time is up. A fault makes the job fail. */
  readonly run: () => void;
  /** Called when the job has ended, either way. */
  readonly release?: () => void;
}

export interface Job {
  readonly uuid: string;
  /** Number by which ONTAPI knows it. */
  readonly number: number;
  readonly spec: JobSpec;
  readonly startedAtMs: number;
  state: "queued" | "running" | "success" | "failure";
  endedAtMs: number | undefined;
  fault: OntapFault | undefined;
  /** Settles when the job has ended, either way. */
  readonly ended: Promise<void>;
}

export interface JobOptions {
  readonly newUuid: () => string;
  readonly now: () => number;
  /** How long an ended job can be read ("deleted after a default time of 300 seconds"). */
  readonly keepMs: () => number;
  /** Factor on every duration. */
  readonly slowness: () => number;
  /** A failure to inject into the next job, if any. */
  readonly nextFailure: (spec: JobSpec) => OntapFault | undefined;
}

/** The array's asynchronous operations (REST reference, cluster/jobs). */
export class Jobs {
  readonly #jobs = new Map<string, Job>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #lastNumber = 0;

  constructor(private readonly options: JobOptions) {}

  start(spec: JobSpec): Job {
    let end: () => void = () => undefined;
    const job: Job = {
      uuid: this.options.newUuid(),
      number: ++this.#lastNumber,
      spec,
      startedAtMs: this.options.now(),
      state: "queued",
      endedAtMs: undefined,
      fault: undefined,
      ended: new Promise((resolve) => (end = resolve)),
    };
    this.#jobs.set(job.uuid, job);
    this.#after(0, () => {
      job.state = "running";
    });
    this.#after(spec.durationMs * this.options.slowness(), () => {
      this.#finish(job);
      end();
    });
    return job;
  }

  /** Undefined once the array has forgotten it. */
  find(uuid: string): Job | undefined {
    this.#forget();
    return this.#jobs.get(uuid);
  }

  list(): Job[] {
    this.#forget();
    return [...this.#jobs.values()];
  }

  /** Jobs of a class that have not ended. */
  active(jobClass: JobClass): number {
    return [...this.#jobs.values()].filter(
      (job) => job.spec.class === jobClass && job.endedAtMs === undefined,
    ).length;
  }

  /** Ends all timers; jobs that had not ended never take effect. */
  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#jobs.clear();
  }

  #finish(job: Job): void {
    job.fault = this.options.nextFailure(job.spec);
    if (job.fault === undefined) {
      try {
        job.spec.run();
      } catch (error) {
        if (!(error instanceof OntapFault)) throw error;
        job.fault = error;
      }
    }
    job.spec.release?.();
    job.state = job.fault === undefined ? "success" : "failure";
    job.endedAtMs = this.options.now();
  }

  #after(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }

  #forget(): void {
    const oldest = this.options.now() - this.options.keepMs();
    for (const job of this.#jobs.values()) {
      if (job.endedAtMs !== undefined && job.endedAtMs <= oldest) this.#jobs.delete(job.uuid);
    }
  }
}

/** A job as `GET /api/cluster/jobs/{uuid}` shows it; `error` exists from 9.9.1 on. */
export function jobRecord(job: Job): Rec {
  return defined({
    uuid: job.uuid,
    description: job.spec.description,
    state: job.state,
    message: job.fault?.message ?? job.state,
    code: job.fault === undefined ? 0 : Number(job.fault.code),
    start_time: timestamp(job.startedAtMs),
    end_time: job.endedAtMs === undefined ? undefined : timestamp(job.endedAtMs),
    svm: job.spec.svm === undefined ? undefined : { ...job.spec.svm },
    error: job.fault === undefined ? undefined : job.fault.body()["error"],
  });
}

/** RFC 3339 with zone, whole seconds, as ONTAP prints times. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+00:00`;
}
