import type { z } from "zod";
import { DeviceError, isDeviceError, type DeviceErrorKind } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { OntapLine } from "../ontap/line";
import type { OntapVersion } from "../ontap/ontap-versions";
import type { XmlElement } from "../xml";
import { meaningOfErrno } from "./ontapi-codes";
import {
  ontapiMessage,
  readOntapiAnswer,
  type OntapiFault,
  type OntapiTree,
} from "./ontapi-message";
import { identityShape, versionShape } from "./ontapi-wire";

export interface OntapiRequest {
  /** Name of the call, `lun-map`. */
  readonly api: string;
  /** SVM that it is handed on to; left out for calls of the cluster. */
  readonly vserver?: string | undefined;
  readonly input?: OntapiTree;
  readonly operation: string;
  readonly object?: string | undefined;
}

/** `input` is what the iterator takes besides the general part. */
export interface OntapiList extends OntapiRequest {
  /** Element of one object, `lun-info`. */
  readonly element: string;
  readonly query?: OntapiTree | undefined;
  /** Leaves to bring; all when left out. */
  readonly desired?: OntapiTree;
}

export interface OntapiCluster {
  readonly name: string;
  readonly uuid: string;
  readonly version: OntapVersion;
  readonly full: string;
}

const path = "/servlets/netapp.servlets.admin.XMLrequest_filer";
/** Objects per answer; the default is 20. */
const pageSize = "500";

/** Used where there is no answer of ONTAPI in the body. */
const kindOfStatus: Readonly<Record<number, DeviceErrorKind>> = {
  401: "unauthorized",
  403: "unauthorized",
  404: "unsupported",
  502: "unreachable",
  503: "unreachable",
  504: "unreachable",
};

/**
 * ONTAPI (ZAPI) calls to one cluster: XML over HTTPS, calls of an SVM handed on by the cluster
 * (`vfiler`), iterators followed by their tag, failures turned into {@link DeviceError} by the table of
 * numbers. Failures come with HTTP 200.
 */
export class OntapiClient {
  readonly device: string;
  readonly #line: OntapLine;

  constructor(line: OntapLine) {
    this.device = line.device;
    this.#line = line;
  }

  /** Release, then name: one after the other, so that a wrong password is refused once. */
  async probe(call: DeviceCall): Promise<OntapiCluster> {
    const operation = "read the cluster's release";
    const told = await this.read(call, { api: "system-get-version", operation });
    const { version, tuple } = this.parse(versionShape, told, operation);
    const answer = await this.read(call, { api: "cluster-identity-get", operation });
    const identity = this.parse(identityShape, answer, operation);
    return { ...identity, version: tuple, full: version };
  }

