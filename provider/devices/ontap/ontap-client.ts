import type { z } from "zod";
import { DeviceError, isDeviceError } from "../../../bed/errors";
import { readAnswer } from "../answer-form";
import type { DeviceCall } from "../call";
import type { Clock } from "../clock";
import type { Credentials } from "../credentials";
import { wasNeverSent, type HttpAnswer, type HttpSession } from "../http-session";
import { meaningOfCode } from "./ontap-codes";
import { innerFault, ontapCode, ontapError, parseJson, readFault } from "./ontap-errors";
import { supports, versionText, type OntapFeature, type OntapVersion } from "./ontap-versions";
import { clusterShape, jobReferenceShape, jobShape, pageShape } from "./wire";

export interface OntapRequest {
  /** Below `/api`, encoded: `/storage/volumes`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly operation: string;
  readonly object?: string | undefined;
}

export interface OntapWrite extends OntapRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly body?: unknown;
  /**
   * The call is a job on every release: how long to follow it. Others may become one on newer releases
   * and are followed too.
   */
  readonly jobMs?: number;
}

/**
 * Requests to one cluster: HTTP Basic on each, pages followed, jobs followed to their end, refusals
 * turned into {@link DeviceError} by the table of codes. Reads are repeated when no answer comes;
 * writes are not (see {@link OntapClient.settle}).
 */
export class OntapClient {
  readonly device: string;
  readonly #http: HttpSession;
  readonly #credentials: (signal: AbortSignal) => Promise<Credentials>;
  readonly #clock: Clock;
  /** Shortens every pause; tests only. */
  readonly #pace: number;
  #cluster: Promise<z.infer<typeof clusterShape>> | undefined;

  constructor(options: {
    readonly device: string;
    readonly http: HttpSession;
    readonly credentials: (signal: AbortSignal) => Promise<Credentials>;
    readonly clock: Clock;
    readonly pace: number;
  }) {
    this.device = options.device;
    this.#http = options.http;
    this.#credentials = options.credentials;
    this.#clock = options.clock;
    this.#pace = options.pace;
  }

