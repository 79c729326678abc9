import * as net from "node:net";
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

export type Severity = "debug" | "info" | "warning" | "error";

const severities: Record<Severity, LogSeverity> = {
  debug: LogSeverity.DEBUG,
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  error: LogSeverity.ERROR,
};

/** What the server needs of the engine: its log, and to know whether it is still there. */
export class EngineLink {
  private readonly client: EngineClient;
  private readonly address: string;
  private readonly pendingStatus = new Map<string, string>();
  private sending = false;
  private unsent: Promise<void> = Promise.resolve();
  private watcher: EngineWatch | undefined;

  /** @param address host and port of the engine's RPC server, `127.0.0.1:41235` */
  constructor(address: string) {
    this.address = address;
    this.client = new EngineClient(address, grpc.credentials.createInsecure());
  }

  /** A line that stays on screen. Lines arrive in the order they were logged. */
  log(severity: Severity, message: string, urn = ""): void {
    this.unsent = this.unsent.then(() => this.send(severity, message, urn, false));
  }

  /** The live line of a resource. Only the newest one is sent when the engine is slower than we are. */
  status(message: string, urn: string): void {
    this.pendingStatus.set(urn, message);
    if (!this.sending) void this.sendStatus();
  }

  /** Calls `lost` once when the engine's port does not answer any more. */
  watch(lost: () => void): void {
    this.watcher?.close();
    this.watcher = new EngineWatch(this.address, lost);
  }

  /** Sends what is left, within a second, and closes. */
  async close(): Promise<void> {
    this.watcher?.close();
    this.pendingStatus.clear();
    await Promise.race([this.unsent, new Promise((resolve) => setTimeout(resolve, 1000).unref())]);
    this.client.close();
  }

  private async sendStatus(): Promise<void> {
    this.sending = true;
    for (;;) {
      const next = this.pendingStatus.entries().next().value;
      if (next === undefined) break;
      this.pendingStatus.delete(next[0]);
      await this.send("info", next[1], next[0], true);
    }
    this.sending = false;
  }

  /** Never rejects: a log line that cannot be sent must not fail the work. */
  private send(
    severity: Severity,
    message: string,
    urn: string,
    ephemeral: boolean,
  ): Promise<void> {
    const request = new LogRequest();
    request.setSeverity(severities[severity]);
    request.setMessage(message);
    request.setUrn(urn);
    request.setEphemeral(ephemeral);
    return new Promise((resolve) => {
      this.client.log(request, new grpc.Metadata(), { deadline: Date.now() + 5000 }, () => {
        resolve();
      });
    });
  }
}

/**
 * Holds a TCP connection to the engine. When it breaks the engine may only have dropped an idle
 * client, so the engine counts as lost when three new connections in a row are refused.
 */
class EngineWatch {
  private readonly host: string;
  private readonly port: number;
  private readonly lost: () => void;
  private socket: net.Socket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private closed = false;

  constructor(address: string, lost: () => void) {
    const colon = address.lastIndexOf(":");
    this.host = address.slice(0, colon).replace(/^\[|\]$/g, "");
    this.port = Number(address.slice(colon + 1));
    this.lost = lost;
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.destroy();
  }

  private connect(): void {
    const socket = net.connect({ host: this.host, port: this.port });
    this.socket = socket;
    socket.resume();
    socket.once("connect", () => (this.failures = 0));
    // "close" follows every error, so the error itself needs no action.
    socket.on("error", () => (this.failures += 1));
    socket.once("close", () => {
      if (this.closed) return;
      if (this.failures >= 3) {
        this.close();
        this.lost();
      } else {
        this.timer = setTimeout(() => {
          this.connect();
        }, 100);
      }
    });
  }
}
