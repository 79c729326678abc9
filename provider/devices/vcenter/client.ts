import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { Attempt } from "./faults";
import { faultError, isFault, readFault } from "./faults";
import { sharedWork } from "./shared-work";
import type { SoapTransport } from "./soap";
import type { MoRef, VimValue } from "./values";
import { encodeField, ref, refOf } from "./values";
import type { XmlElement } from "../xml";
import { parseXml } from "../xml";

/** The service's own objects, and what it is. */
export interface ServiceContent {
  readonly rootFolder: MoRef;
  readonly propertyCollector: MoRef;
  readonly viewManager: MoRef;
  readonly sessionManager: MoRef;
  readonly searchIndex: MoRef;
  readonly customizationSpecManager: MoRef | undefined;
  readonly eventManager: MoRef | undefined;
  readonly taskManager: MoRef | undefined;
  readonly apiType: string;
  readonly apiVersion: string;
  readonly fullName: string;
  /** Stays with this vCenter, whatever its address. */
  readonly instanceUuid: string;
}

export interface InvokeOptions {
  /** Whether the request may change something; by default told from the method's name. */
  readonly write?: boolean;
}

export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Highest API version that this client was written against; older servers are spoken to in theirs. */
const newestKnownVersion = "8.0.3.0";
const serviceInstance = ref("ServiceInstance", "ServiceInstance");
const readMethod =
  /^(Retrieve|Query|Find|Wait|Continue|CancelWait|Current|Check|Get|Fetch|Has|Estimate|Search)/;
const sessionMethods =
  /^(Login|Logout|CreateFilter|CreatePropertyCollector|DestroyProperty|CreateContainerView|DestroyView|CreateCollectorForEvents|DestroyCollector)/;

/**
 * A client of the vSphere Web Services API (vim25, SOAP): one session, made when it is first needed
 * and made again when the server has ended it.
 */
export class VimClient {
  readonly #transport: SoapTransport;
  readonly #login: (signal: AbortSignal) => Promise<Login>;
  #content: Promise<ServiceContent> | undefined;
  #session: Promise<void> | undefined;
  #loggedIn = 0;

  constructor(transport: SoapTransport, login: (signal: AbortSignal) => Promise<Login>) {
    this.#transport = transport;
    this.#login = login;
  }

  get device(): string {
    return this.#transport.device;
  }

