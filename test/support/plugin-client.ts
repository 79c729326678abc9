import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  type CheckResponse,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ErrorResourceInitFailed,
  GetSchemaRequest,
  InvokeRequest,
  PropertyDiff,
  ProviderHandshakeRequest,
  ReadRequest,
  UpdateRequest,
  type ConfigureResponse,
  type CreateResponse,
  type GetSchemaResponse,
  type InvokeResponse,
  type ProviderHandshakeResponse,
  type ReadResponse,
  type UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";

/** Property values as they travel: {@link unknown}, {@link secret} and {@link output} are allowed anywhere. */
export type Wire = Record<string, unknown>;

const signature = "4dabf18193072939515e22adb298388d";

/** The value that is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function secret(value: unknown): Wire {
  return { [signature]: "1b47061264138c4ac30d75fd1eb44270", value };
}

/** An output value; without a value it is unknown. */
export function output(value?: unknown, isSecret = false): Wire {
  const known = value === undefined ? {} : { value };
  return {
    [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
    secret: isSecret,
    dependencies: [],
    ...known,
  };
}

export function asset(text: string, hash: string): Wire {
  return { [signature]: "c44067f5952c0a294b673a41bacd8c17", hash, text };
}

/** A failed call, with what the engine would find in it. */
export class CallFailed extends Error {
  readonly code: grpc.status;
  readonly initFailed:
    { readonly id: string; readonly state: Wire; readonly reasons: string[] } | undefined;

  constructor(error: grpc.ServiceError) {
    super(error.details);
    this.code = error.code;
    const [bytes] = error.metadata.get("grpc-status-details-bin");
    const [any] = bytes instanceof Buffer ? Status.deserializeBinary(bytes).getDetailsList() : [];
    const detail = any?.unpack<ErrorResourceInitFailed>(
      (bytes) => ErrorResourceInitFailed.deserializeBinary(bytes),
      "pulumirpc.ErrorResourceInitFailed",
    );
    if (detail === null || detail === undefined) return;
    this.initFailed = {
      id: detail.getId(),
      state: detail.getProperties()?.toJavaScript() ?? {},
      reasons: detail.getReasonsList(),
    };
  }
}

export interface Failure {
  readonly property: string;
  readonly reason: string;
}

export interface DiffResult {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly diffs: string[];
  readonly stables: string[];
  readonly deleteBeforeReplace: boolean;
  /** Path -> kind, `UPDATE_REPLACE` and so on. */
  readonly detailed: Record<string, string>;
}

interface WriteOptions {
  readonly preview?: boolean;
  /** Seconds. */
  readonly timeout?: number;
}

/** Speaks to a provider plugin as the engine does, without the engine. */
export class PluginClient {
  private readonly client: ResourceProviderClient;
  private readonly process: ChildProcessWithoutNullStreams | undefined;
  /** Last part of the URNs that this client makes. */
  private readonly stack = "urn:pulumi:test::project::";

  private constructor(port: number, process?: ChildProcessWithoutNullStreams) {
    this.client = new ResourceProviderClient(
      `127.0.0.1:${port.toString()}`,
      grpc.credentials.createInsecure(),
    );
    this.process = process;
  }

  /** Connects to a provider that runs in this process. */
  static connect(port: number): PluginClient {
    return new PluginClient(port);
  }

  /** Starts a plugin executable and reads its port. */
  static async spawn(
    executable: string,
    options: { readonly engineAddress?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<PluginClient> {
    const args = options.engineAddress === undefined ? [] : [options.engineAddress];
    const child = spawn(executable, args, { env: { ...process.env, ...options.env } });
    child.stderr.resume();
    const lines = createInterface({ input: child.stdout });
    const port = await new Promise<number>((resolve, reject) => {
      lines.once("line", (line) => {
        resolve(Number(line));
      });
      child.once("error", reject);
      child.once("exit", (code) => {
        reject(new Error(`the plugin ended with ${String(code)} before it gave its port`));
      });
    });
    child.stdout.resume();
    return new PluginClient(port, child);
  }

  urn(token: string, name = "it"): string {
    return `${this.stack}${token}::${name}`;
  }

  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Resolves with the exit code (null when killed by a signal) when the plugin process has ended. */
  ended(): Promise<number | null> {
    const child = this.process;
    if (child === undefined) throw new Error("this provider has no process of its own");
    if (child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve(child.exitCode);
    return new Promise((resolve) => {
      child.once("exit", resolve);
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.process?.kill(signal);
  }

  /** Closes the connection and, if it was spawned here, ends the plugin. */
  async close(): Promise<void> {
    this.client.close();
    if (this.process === undefined) return;
    this.process.kill("SIGTERM");
    await this.ended();
  }

  async handshake(engineAddress = ""): Promise<{ acceptSecrets: boolean; acceptOutputs: boolean }> {
    const request = new ProviderHandshakeRequest();
    request.setEngineAddress(engineAddress);
    request.setConfigureWithUrn(true);
    const answer = await this.call<ProviderHandshakeResponse>((done) =>
      this.client.handshake(request, done),
    );
    return { acceptSecrets: answer.getAcceptSecrets(), acceptOutputs: answer.getAcceptOutputs() };
  }

  async attach(engineAddress: string): Promise<void> {
    const request = new PluginAttach();
    request.setAddress(engineAddress);
    await this.call<Empty>((done) => this.client.attach(request, done));
  }

  async pluginInfo(): Promise<string> {
    return (
      await this.call<PluginInfo>((done) => this.client.getPluginInfo(new Empty(), done))
    ).getVersion();
  }

  async schema(): Promise<string> {
    return (
      await this.call<GetSchemaResponse>((done) =>
        this.client.getSchema(new GetSchemaRequest(), done),
      )
    ).getSchema();
  }

  async checkConfig(news: Wire, olds: Wire = {}): Promise<{ inputs: Wire; failures: Failure[] }> {
    return this.checkWith("checkConfig", "pulumi:providers:it", news, olds);
  }

  async diffConfig(olds: Wire, news: Wire): Promise<DiffResult> {
    const request = new DiffRequest();
    request.setUrn(this.urn("pulumi:providers:it"));
    request.setOlds(struct(olds));
    request.setOldInputs(struct(olds));
    request.setNews(struct(news));
    return this.diffWith("diffConfig", request);
  }

  async configure(args: Wire): Promise<{ acceptSecrets: boolean; supportsPreview: boolean }> {
    const request = new ConfigureRequest();
    request.setArgs(struct(args));
    request.setAcceptsecrets(true);
    const answer = await this.call<ConfigureResponse>((done) =>
      this.client.configure(request, done),
    );
    return {
      acceptSecrets: answer.getAcceptsecrets(),
      supportsPreview: answer.getSupportspreview(),
    };
  }

  async invoke(token: string, args: Wire): Promise<{ result: Wire; failures: Failure[] }> {
    const request = new InvokeRequest();
    request.setTok(token);
    request.setArgs(struct(args));
    const answer = await this.call<InvokeResponse>((done) => this.client.invoke(request, done));
    return { result: plain(answer.getReturn()), failures: failures(answer.getFailuresList()) };
  }

  async check(
    token: string,
    news: Wire,
    olds: Wire = {},
  ): Promise<{ inputs: Wire; failures: Failure[] }> {
    return this.checkWith("check", token, news, olds);
  }

  async diff(
    token: string,
    id: string,
    olds: { readonly inputs: Wire; readonly state: Wire },
    news: Wire,
    ignoreChanges: string[] = [],
  ): Promise<DiffResult> {
    const request = new DiffRequest();
    request.setUrn(this.urn(token));
    request.setId(id);
    request.setOlds(struct(olds.state));
    request.setOldInputs(struct(olds.inputs));
    request.setNews(struct(news));
    request.setIgnorechangesList(ignoreChanges);
    return this.diffWith("diff", request);
  }

  /** `cancel` in the options: aborting it cancels this one call, as an engine does that gives up. */
  async create(
    token: string,
    inputs: Wire,
    options: WriteOptions & { readonly name?: string; readonly cancel?: AbortSignal } = {},
  ): Promise<{ id: string; state: Wire }> {
    const request = new CreateRequest();
    request.setUrn(this.urn(token, options.name));
    request.setProperties(struct(inputs));
    request.setPreview(options.preview ?? false);
    request.setTimeout(options.timeout ?? 0);
    const answer = await this.call<CreateResponse>(
      (done) => this.client.create(request, done),
      options.cancel,
    );
    return { id: answer.getId(), state: plain(answer.getProperties()) };
  }

  async update(
    token: string,
    id: string,
    olds: { readonly inputs: Wire; readonly state: Wire },
    news: Wire,
    options: WriteOptions = {},
  ): Promise<Wire> {
    const request = new UpdateRequest();
    request.setUrn(this.urn(token));
    request.setId(id);
    request.setOlds(struct(olds.state));
    request.setOldInputs(struct(olds.inputs));
    request.setNews(struct(news));
    request.setPreview(options.preview ?? false);
    request.setTimeout(options.timeout ?? 0);
    return plain(
      (
        await this.call<UpdateResponse>((done) => this.client.update(request, done))
      ).getProperties(),
    );
  }

  /** Without state: import. An empty id in the answer: gone. */
  async read(
    token: string,
    id: string,
    known: { readonly state?: Wire; readonly inputs?: Wire; readonly timeout?: number } = {},
  ): Promise<{ id: string; state: Wire; inputs: Wire }> {
    const request = new ReadRequest();
    request.setUrn(this.urn(token));
    request.setId(id);
    request.setTimeout(known.timeout ?? 0);
    if (known.state !== undefined) request.setProperties(struct(known.state));
    if (known.inputs !== undefined) request.setInputs(struct(known.inputs));
    const answer = await this.call<ReadResponse>((done) => this.client.read(request, done));
    return {
      id: answer.getId(),
      state: plain(answer.getProperties()),
      inputs: plain(answer.getInputs()),
    };
  }

  async delete(
    token: string,
    id: string,
    state: Wire,
    options: { timeout?: number } = {},
  ): Promise<void> {
    const request = new DeleteRequest();
    request.setUrn(this.urn(token));
    request.setId(id);
    request.setProperties(struct(state));
    request.setTimeout(options.timeout ?? 0);
    await this.call<Empty>((done) => this.client.delete(request, done));
  }

  async cancel(): Promise<void> {
    await this.call<Empty>((done) => this.client.cancel(new Empty(), done));
  }

  private async checkWith(
    method: "check" | "checkConfig",
    token: string,
    news: Wire,
    olds: Wire,
  ): Promise<{ inputs: Wire; failures: Failure[] }> {
    const request = new CheckRequest();
    request.setUrn(this.urn(token));
    request.setOlds(struct(olds));
    request.setNews(struct(news));
    const answer = await this.call<CheckResponse>((done) => this.client[method](request, done));
    return { inputs: plain(answer.getInputs()), failures: failures(answer.getFailuresList()) };
  }

  private async diffWith(method: "diff" | "diffConfig", request: DiffRequest): Promise<DiffResult> {
    const answer = await this.call<DiffResponse>((done) => this.client[method](request, done));
    const names = Object.entries(PropertyDiff.Kind);
    const detailed: Record<string, string> = {};
    answer.getDetaileddiffMap().forEach((diff, path) => {
      detailed[path] = names.find(([, kind]) => kind === diff.getKind())?.[0] ?? "?";
    });
    return {
      changes: answer.getChanges() === DiffResponse.DiffChanges.DIFF_SOME,
      replaces: answer.getReplacesList(),
      diffs: answer.getDiffsList(),
      stables: answer.getStablesList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
      detailed,
    };
  }

  private call<Response>(
    start: (
      done: (error: grpc.ServiceError | null, answer: Response) => void,
    ) => grpc.ClientUnaryCall,
    cancel?: AbortSignal,
  ): Promise<Response> {
    return new Promise((resolve, reject) => {
      const call = start((error, answer) => {
        if (error === null) resolve(answer);
        else reject(new CallFailed(error));
      });
      cancel?.addEventListener("abort", () => {
        call.cancel();
      });
    });
  }
}

function struct(value: Wire): Struct {
  return Struct.fromJavaScript(value as Parameters<typeof Struct.fromJavaScript>[0]);
}

function plain(value: Struct | undefined): Wire {
  return value?.toJavaScript() ?? {};
}

function failures(list: readonly { getProperty(): string; getReason(): string }[]): Failure[] {
  return list.map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));
}
