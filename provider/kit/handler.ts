import type { z } from "zod";
import type { Problem } from "../../bed/errors";

/** What a handler gets with every call. `Context` is what the plugin's configuration was made into. */
export interface ResourceCall<Context> {
  readonly context: Context;
  /** Aborted on Cancel, loss of the engine, and when the call's deadline (custom timeout) has passed. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; undefined when the engine set none. */
  readonly deadline: number | undefined;
  readonly urn: string;
  /** Name of the resource in the program. */
  readonly name: string;
  /** Live status of the resource's row; cheap, not kept. */
  readonly status: (message: string) => void;
  readonly log: (severity: "debug" | "info" | "warning" | "error", message: string) => void;
}

/** A create or update may leave something behind on a device: it says so before the first write. */
export interface WriteCall<Context, State> extends ResourceCall<Context> {
  /**
   * Call immediately before the first side effect, and again when more is known. From then on every
   * failure, cancel and deadline is answered as "initialisation failed" with this id and state, so
   * that the resource stays in the stack and a later `up` or `destroy` can deal with it.
   */
  readonly began: (id: string, state: State) => void;
}

export interface Created<State> {
  readonly id: string;
  readonly state: State;
}

interface ReadResult<Inputs, State> {
  readonly id: string;
  readonly inputs: Inputs;
  readonly state: State;
}

/** How a change of one property is carried out, with the reason for a replacement. */
export interface PropertyChange {
  /** Property path, `initiators[2]` or `volumes.log01.sizeBytes`. */
  readonly path: string;
  readonly kind: "add" | "update" | "delete";
  readonly replace: boolean;
}

/**
 * One resource type. Inputs and state are plain values parsed by the zod schemas (secrets unwrapped,
 * defaults applied); 64-bit values are strings. State always contains the inputs.
 */
export interface ResourceHandler<
  Context,
  InputSchema extends z.ZodObject = z.ZodObject,
  StateSchema extends z.ZodObject = z.ZodObject,
> {
  /** `sanbed:<module>:<Name>`, for instance `sanbed:fabric:HostZones`. A stand-in plugin uses the token it stands for. */
  readonly token: string;
  readonly description: string;
  /** Properties with `.meta({ secret: true })` are secret; nested objects and enums need `.meta({ id })`. */
  readonly inputs: InputSchema;
  readonly state: StateSchema;
  /** Top-level input properties whose change (or unknown new value) replaces the resource. */
  readonly replaceOn: readonly (keyof z.infer<InputSchema> & string)[];
  /**
   * Top-level inputs whose parts are known to be others when they are not known yet: what they name is
   * being made anew. A part that is added may be unknown without that. A function decides by what is
   * recorded.
   */
  readonly replaceOnUnknown?:
    | readonly (keyof z.infer<InputSchema> & string)[]
    | ((olds: z.infer<StateSchema>) => readonly (keyof z.infer<InputSchema> & string)[]);
  /** True for every handler that owns a device name. */
  readonly deleteBeforeReplace: boolean;
  /** Outputs that never change in an update: a preview shows their recorded values. */
  readonly stables?: readonly (keyof z.infer<StateSchema> & string)[];
  /** Checks that go beyond the schema. All problems at once. Inputs with unknown parts are partial. */
  check?(inputs: Partial<z.infer<InputSchema>>): readonly Problem[];
  /**
   * Adjusts the structural difference: may drop changes that do not matter (order of a set, spelling)
   * and ask for a replacement. Only called with known values. It must not throw: the engine asks it in
   * a refresh too, about what others did on the device, and a refusal would end the refresh.
   */
  diff?(
    changes: readonly PropertyChange[],
    olds: z.infer<StateSchema>,
    news: z.infer<InputSchema>,
  ): readonly PropertyChange[];
  /**
   * Changes that an update must not carry out, each with its path and remedy. Asked before an update,
   * in a preview too; only with known values. Pure.
   */
  refuse?(olds: z.infer<StateSchema>, news: z.infer<InputSchema>): readonly Problem[];
  /**
   * Outputs that are known before anything is done (names made from inputs, for instance); shown in a
   * preview in place of unknown ones. Pure. Inputs with unknown parts are partial. `olds` in an update.
   */
  plan?(
    inputs: Partial<z.infer<InputSchema>>,
    olds: z.infer<StateSchema> | undefined,
  ): Partial<z.infer<StateSchema>>;
  /**
   * Told of a create or update in a preview, when every input is known: may read devices, and says with
   * `log` what would be done on them in their own words. Changes nothing. A failure shows as a warning.
   * Absent method: a preview touches no device.
   */
  lookAhead?(
    call: ResourceCall<Context>,
    inputs: z.infer<InputSchema>,
    olds: z.infer<StateSchema> | undefined,
  ): Promise<void>;
  /**
   * Adopts what carries our mark and matches; anything else of the same name is refused. Also called,
   * with unchanged inputs, to repair a create that failed half-way when there is no `update`.
   */
  create(
    call: WriteCall<Context, z.infer<StateSchema>>,
    inputs: z.infer<InputSchema>,
  ): Promise<Created<z.infer<StateSchema>>>;
  /**
   * Looks at the device. Undefined: gone. `state` and `recorded` (the inputs as they were given) are
   * undefined on import (only the id is known).
   * Absent method: read answers the recorded state (bench resources).
   */
  read?(
    call: ResourceCall<Context>,
    id: string,
    state: z.infer<StateSchema> | undefined,
    recorded: Readonly<Record<string, unknown>> | undefined,
  ): Promise<ReadResult<z.infer<InputSchema>, z.infer<StateSchema>> | undefined>;
  /**
   * Absent method: every change replaces. Never takes a member away from what dependents use. Called
   * without any change of inputs when the last create or update failed after its first side effect.
   */
  update?(
    call: WriteCall<Context, z.infer<StateSchema>>,
    id: string,
    olds: z.infer<StateSchema>,
    news: z.infer<InputSchema>,
  ): Promise<z.infer<StateSchema>>;
  /** Absent on the device is done. Proves absence before it answers. */
  delete(call: ResourceCall<Context>, id: string, state: z.infer<StateSchema>): Promise<void>;
}