  /** The service's objects. Needs no session. */
  async content(call: DeviceCall): Promise<ServiceContent> {
    return sharedWork(call, () => {
      this.#content ??= this.#readContent(call).catch((error: unknown) => {
        this.#content = undefined;
        throw error;
      });
      return this.#content;
    });
  }

  /**
   * Calls a method of a managed object. Arguments in the order of the schema.
   * @returns the `...Response` element.
   */
  async invoke(
    call: DeviceCall,
    attempt: Attempt,
    method: string,
    self: MoRef,
    args: Readonly<Record<string, VimValue>>,
    options: InvokeOptions = {},
  ): Promise<XmlElement> {
    const session = await this.#ensureSession(call);
    try {
      return await this.#exchange(call, attempt, method, self, args, options);
    } catch (error) {
      if (!isFault(error, "NotAuthenticated")) throw error;
      // The server ended the session (idle time, restart). One new login, one more try: a call
      // that is refused for want of a session has not been carried out.
      if (this.#loggedIn === session) this.#session = undefined;
      await this.#ensureSession(call);
      return this.#exchange(call, attempt, method, self, args, options);
    }
  }

  /** Gives back something on the server. Failing is of no consequence: the session's end does it too. */
  async invokeQuietly(method: string, self: MoRef): Promise<void> {
    const call = { signal: AbortSignal.timeout(5000) };
    try {
      await this.#exchange(call, { operation: method }, method, self, {}, {});
    } catch {
      // Nothing to do: see above.
    }
  }

  /** The answer broke the API's own rules. */
  protocolError(attempt: Attempt, reason: string): DeviceError {
    return new DeviceError({ kind: "protocol", device: this.device, ...attempt, reason });
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined && this.#content !== undefined) {
      const settled = await session.then(() => true).catch(() => false);
      const content = await this.#content.catch(() => undefined);
      if (settled && content !== undefined) {
        await this.invokeQuietly("Logout", content.sessionManager);
      }
    }
    await this.#transport.close();
  }

  /** Answers the number of the session in use, so that a stale one is dropped only once. */
  async #ensureSession(call: DeviceCall): Promise<number> {
    await sharedWork(call, () => {
      this.#session ??= this.#openSession(call).catch((error: unknown) => {
        this.#session = undefined;
        throw error;
      });
      return this.#session;
    });
    return this.#loggedIn;
  }

  async #openSession(call: DeviceCall): Promise<void> {
    const content = await this.content(call);
    const { user, password } = await this.#login(call.signal);
    const attempt = { operation: "log in as", object: user };
    this.#transport.forgetSession();
    await this.#exchange(call, attempt, "Login", content.sessionManager, {
      userName: user,
      password,
    });
    this.#loggedIn += 1;
  }

  async #readContent(call: DeviceCall): Promise<ServiceContent> {
    const attempt = { operation: "read the service content" };
    const answer = await this.#exchange(
      call,
      attempt,
      "RetrieveServiceContent",
      serviceInstance,
      {},
    );
    const value = answer.find("returnval");
    const need = (name: string): MoRef => {
      const found = refOf(value?.find(name));
      if (found === undefined) throw this.protocolError(attempt, `the answer has no ${name}`);
      return found;
    };
    const apiVersion = value?.string("about.apiVersion") ?? "6.7";
    this.#transport.version = olderOf(apiVersion, newestKnownVersion);
    return {
      rootFolder: need("rootFolder"),
      propertyCollector: need("propertyCollector"),
      viewManager: need("viewManager"),
      sessionManager: need("sessionManager"),
      searchIndex: need("searchIndex"),
      customizationSpecManager: refOf(value?.find("customizationSpecManager")),
      eventManager: refOf(value?.find("eventManager")),
      taskManager: refOf(value?.find("taskManager")),
      apiType: value?.string("about.apiType") ?? "",
      apiVersion,
      fullName: value?.string("about.fullName") ?? "",
      instanceUuid: value?.string("about.instanceUuid") ?? "",
    };
  }

  async #exchange(
    call: DeviceCall,
    attempt: Attempt,
    method: string,
    self: MoRef,
    args: Readonly<Record<string, VimValue>>,
    options: InvokeOptions = {},
  ): Promise<XmlElement> {
    const fields = Object.entries(args).map(([name, value]) => encodeField(name, value));
    const body = `<${method} xmlns="urn:vim25">${encodeField("_this", self)}${fields.join("")}</${method}>`;
    const write = options.write ?? !(readMethod.test(method) || sessionMethods.test(method));
    const text = await this.#transport.post(call, { attempt, method, body, write });
    return this.#readAnswer(attempt, method, text);
  }

  #readAnswer(attempt: Attempt, method: string, text: string): XmlElement {
    let answer: XmlElement | undefined;
    try {
      answer = parseXml(text).find("Body")?.elements[0];
    } catch (error) {
      throw new DeviceError({
        kind: "protocol",
        device: this.device,
        ...attempt,
        reason: `${method} was answered with something that is no SOAP message`,
        remedy: "Check that the endpoint is a vCenter and not a proxy.",
        cause: error,
      });
    }
    if (answer === undefined)
      throw this.protocolError(attempt, `${method} was answered without a body`);
    if (answer.name !== "Fault") return answer;
    const detail = answer.find("detail")?.elements[0];
    throw faultError(this.device, attempt, readFault(answer.string("faultstring"), detail));
  }
}

function olderOf(a: string, b: string): string {
  const parts = (text: string): number[] => text.split(".").map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0 ? a : b;
  }
  return a;
}