  /** One answer: the `results` element. */
  async read(call: DeviceCall, request: OntapiRequest): Promise<XmlElement> {
    return await this.#line.read(call, request.operation, () =>
      this.#exchange(call, request, true),
    );
  }

  async write(call: DeviceCall, request: OntapiRequest): Promise<void> {
    await this.#line.write(
      call,
      request.operation,
      () => this.#exchange(call, request, false),
      (error) => retryOf(error),
    );
  }

  /**
   * A write to all objects that a query finds. Its answer says "passed" whatever became of them: the
   * first failure is in a list, and a query that finds nothing changes nothing.
   */
  async modify(call: DeviceCall, request: OntapiRequest): Promise<void> {
    await this.#line.write(
      call,
      request.operation,
      async () => {
        const results = await this.#exchange(call, request, false);
        const [failed] = results.find("failure-list")?.all(`${request.api}-info`) ?? [];
        if (failed !== undefined) {
          const errno = failed.string("error-code");
          const reason = failed.string("error-message") ?? "no reason given";
          throw this.#error(request, { errno, reason }, 200);
        }
        const count = (name: string): number => Number(results.string(name) ?? "0");
        if (count("num-failed") > 0 || count("num-succeeded") === 0) {
          throw this.#noForm(request, "it neither changed an object nor says why not");
        }
      },
      (error) => retryOf(error),
    );
  }

  /** A write for which one kind of refusal says that all is as wanted. */
  async writeUnless(
    call: DeviceCall,
    fine: "alreadyExists" | "notFound",
    request: OntapiRequest,
  ): Promise<void> {
    try {
      await this.write(call, request);
    } catch (error) {
      if (!isDeviceError(error, fine)) throw error;
    }
  }

  /** All objects of an iterator, over all its answers. */
  async list<T>(call: DeviceCall, shape: z.ZodType<T>, wanted: OntapiList): Promise<T[]> {
    const { element, query, desired, input, ...request } = wanted;
    const objects: T[] = [];
    let tag: string | undefined;
    do {
      const results = await this.read(call, {
        ...request,
        input: {
          ...input,
          "max-records": pageSize,
          tag,
          query: query === undefined ? undefined : { [element]: query },
          "desired-attributes": desired === undefined ? undefined : { [element]: desired },
        },
      });
      // An empty answer says so; one without a count is no answer of an iterator.
      if (results.string("num-records") === undefined) {
        throw this.#noForm(request, "it does not say how many objects it holds");
      }
      for (const one of results.find("attributes-list")?.all(element) ?? []) {
        objects.push(this.parse(shape, one, request.operation));
      }
      tag = results.string("next-tag");
    } while (tag !== undefined && tag !== "");
    return objects;
  }

  /** As {@link list}; a release that has no such call has none of its objects. */
  async listIfAny<T>(call: DeviceCall, shape: z.ZodType<T>, wanted: OntapiList): Promise<T[]> {
    try {
      return await this.list(call, shape, wanted);
    } catch (error) {
      if (isDeviceError(error, "unsupported")) return [];
      throw error;
    }
  }

  parse<T>(shape: z.ZodType<T>, element: XmlElement, operation: string): T {
    const parsed = shape.safeParse(element);
    if (parsed.success) return parsed.data;
    throw this.#noForm({ api: element.name, operation }, parsed.error.message);
  }

  async sleep(call: DeviceCall, ms: number): Promise<void> {
    await this.#line.sleep(call, ms);
  }

  async #exchange(
    call: DeviceCall,
    request: OntapiRequest,
    readOnly: boolean,
  ): Promise<XmlElement> {
    const { api, vserver, input = {}, operation, object } = request;
    const body = ontapiMessage(api, input, vserver);
    const answer = await this.#line.send(
      call,
      { method: "POST", path, body, operation, object, readOnly },
      { "content-type": 'text/xml; charset="UTF-8"', accept: "text/xml" },
    );
    const read = readOntapiAnswer(answer.text);
    if (answer.status === 200 && read?.fault === undefined && read !== undefined) {
      return read.results;
    }
    throw this.#error(request, read?.fault, answer.status);
  }

  #error(request: OntapiRequest, fault: OntapiFault | undefined, status: number): DeviceError {
    const place = { device: this.device, operation: request.operation, object: request.object };
    if (fault === undefined) {
      const kind = kindOfStatus[status] ?? "protocol";
      return new DeviceError({
        ...place,
        kind,
        reason:
          status === 401
            ? "user or password is wrong"
            : `the array answers HTTP ${status.toString()} without a reason`,
        vendorCode: `HTTP ${status.toString()}`,
        remedy:
          kind === "unauthorized"
            ? "Check user, password, and that the account has the ontapi application and a fitting role."
            : undefined,
      });
    }
    const meaning = meaningOfErrno(fault.errno, fault.reason);
    const said = `"${fault.reason}" (${request.api})`;
    const error = new DeviceError({
      ...place,
      kind: meaning?.kind ?? "protocol",
      reason: meaning === undefined ? `the array says ${said}` : `${meaning.meaning}: ${said}`,
      vendorCode: fault.errno === undefined ? undefined : `ONTAPI ${fault.errno}`,
      remedy: meaning?.remedy,
    });
    if (meaning?.retry !== undefined) retries.set(error, meaning.retry);
    return error;
  }

  #noForm(request: OntapiRequest, problem: string): DeviceError {
    return new DeviceError({
      kind: "protocol",
      device: this.device,
      operation: request.operation,
      object: request.object,
      reason: `the answer to ${request.api} is not of the documented form: ${problem}`,
    });
  }
}

const retries = new WeakMap<Error, NonNullable<ReturnType<typeof meaningOfErrno>>["retry"]>();

function retryOf(error: unknown): ReturnType<typeof retries.get> {
  return error instanceof Error ? retries.get(error) : undefined;
}
