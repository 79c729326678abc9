import type { z } from "zod";
import { DeviceError, isDeviceError } from "../../../../bed/errors";
import { readAnswer } from "../../answer-form";
import type { DeviceCall } from "../../call";
import type { HttpAnswer } from "../../http-session";
import type { OntapLine } from "../line";
import { meaningOfCode } from "./rest-codes";
import { innerFault, ontapCode, ontapError, parseJson, readFault } from "./rest-errors";
import { clusterShape, jobReferenceShape, jobShape, pageShape, type WireCluster } from "./wire";

export interface RestRequest {
  /** Below `/api`, encoded: `/storage/volumes`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly operation: string;
  readonly object?: string | undefined;
}

export interface RestWrite extends RestRequest {
  readonly method: "POST" | "PATCH" | "DELETE";
  readonly body?: unknown;
  /**
   * The call is a job on every release: how long to follow it. Others may become one on newer releases
   * and are followed too.
   */
  readonly jobMs?: number;
}

/**
 * REST requests to one cluster: pages followed, jobs followed to their end, refusals turned into
 * {@link DeviceError} by the table of codes. Reads are repeated when no answer comes; writes are not.
 */
export class RestClient {
  readonly device: string;
  readonly #line: OntapLine;

  constructor(line: OntapLine) {
    this.device = line.device;
    this.#line = line;
  }

  /** Name and release of the cluster. */
  async probe(call: DeviceCall): Promise<WireCluster> {
    const request = { path: "/cluster", operation: "read the cluster's release" };
    const path = `/api${request.path}?fields=name,uuid,version`;
    return this.#parse(clusterShape, await this.#read(call, path, request), request);
  }

  /** All records of a collection, over all pages. */
  async list<T>(call: DeviceCall, shape: z.ZodType<T>, request: RestRequest): Promise<T[]> {
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

  /** As {@link list}; a release that has no such collection has none of its objects. */
  async listIfAny<T>(call: DeviceCall, shape: z.ZodType<T>, request: RestRequest): Promise<T[]> {
    try {
      return await this.list(call, shape, request);
    } catch (error) {
      if (isDeviceError(error, "unsupported")) return [];
      throw error;
    }
  }

  /** A write, carried through to the end of its job. */
  async write(call: DeviceCall, request: RestWrite): Promise<void> {
    const query = { ...request.query, ...(request.jobMs ? { return_timeout: "15" } : {}) };
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const path = `/api${request.path}${queryText(query)}`;
    const send = async (): Promise<void> => {
      const answer = await this.#exchange(call, { ...request, path, body });
      // Any other success: the work, or its job, ended well while the array held the answer back.
      if (answer.status === 202) await this.#followJob(call, request, answer.text);
    };
    await this.#line.write(
      call,
      request.operation,
      send,
      (error) => meaningOfCode(ontapCode(error))?.retry,
    );
  }

  async sleep(call: DeviceCall, ms: number): Promise<void> {
    await this.#line.sleep(call, ms);
  }

  async #read(call: DeviceCall, path: string, request: RestRequest): Promise<unknown> {
    // Field by field: a write that reads its job brings a body, and a GET has none.
    const { operation, object } = request;
    return await this.#line.read(call, operation, async () => {
      const answer = await this.#exchange(call, { method: "GET", path, operation, object });
      return parseJson(answer.text);
    });
  }

  async #exchange(
    call: DeviceCall,
    request: RestRequest & {
      readonly method: RestWrite["method"] | "GET";
      readonly body?: string | undefined;
    },
  ): Promise<HttpAnswer> {
    const { method, path, body, operation, object } = request;
    const answer = await this.#line.send(
      call,
      { method, path, body, operation, object },
      {
        accept: "application/json",
        "x-dot-client-app": "sanbed",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
    );
    const fault = readFault(answer.text);
    if (answer.status < 300 && fault === undefined) return answer;
    throw ontapError(this.#place(request), fault, answer.status);
  }

  async #followJob(call: DeviceCall, request: RestWrite, text: string): Promise<void> {
    const reference = jobReferenceShape.safeParse(parseJson(text));
    if (!reference.success) return;
    const { uuid } = reference.data.job;
    const until = this.#line.clock.now() + (request.jobMs ?? 300_000);
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
      if (this.#line.clock.now() >= until) {
        throw new DeviceError({
          ...this.#place(request),
          kind: "timeout",
          reason: `job ${uuid} is still ${job.state} after ${((request.jobMs ?? 300_000) / 1000).toString()} s`,
        });
      }
      call.status?.(`${this.device}: ${request.operation} ${request.object ?? ""}: ${job.state}`);
      await this.#line.sleep(call, pauseMs);
      pauseMs = Math.min(pauseMs * 1.5, 5000);
    }
  }

  async #job(
    call: DeviceCall,
    uuid: string,
    request: RestWrite,
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

  #place(request: RestRequest): { device: string; operation: string; object: string | undefined } {
    return { device: this.device, operation: request.operation, object: request.object };
  }

  #parse<T>(shape: z.ZodType<T>, value: unknown, request: RestRequest): T {
    const { device } = this;
    return readAnswer(shape, value, { device, operation: request.operation, asked: request.path });
  }
}

function queryText(query: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(query ?? {});
  if (entries.length === 0) return "";
  return `?${entries.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join("&")}`;
}