  /**
   * Name and release. The first request of all, asked once: so a wrong password is refused once and not
   * once per parallel call, which may lock the account.
   */
  async cluster(call: DeviceCall): Promise<z.infer<typeof clusterShape>> {
    for (;;) {
      this.#cluster ??= this.#probe(call).catch((error: unknown) => {
        this.#cluster = undefined;
        throw error;
      });
      try {
        return await this.#cluster;
      } catch (error) {
        // The one who asked first gave up; we did not.
        if (!isDeviceError(error, "aborted") || call.signal.aborted) throw error;
      }
    }
  }

  async has(call: DeviceCall, feature: OntapFeature): Promise<boolean> {
    return supports((await this.cluster(call)).version, feature);
  }

  /** All records of a collection, over all pages. */
  async list<T>(call: DeviceCall, shape: z.ZodType<T>, request: OntapRequest): Promise<T[]> {
    await this.cluster(call);
    const records: T[] = [];
    let next: string | undefined = `/api${request.path}${queryText(request.query)}`;
    while (next !== undefined) {
      const page: z.infer<typeof pageShape> = this.#parse(
        pageShape,
        await this.#read(call, next, request),
        request,
      );
      for (const record of page.records) records.push(this.#parse(shape, record, request));
      next = page._links?.next?.href;
    }
    return records;
  }

  /** A write, carried through to the end of its job. */
  async write(call: DeviceCall, request: OntapWrite): Promise<void> {
    await this.cluster(call);
    const query = { ...request.query, ...(request.jobMs ? { return_timeout: "15" } : {}) };
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const path = `/api${request.path}${queryText(query)}`;
    const startedAt = this.#clock.now();
    for (;;) {
      try {
        call.onWrite?.();
        const answer = await this.#exchange(call, { ...request, path, body });
        // Any other success: the work, or its job, ended well while the array held the answer back.
        if (answer.status === 202) await this.#followJob(call, request, answer.text);
        return;
      } catch (error) {
        const retry = meaningOfCode(ontapCode(error))?.retry;
        if (retry === undefined || this.#clock.now() - startedAt >= retry.forMs * this.#pace) {
          throw error;
        }
        call.status?.(`${this.device}: ${request.operation}: the array asks to wait`);
        await this.#clock.sleep(retry.pauseMs * this.#pace, call.signal);
      }
    }
  }

  /**
   * A write whose answer may be lost: looks before it is sent again, and takes "exists" or "absent" for
   * success when that is what was wanted.
   */
  async settle(
    call: DeviceCall,
    request: OntapWrite,
    isDone: () => Promise<boolean>,
  ): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await this.write(call, request);
        return;
      } catch (error) {
        if (call.signal.aborted || !isUnsettled(error)) throw error;
        if (!wasNeverSent(error as DeviceError) && (await isDone())) return;
        if (attempt >= repeatsOf(error)) throw error;
        await this.#clock.sleep(2000 * this.#pace, call.signal);
      }
    }
  }

  async sleep(call: DeviceCall, ms: number): Promise<void> {
    await this.#clock.sleep(ms * this.#pace, call.signal);
  }

  async close(): Promise<void> {
    await this.#http.close();
  }

  async #probe(call: DeviceCall): Promise<z.infer<typeof clusterShape>> {
    const request = { path: "/cluster", operation: "read the cluster's release" };
    const path = `/api${request.path}?fields=name,uuid,version`;
    const cluster = this.#parse(clusterShape, await this.#readCluster(call, path), request);
    const version: OntapVersion = cluster.version;
    if (supports(version, "homePort")) return cluster;
    throw new DeviceError({
      kind: "unsupported",
      device: this.device,
      operation: request.operation,
      reason: `ONTAP ${versionText(version)} is too old for this driver`,
      expected: "9.8 or later",
    });
  }

  /** Every cluster has itself: "not found" here says nothing about any object. */
  async #readCluster(call: DeviceCall, path: string): Promise<unknown> {
    const request = { path: "/cluster", operation: "read the cluster's release" };
    try {
      return await this.#read(call, path, request);
    } catch (error) {
      if (!isDeviceError(error, "notFound")) throw error;
      throw new DeviceError({
        ...this.#place(request),
        kind: "protocol",
        reason: "the endpoint does not answer as a cluster does",
        remedy: "Check the endpoint: it must be the cluster management interface.",
        cause: error,
      });
    }
  }

  async #read(call: DeviceCall, path: string, request: OntapRequest): Promise<unknown> {
    for (let attempt = 0; ; attempt++) {
      try {
        // Field by field: a write that reads its job brings a body, and a GET has none.
        const { operation, object } = request;
        const answer = await this.#exchange(call, { method: "GET", path, operation, object });
        return parseJson(answer.text);
      } catch (error) {
        // A full input queue of the array shows as refused or cut connections, for up to two minutes.
        const again = isDeviceError(error, "unreachable") && attempt < 7 && !call.signal.aborted;
        if (!again) throw error;
        const jitter = 0.75 + Math.random() / 2;
        const pauseMs = Math.min(500 * 2 ** attempt, 30_000) * jitter;
        await this.#clock.sleep(pauseMs * this.#pace, call.signal);
      }
    }
  }

  async #exchange(
    call: DeviceCall,
    request: OntapRequest & {
      readonly method: OntapWrite["method"] | "GET";
      readonly body?: string | undefined;
    },
  ): Promise<HttpAnswer> {
    const { user, password } = await this.#credentials(call.signal);
    const basic = Buffer.from(`${user}:${password.reveal()}`, "utf8").toString("base64");
    const answer = await this.#http.send({
      method: request.method,
      path: request.path,
      headers: {
        accept: "application/json",
        authorization: `Basic ${basic}`,
        "x-dot-client-app": "sanbed",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: request.body,
      operation: request.operation,
      object: request.object,
      signal: call.signal,
    });
    const fault = readFault(answer.text);
    if (answer.status < 300 && fault === undefined) return answer;
    throw ontapError(this.#place(request), fault, answer.status);
  }

  async #followJob(call: DeviceCall, request: OntapWrite, text: string): Promise<void> {
    const reference = jobReferenceShape.safeParse(parseJson(text));
    if (!reference.success) return;
    const { uuid } = reference.data.job;
    const until = this.#clock.now() + (request.jobMs ?? 300_000);
    let pauseMs = 1000;
    for (;;) {
      const job = await this.#job(call, uuid, request);
      if (job.state === "success") return;
      if (job.state === "failure") {
        const { code, message } = { code: job.code, message: job.message, ...job.error };
        throw ontapError(
          this.#place(request),
          innerFault({ code, message: message ?? "job failed" }),
        );
      }
      if (this.#clock.now() >= until) {
        throw new DeviceError({
          ...this.#place(request),
          kind: "timeout",
          reason: `job ${uuid} is still ${job.state} after ${((request.jobMs ?? 300_000) / 1000).toString()} s`,
        });
      }
      call.status?.(`${this.device}: ${request.operation} ${request.object ?? ""}: ${job.state}`);
      await this.#clock.sleep(pauseMs * this.#pace, call.signal);
      pauseMs = Math.min(pauseMs * 1.5, 5000);
    }
  }

  async #job(
    call: DeviceCall,
    uuid: string,
    request: OntapWrite,
  ): Promise<z.infer<typeof jobShape>> {
    const read = { ...request, path: `/cluster/jobs/${uuid}` };
    try {
      // Without a list of fields: `error` is not known to older releases, and comes with newer ones.
      return this.#parse(jobShape, await this.#read(call, `/api${read.path}`, read), read);
    } catch (error) {
      if (!isDeviceError(error, "notFound")) throw error;
      // Jobs are kept for five minutes: how it ended must be judged by the object.
      throw new DeviceError({
        ...this.#place(request),
        kind: "unreachable",
        reason: `the array has forgotten job ${uuid}`,
        cause: error,
      });
    }
  }

  #place(request: OntapRequest): { device: string; operation: string; object: string | undefined } {
    return { device: this.device, operation: request.operation, object: request.object };
  }

  #parse<T>(shape: z.ZodType<T>, value: unknown, request: OntapRequest): T {
    const { device } = this;
    return readAnswer(shape, value, { device, operation: request.operation, asked: request.path });
  }
}

/** The outcome is not known, or may be the wanted one already. */
function isUnsettled(error: unknown): boolean {
  return isDeviceError(error, "unreachable", "timeout", "alreadyExists", "notFound", "busy");
}

/** How often an unsettled write is worth sending again, two seconds apart. */
function repeatsOf(error: unknown): number {
  if (isDeviceError(error, "unreachable", "timeout")) return 3;
  // Being made or removed right now, by a request whose answer was lost or by somebody else.
  const waited = meaningOfCode(ontapCode(error))?.retry !== undefined;
  return isDeviceError(error, "busy") && !waited ? 60 : 0;
}

function queryText(query: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(query ?? {});
  if (entries.length === 0) return "";
  return `?${entries.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;
}