/** A function of the package (`invoke`). Only reads. */
export interface FunctionHandler<
  Context,
  InputSchema extends z.ZodObject = z.ZodObject,
  OutputSchema extends z.ZodObject = z.ZodObject,
> {
  /** `sanbed:<module>:<name>`, for instance `sanbed:array:getPool`. */
  readonly token: string;
  readonly description: string;
  readonly inputs: InputSchema;
  readonly outputs: OutputSchema;
  invoke(
    call: Omit<ResourceCall<Context>, "urn" | "name">,
    inputs: z.infer<InputSchema>,
  ): Promise<z.infer<OutputSchema>>;
}

/** What the generic server needs to become one provider. */
export interface ProviderDefinition<Config extends z.ZodObject, Context> {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  /** The provider's own settings. Objects are also accepted as JSON text, which is how SDKs send them. */
  readonly config: Config;
  /** Checks beyond the schema, for instance references between devices. */
  checkConfig?(config: z.infer<Config>): readonly Problem[];
  /** Config properties whose change replaces the provider (and all it owns). Endpoints never do. */
  readonly replaceConfigOn: readonly (keyof z.infer<Config> & string)[];
  /**
   * Changes of settings under standing resources that must not be carried out, each with its path and remedy. Asked
   * before an update, in a preview too; only with known values. Pure.
   */
  refuseConfig?(olds: z.infer<Config>, news: z.infer<Config>): readonly Problem[];
  /** Called once per Configure. Must not touch a device. */
  configure(config: z.infer<Config>): Context;
  /** Told of every resource that the running program declares (the engine checks each one first). */
  declared?(context: Context, urn: string): void;
  /** Called when the plugin stops; ends sessions. */
  close(context: Context): Promise<void>;
  readonly resources: readonly ResourceHandler<Context>[];
  readonly functions: readonly FunctionHandler<Context>[];
}

/**
 * Erases the type parameters of a handler so that handlers of different schemas fit one list.
 * Safe because the server parses inputs and state with the handler's own schemas before it calls.
 */
export function resource<Context, I extends z.ZodObject, S extends z.ZodObject>(
  handler: ResourceHandler<Context, I, S>,
): ResourceHandler<Context> {
  return handler;
}

export function fn<Context, I extends z.ZodObject, O extends z.ZodObject>(
  handler: FunctionHandler<Context, I, O>,
): FunctionHandler<Context> {
  return handler;
}
