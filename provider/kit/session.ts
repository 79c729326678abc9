import { SanbedError } from "../../bed/errors";
import type { z } from "zod";
import type { CallRegistry, CallTime } from "./call-registry";
import { callError, describeFailure } from "./failures";
import type * as grpc from "@grpc/grpc-js";
import type { EngineLink, Severity } from "./engine-link";
import type { FunctionHandler, ProviderDefinition, ResourceCall, ResourceHandler } from "./handler";
import { Redactor } from "./redaction";
import type { Decoded } from "./values";
import { textsAt } from "./values";
import { secretCores } from "./zod-walk";

/** A definition whose type parameters no longer matter: values are parsed by its own schemas. */
export type AnyDefinition = ProviderDefinition<z.ZodObject, unknown>;
export type AnyResource = ResourceHandler<unknown>;
export type AnyFunction = FunctionHandler<unknown>;

/** What the parts of the server share: definition, configured context, calls in flight, engine. */
export class Session {
  readonly definition: AnyDefinition;
  readonly calls: CallRegistry;
  engine: EngineLink | undefined;
  /** Secrets of the provider's own settings; calls add theirs to a copy of their own. */
  configSecrets: readonly string[] = [];
  private configured: { readonly context: unknown } | undefined;
  private readonly resources: ReadonlyMap<string, AnyResource>;
  private readonly functions: ReadonlyMap<string, AnyFunction>;

  constructor(definition: AnyDefinition, calls: CallRegistry) {
    this.definition = definition;
    this.calls = calls;
    this.resources = new Map(definition.resources.map((handler) => [handler.token, handler]));
    this.functions = new Map(definition.functions.map((handler) => [handler.token, handler]));
  }

  resource(token: string): AnyResource {
    const handler = this.resources.get(token);
    if (handler === undefined) throw this.unknownToken("resource type", token);
    return handler;
  }

  function(token: string): AnyFunction {
    const handler = this.functions.get(token);
    if (handler === undefined) throw this.unknownToken("function", token);
    return handler;
  }

  get isConfigured(): boolean {
    return this.configured !== undefined;
  }

  get context(): unknown {
    if (this.configured === undefined) {
      throw new SanbedError(
        "config",
        `${this.definition.name}: the provider is not configured yet`,
      );
    }
    return this.configured.context;
  }

  /** Passes on what the program declares; nothing is configured yet while its settings are unknown. */
  declare(urn: string): void {
    if (this.configured !== undefined) this.definition.declared?.(this.configured.context, urn);
  }

  /** Takes a new context and closes the one before (only when an engine attaches again). */
  async setContext(context: unknown): Promise<void> {
    await this.close();
    this.configured = { context };
  }

  async close(): Promise<void> {
    const before = this.configured;
    this.configured = undefined;
    if (before !== undefined) await this.definition.close(before.context);
  }

  log(severity: Severity, message: string, urn = ""): void {
    this.engine?.log(severity, message, urn);
  }

  private unknownToken(what: string, token: string): SanbedError {
    const { name, version } = this.definition;
    return new SanbedError("config", `${name} ${version} has no ${what} ${token}`);
  }
}

/** Which resource a request is about. */
export interface Target {
  readonly urn: string;
  readonly token: string;
  readonly name: string;
}

/** Reads a URN: `urn:pulumi:<stack>::<project>::<parent types>$<type>::<name>`. */
export function targetOf(urn: string): Target {
  const [, , types = "", ...name] = urn.split("::");
  return { urn, token: types.slice(types.lastIndexOf("$") + 1), name: name.join("::") };
}

/** Values that a call brought, and the schema that says which of them are secret. */
export interface Known {
  readonly decoded: Decoded;
  readonly schema: z.ZodObject;
}

/** A redactor that knows the secrets of the provider's settings and of these values. */
export function redactorFor(session: Session, ...known: readonly Known[]): Redactor {
  const redactor = new Redactor();
  redactor.add(session.configSecrets);
  for (const { decoded, schema } of known) {
    redactor.add(textsAt(decoded.value, secretCores(schema, decoded.value, decoded.secrets)));
  }
  return redactor;
}

/** What a handler gets: everything it says is cleaned of secrets on the way out. */
export function resourceCall(
  session: Session,
  target: Target,
  time: CallTime,
  redactor: Redactor,
): ResourceCall<unknown> {
  return {
    context: session.context,
    signal: time.signal,
    deadline: time.deadline,
    urn: target.urn,
    name: target.name,
    status: (message) => session.engine?.status(redactor.clean(message), target.urn),
    log: (severity, message) => {
      session.log(severity, redactor.clean(message), target.urn);
    },
  };
}

/** A failed call, ready to be sent. */
export class RpcFailure extends Error {
  readonly status: Partial<grpc.StatusObject>;

  constructor(status: Partial<grpc.StatusObject>) {
    super(status.details);
    this.status = status;
  }
}

/** Makes the answer for an error, cleaned of secrets; the stack of a mistake goes to the debug log. */
export function failedCall(
  session: Session,
  error: unknown,
  label: string,
  redactor: Redactor,
  urn = "",
  signal?: AbortSignal,
): RpcFailure {
  if (error instanceof RpcFailure) return error;
  const failure = describeFailure(error, label, redactor, signal);
  if (failure.debug !== undefined) session.log("debug", failure.debug, urn);
  return new RpcFailure(callError(failure));
}
