import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Certificate } from "./certificate";
import type { Emulator, EmulatorReply, EmulatorRequest } from "./emulator";
import { listenFirst } from "./listen";
import type { FaultOutcome, FaultRules } from "./faults";
import type { RequestLog } from "./request-log";

export interface EmulatorServerOptions {
  readonly emulator: Emulator;
  /** One port (0 takes a free one), or several of which the first free one is taken. */
  readonly port: number | readonly number[];
  readonly certificate: Certificate;
  readonly faults: FaultRules;
  readonly log: RequestLog;
  /** Told of exceptions inside an emulator (a bug of ours, answered as 500). */
  readonly onBug?: (device: string, error: unknown) => void;
}

export interface EmulatorServer {
  readonly emulator: Emulator;
  readonly port: number;
  close(): Promise<void>;
}

const maxBodyBytes = 16 * 1024 * 1024;

/**
 * Puts an emulator behind HTTPS on 127.0.0.1.
 * @throws {SanbedError} `lab` when the port is taken.
 */
export async function serveEmulator(options: EmulatorServerOptions): Promise<EmulatorServer> {
  const server = createServer(
    { cert: options.certificate.certPem, key: options.certificate.keyPem },
    (incoming, response) => void answer(options, incoming, response),
  );
  const ports = typeof options.port === "number" ? [options.port] : options.port;
  const port = await listenFirst(server, "127.0.0.1", ports, options.emulator.device);
  return {
    emulator: options.emulator,
    port,
    close: async () => {
      options.emulator.close();
      const closed = new Promise<void>((resolve) =>
        server.close(() => {
          resolve();
        }),
      );
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  options: EmulatorServerOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAtMs = Date.now();
  const start = performance.now();
  const gone = new AbortController();
  response.once("close", () => {
    gone.abort();
  });
  const request = await readRequest(incoming, gone.signal);
  if (request === undefined) {
    incoming.destroy();
    return;
  }
  const outcome = options.faults.apply(options.emulator.device, request);
  const reply = await replyTo(options, request, outcome);
  options.log.add({
    device: options.emulator.device,
    method: request.method,
    path: incoming.url ?? "",
    status: reply?.status,
    startedAtMs,
    durationMs: Math.round((performance.now() - start) * 1000) / 1000,
    write: options.emulator.isWrite(request),
    unknownRoute: reply?.unknownRoute === true,
  });
  if (reply === undefined) {
    incoming.socket.destroy();
    return;
  }
  const body = reply.body ?? "";
  const length = reply.status === 204 ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(reply.status, { ...length, ...reply.headers });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** Undefined: the connection is to be dropped without an answer. */
async function replyTo(
  options: EmulatorServerOptions,
  request: EmulatorRequest,
  outcome: FaultOutcome,
): Promise<EmulatorReply | undefined> {
  const { emulator } = options;
  if (outcome.latencyMs > 0) await sleep(outcome.latencyMs, undefined, { ref: false });
  if (outcome.drop === "before") return undefined;
  if (outcome.answer !== undefined) return emulator.fault(outcome.answer, request);
  try {
    const reply = await emulator.handle(request);
    return outcome.drop === "after" ? undefined : reply;
  } catch (error) {
    options.onBug?.(emulator.device, error);
    return { status: 500, headers: { "content-type": "text/plain" }, body: "emulator failure" };
  }
}

async function readRequest(
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<EmulatorRequest | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBodyBytes) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  const url = new URL(incoming.url ?? "/", "https://lab.invalid");
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return {
    method: incoming.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers,
    body: Buffer.concat(chunks).toString("utf8"),
    remoteAddress: incoming.socket.remoteAddress ?? "127.0.0.1",
    signal,
  };
}
