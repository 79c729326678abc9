import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { IEngineServer } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

export interface EngineLine {
  readonly severity: "debug" | "info" | "warning" | "error";
  readonly message: string;
  readonly urn: string;
  /** True for the live status line of a resource. */
  readonly ephemeral: boolean;
}

const severityNames = {
  [LogSeverity.DEBUG]: "debug",
  [LogSeverity.INFO]: "info",
  [LogSeverity.WARNING]: "warning",
  [LogSeverity.ERROR]: "error",
} as const;

/** The part of the Pulumi engine that a plugin talks to: its log. */
export class EngineStub {
  readonly lines: EngineLine[] = [];
  private readonly server = new grpc.Server();
  private boundTo = 0;

  /** Address as the engine gives it to plugins. */
  get address(): string {
    return `127.0.0.1:${this.boundTo.toString()}`;
  }

  static async start(): Promise<EngineStub> {
    const stub = new EngineStub();
    const service: Pick<IEngineServer, "log"> = {
      log: (call, callback) => {
        const request = call.request;
        stub.lines.push({
          severity: severityNames[request.getSeverity()],
          message: request.getMessage(),
          urn: request.getUrn(),
          ephemeral: request.getEphemeral(),
        });
        callback(null, new Empty());
      },
    };
    stub.server.addService(EngineService, service);
    stub.boundTo = await new Promise<number>((resolve, reject) => {
      stub.server.bindAsync(
        "127.0.0.1:0",
        grpc.ServerCredentials.createInsecure(),
        (error, port) => {
          if (error === null) resolve(port);
          else reject(error);
        },
      );
    });
    return stub;
  }

  /** Messages that arrived so far, waiting until one satisfies the condition. */
  async line(wanted: (line: EngineLine) => boolean, withinMs = 3000): Promise<EngineLine> {
    const end = Date.now() + withinMs;
    for (;;) {
      const found = this.lines.find(wanted);
      if (found !== undefined) return found;
      if (Date.now() > end) throw new Error(`no such line among ${JSON.stringify(this.lines)}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Goes away at once, as an engine that was killed: all its sockets break. */
  kill(): void {
    this.server.forceShutdown();
  }
}
