import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { ReadRequest } from "@pulumi/pulumi/proto/provider_pb";
import {
  ConfigureResponse,
  CreateResponse,
  GetMappingResponse,
  GetMappingsResponse,
  GetSchemaResponse,
  InvokeResponse,
  ProviderHandshakeResponse,
  ReadResponse,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { StoppedError } from "./call-registry";
import { checkResource, diffResource } from "./check-diff";
import { checkConfig, configure, diffConfig } from "./configuration";
import { EngineLink } from "./engine-link";
import { invokeFunction } from "./invoke";
import { checkResponse, diffResponse, fromStruct, toFailures, toStruct } from "./messages";
import { deleteResource, readResource } from "./observe";
import { packageSchema } from "./schema";
import type { Session } from "./session";
import { failedCall, redactorFor, targetOf } from "./session";
import { decode } from "./values";
import { createResource, updateResource } from "./write";

type Unary<Request, Response> = grpc.handleUnaryCall<Request, Response>;

/** Called when an engine has made itself known (start, handshake, attach). */
export type EngineFound = (address: string) => void;

/**
 * The gRPC service `pulumirpc.ResourceProvider`. Translates messages; what they mean is in check-diff,
 * write, observe, configuration and invoke. Construct, Call, Parameterize and List are not offered.
 */
export function providerService(
  session: Session,
  engineFound: EngineFound,
): IResourceProviderServer {
  return {
    ...pluginMethods(session, engineFound),
    ...configMethods(session),
    ...resourceMethods(session),
    ...unsupportedMethods(),
  };
}

export { ResourceProviderService };

/** Connects the session's log to an engine. */
export function connectEngine(session: Session, address: string, lost: () => void): void {
  const before = session.engine;
  session.engine = new EngineLink(address);
  session.engine.watch(lost);
  void before?.close();
}

/** A unary method: `work` answers or throws; what it throws becomes a status without secrets. */
function unary<Request, Response>(
  session: Session,
  name: string,
  work: (request: Request, abandoned: AbortSignal) => Promise<Response> | Response,
): Unary<Request, Response> {
  return (call, callback) => {
    const abandoned = new AbortController();
    call.on("cancelled", () => {
      abandoned.abort();
    });
    const answer = async (): Promise<Response> => work(call.request, abandoned.signal);
    answer().then(
      (response) => {
        callback(null, response);
      },
      (error: unknown) => {
        const label = `${session.definition.name} ${name}`;
        const { status } = failedCall(session, error, label, redactorFor(session));
        callback(status, null, status.metadata);
      },
    );
  };
}

function pluginMethods(
  session: Session,
  engineFound: EngineFound,
): Pick<
  IResourceProviderServer,
  "handshake" | "attach" | "getPluginInfo" | "getSchema" | "cancel" | "getMapping" | "getMappings"
> {
  let schema: string | undefined;
  return {
    handshake: unary(session, "handshake", (request) => {
      const address = request.getEngineAddress();
      if (address !== "") engineFound(address);
      session.calls.reopen();
      const response = new ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      response.setAcceptResources(false);
      response.setAcceptOutputs(true);
      return response;
    }),
    attach: unary(session, "attach", (request) => {
      engineFound(request.getAddress());
      session.calls.reopen();
      return new Empty();
    }),
    getPluginInfo: unary(session, "plugin info", () => {
      const response = new PluginInfo();
      response.setVersion(session.definition.version);
      return response;
    }),
    getSchema: unary(session, "schema", () => {
      schema ??= JSON.stringify(packageSchema(session.definition));
      const response = new GetSchemaResponse();
      response.setSchema(schema);
      return response;
    }),
    cancel: unary(session, "cancel", () => {
      session.calls.stop(new StoppedError("cancelled", "stopped: the deployment was cancelled"));
      return new Empty();
    }),
    getMapping: unary(session, "mapping", () => new GetMappingResponse()),
    getMappings: unary(session, "mappings", () => new GetMappingsResponse()),
  };
}

function configMethods(
  session: Session,
): Pick<IResourceProviderServer, "checkConfig" | "diffConfig" | "configure" | "invoke"> {
  const { definition } = session;
  return {
    checkConfig: unary(session, "check of the provider's settings", (request) =>
      checkResponse(checkConfig(definition, fromStruct(request.getNews()))),
    ),
    diffConfig: unary(session, "diff of the provider's settings", (request) => {
      const olds = request.getOldInputs() ?? request.getOlds();
      return diffResponse(diffConfig(definition, fromStruct(olds), fromStruct(request.getNews())));
    }),
    configure: unary(session, "configure", async (request) => {
      session.calls.reopen();
      await configure(session, fromStruct(request.getArgs()));
      const response = new ConfigureResponse();
      response.setAcceptsecrets(true);
      response.setSupportspreview(true);
      response.setAcceptresources(false);
      response.setAcceptoutputs(true);
      return response;
    }),
    invoke: unary(session, "invoke", async (request, abandoned) => {
      const args = fromStruct(request.getArgs());
      const { result, problems } = await invokeFunction(session, request.getTok(), args, abandoned);
      const response = new InvokeResponse();
      response.setReturn(toStruct(result));
      response.setFailuresList(toFailures(problems));
      return response;
    }),
  };
}

function resourceMethods(
  session: Session,
): Pick<IResourceProviderServer, "check" | "diff" | "create" | "read" | "update" | "delete"> {
  return {
    check: unary(session, "check", (request) => {
      const { token } = targetOf(request.getUrn());
      const news = fromStruct(request.getNews());
      const handler = session.resource(token);
      session.declare(request.getUrn());
      const { inputs, problems } = checkResource(handler, news);
      const redactor = redactorFor(session, { decoded: decode(news), schema: handler.inputs });
      const clean = problems.map((p) => ({ ...p, message: redactor.clean(p.message) }));
      return checkResponse({ inputs, problems: clean });
    }),
    diff: unary(session, "diff", (request) =>
      diffResponse(
        diffResource(session.resource(targetOf(request.getUrn()).token), {
          olds: fromStruct(request.getOlds()),
          oldInputs: fromStruct(request.getOldInputs()),
          news: fromStruct(request.getNews()),
          ignoreChanges: request.getIgnorechangesList(),
        }),
      ),
    ),
    create: unary(session, "create", async (request, abandoned) => {
      const { id, state } = await createResource(session, {
        target: targetOf(request.getUrn()),
        news: fromStruct(request.getProperties()),
        timeoutSeconds: request.getTimeout(),
        preview: request.getPreview(),
        abandoned,
      });
      return new CreateResponse().setId(id).setProperties(toStruct(state));
    }),
    update: unary(session, "update", async (request, abandoned) => {
      const state = await updateResource(session, {
        target: targetOf(request.getUrn()),
        id: request.getId(),
        olds: fromStruct(request.getOlds()),
        news: fromStruct(request.getNews()),
        timeoutSeconds: request.getTimeout(),
        preview: request.getPreview(),
        abandoned,
      });
      return new UpdateResponse().setProperties(toStruct(state));
    }),
    read: unary(session, "read", (request, abandoned) => read(session, request, abandoned)),
    delete: unary(session, "delete", async (request, abandoned) => {
      await deleteResource(session, {
        target: targetOf(request.getUrn()),
        id: request.getId(),
        state: fromStruct(request.getProperties()),
        timeoutSeconds: request.getTimeout(),
        abandoned,
      });
      return new Empty();
    }),
  };
}

async function read(
  session: Session,
  request: ReadRequest,
  abandoned: AbortSignal,
): Promise<ReadResponse> {
  const answer = await readResource(session, {
    target: targetOf(request.getUrn()),
    id: request.getId(),
    state: fromStruct(request.getProperties()),
    inputs: fromStruct(request.getInputs()),
    timeoutSeconds: request.getTimeout(),
    abandoned,
  });
  const response = new ReadResponse().setId(answer.id);
  if (answer.id === "") return response;
  return response.setProperties(toStruct(answer.state)).setInputs(toStruct(answer.inputs));
}

function unsupportedMethods(): Pick<
  IResourceProviderServer,
  "construct" | "call" | "parameterize" | "list"
> {
  const refuse = (_call: unknown, callback: grpc.sendUnaryData<never>): void => {
    callback({ code: grpc.status.UNIMPLEMENTED, details: "not offered by this provider" });
  };
  return {
    construct: refuse,
    call: refuse,
    parameterize: refuse,
    list: (call) => {
      call.emit("error", {
        code: grpc.status.UNIMPLEMENTED,
        details: "not offered by this provider",
      });
    },
  };
}
