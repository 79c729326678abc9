import { setTimeout as sleep } from "node:timers/promises";
import type { EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import type { JsonObject } from "../world/state";
import { type Body, checkBody, parseJson } from "./body";
import {
  changed,
  page,
  type PageOptions,
  parseFlag,
  parseQuery,
  type Query,
  select,
  single,
} from "./collection";
import type { ArrayContext, Call, Endpoint, Operation } from "./context";
import {
  entryMissing,
  NotModelled,
  notSettable,
  OntapFault,
  required,
  unknownRoute,
  wrongVerb,
} from "./faults";
import type { Job } from "./jobs";
import { urlPart } from "./project";
import { type Rec, textAt } from "./record";
import { leavesBelow } from "./shape";
import { findRoute, type Route, verbsOf } from "./routes";

/** Answers an authenticated request to `/api`. */
export async function answer(ctx: ArrayContext, request: EmulatorRequest): Promise<EmulatorReply> {
  const hal = wantsLinks(request);
  try {
    if ("x-dot-svm-name" in request.headers || "x-dot-svm-uuid" in request.headers) {
      throw new NotModelled("tunnelling to an SVM by header");
    }
    const route = findRoute(request.path);
    if (route === undefined) return { ...refusal(unknownRoute(), hal), unknownRoute: true };
    const verbs = verbsOf(route);
    if (request.method === "OPTIONS") return { status: 200, headers: { allow: verbs.join(", ") } };
    if (!verbs.includes(request.method)) {
      return { ...refusal(wrongVerb(), hal), unknownRoute: true };
    }
    const exchange = new Exchange(ctx, request, route, hal);
    if (request.method === "GET" || request.method === "HEAD") return await exchange.read();
    return await exchange.write();
  } catch (error) {
    if (error instanceof OntapFault || error instanceof NotModelled) return refusal(error, hal);
    throw error;
  }
}

function wantsLinks(request: EmulatorRequest): boolean {
  const accept = request.headers["accept"] ?? "";
  // Anything but plain JSON gets the default, HAL ("ONTAP automation", request headers).
  return !accept.includes("application/json") || accept.includes("application/hal+json");
}

export function refusal(error: OntapFault | NotModelled, hal: boolean): EmulatorReply {
  return json(error.status, error.body(), hal);
}

function json(
  status: number,
  body: JsonObject,
  hal: boolean,
  more: Record<string, string> = {},
): EmulatorReply {
  return {
    status,
    headers: { "content-type": hal ? "application/hal+json" : "application/json", ...more },
    body: JSON.stringify(body),
  };
}

/** One request and what is needed to answer it. */
class Exchange {
  readonly #endpoint: Endpoint;
  readonly #query: Query;

  constructor(
    private readonly ctx: ArrayContext,
    private readonly request: EmulatorRequest,
    private readonly route: Route,
    private readonly hal: boolean,
  ) {
    this.#endpoint = route.endpoint;
    this.#query = parseQuery(
      route.endpoint.shape,
      ctx.release,
      request.query,
      route.endpoint.flags?.[request.method] ?? [],
    );
  }

  async read(): Promise<EmulatorReply> {
    // Counters cost a look at the hosts' disks: only for those who ask.
    if (/statistics|\*\*/.test(this.request.query.toString())) await this.ctx.world.io.refresh();
    const { shape } = this.#endpoint;
    const records = this.#all();
    if (this.#endpoint.singleton === true) {
      return json(200, single(shape, records[0] ?? {}, this.#query, this.#page()), this.hal);
    }
    if (this.route.keys !== undefined) {
      const record = this.#one(records, this.route.keys);
      return json(200, single(shape, record, this.#query, this.#page()), this.hal);
    }
    const found = select(shape, this.#shown(records), this.#query);
    return json(200, page(shape, found, this.#query, this.#page()), this.hal);
  }

  #shown(records: readonly Rec[]): readonly Rec[] {
    const hidden = this.#endpoint.hidden;
    const asked = this.#query.conditions.some((condition) => condition.path === hidden?.path);
    if (hidden === undefined || asked) return records;
    return records.filter((record) => textAt(record, hidden.path) !== hidden.value);
  }

  async write(): Promise<EmulatorReply> {
    const value = parseJson(this.request.body);
    if (this.request.method === "POST") return this.#run([this.#create(value)], 201);
    const targets = this.#targets();
    if (targets === undefined || targets.length === 0) {
      return json(200, { num_records: 0 }, this.hal);
    }
    const removes = this.request.method === "DELETE";
    const call = this.#call(removes ? value : {});
    const body = removes ? undefined : this.#body(value, "PATCH");
    const operations: Operation[] = [];
    try {
      for (const record of targets) {
        const operation =
          body === undefined
            ? this.#endpoint.remove?.(this.ctx, record, call)
            : this.#endpoint.update?.(this.ctx, record, body, call);
        if (operation !== undefined) operations.push(operation);
      }
    } catch (error) {
      for (const operation of operations) operation.release?.();
      throw error;
    }
    return this.#run(operations, 200);
  }

  #create(value: JsonObject): Operation {
    const operation = this.#endpoint.create?.(
      this.ctx,
      this.#body(value, "POST"),
      this.#call(value),
    );
    if (operation === undefined) throw wrongVerb();
    return operation;
  }

  #body(value: JsonObject, verb: "POST" | "PATCH"): Body {
    return checkBody(this.#endpoint.shape, this.ctx.release, verb, value);
  }

  /** Objects that a PATCH or DELETE is for: one by its keys, or those that fulfil the query. */
  #targets(): Rec[] | undefined {
    const records = this.#all();
    if (this.#endpoint.singleton === true) return records;
    if (this.route.keys !== undefined) return [this.#one(records, this.route.keys)];
    // A collection is never changed as a whole without a condition.
    if (this.#query.conditions.length === 0) throw required("query");
    return select(this.#endpoint.shape, records, this.#query);
  }

  #all(): Rec[] {
    return this.#endpoint.list(this.ctx, this.route.parents, this.route.keys);
  }

  #one(records: readonly Rec[], keys: readonly string[]): Rec {
    const { shape, sameKey } = this.#endpoint;
    const same = sameKey ?? ((_ctx, stored: string, given: string) => stored === given);
    const found = records.find((record) =>
      shape.keys.every((path, index) => same(this.ctx, textAt(record, path), keys[index] ?? "")),
    );
    if (found !== undefined) return found;
    throw this.#endpoint.missing?.(keys) ?? entryMissing(shape.keys[0]);
  }

  #call(body: JsonObject): Call {
    const flags = this.#endpoint.flags?.[this.request.method] ?? [];
    if (this.request.method === "DELETE") {
      // Some clients send the flags of a DELETE in its body, others (na_ontap_nvme_subsystem) say there
      // again what the object is: assumed to be passed over.
      const { shape } = this.#endpoint;
      const known = (name: string): boolean =>
        leavesBelow(shape, this.ctx.release, name).length > 0;
      const other = Object.keys(body).find((name) => !flags.includes(name) && !known(name));
      if (other !== undefined) throw notSettable(other);
    }
    const text = (name: string): string | undefined =>
      this.#query.flags.get(name) ??
      (flags.includes(name) && name in body ? textAt(body, name) : undefined);
    return {
      parents: this.route.parents,
      text,
      flag: (name) => parseFlag(name, text(name)) ?? false,
    };
  }

  async #run(operations: readonly Operation[], done: 200 | 201): Promise<EmulatorReply> {
    const commit = (): void => {
      for (const operation of operations) operation.commit();
    };
    const release = (): void => {
      for (const operation of operations) operation.release?.();
    };
    const spec = operations[0]?.job;
    if (spec === undefined) {
      try {
        commit();
      } finally {
        release();
      }
      return this.#success(operations, done, undefined);
    }
    const job = this.ctx.jobs.start({ ...spec, run: commit, release });
    await this.#wait(job);
    if (job.endedAtMs === undefined) return this.#accepted(operations, job);
    if (job.fault === undefined) return this.#success(operations, done, job);
    if (this.ctx.switches.failedInTime === "job") return this.#accepted(operations, job);
    return json(job.fault.status, { ...job.fault.body(), job: this.#link(job) }, this.hal);
  }

  /**
   * "If a non-zero value is specified for POST, PATCH, or DELETE operations, ONTAP waits that length
   * of time to see if the job completes so it can return something other than 202" (REST reference,
   * parameter return_timeout).
   */
  async #wait(job: Job): Promise<void> {
    const seconds =
      this.#query.returnTimeoutSeconds ?? this.ctx.switches.defaultReturnTimeoutSeconds;
    if (seconds === 0) return;
    const stop = new AbortController();
    const timer = sleep(seconds * 1000, undefined, { signal: stop.signal, ref: false }).catch(
      () => undefined,
    );
    await Promise.race([job.ended, timer]);
    stop.abort();
  }

  #accepted(operations: readonly Operation[], job: Job): EmulatorReply {
    return json(202, { job: this.#link(job) }, this.hal, this.#location(operations));
  }

  /**
   * Where the (first) new object is or will be; NetApp's client library takes the keys of what it
   * made from here, for 202 as for 201.
   */
  #location(operations: readonly Operation[]): Record<string, string> {
    const keys = operations[0]?.keys[0];
    if (this.request.method !== "POST" || keys === undefined) return {};
    const base = this.request.path.replace(/\/$/, "");
    return { location: [base, ...keys.map(urlPart)].join("/") };
  }

  #link(job: Job): JsonObject {
    const self = { self: { href: `/api/cluster/jobs/${job.uuid}` } };
    return { uuid: job.uuid, ...(this.hal ? { _links: self } : {}) };
  }

  #success(
    operations: readonly Operation[],
    status: 200 | 201,
    job: Job | undefined,
  ): EmulatorReply {
    const keys = operations.flatMap((operation) => operation.keys);
    const linked: JsonObject = job === undefined ? {} : { job: this.#link(job) };
    const body = this.#query.returnRecords === true ? { ...linked, ...this.#made(keys) } : linked;
    const location = status === 201 ? this.#location(operations) : {};
    const empty = status === 201 && Object.keys(body).length === 0;
    if (empty && this.ctx.switches.createdBody === "empty") return { status, headers: location };
    return json(status, body, this.hal, location);
  }

  /** Records of the objects that a request made. */
  #made(keys: readonly (readonly string[])[]): JsonObject {
    const { shape } = this.#endpoint;
    const records = this.#all().filter((record) =>
      keys.some((key) => shape.keys.every((path, i) => textAt(record, path) === key[i])),
    );
    return changed(shape, records, this.ctx.release, this.hal);
  }

  #page(): PageOptions {
    const search = this.request.query.toString();
    return {
      release: this.ctx.release,
      hal: this.hal,
      requestUrl: search === "" ? this.request.path : `${this.request.path}?${search}`,
      pageLimit: this.ctx.behaviour.pageLimit,
    };
  }
}
