import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ConfigError, GuestError, SanbedError } from "../../bed/errors";
import { listenFirst } from "../emulator/listen";
import type { RunningLab } from "../running-lab";
import { ControlError } from "./control-error";
import type { ControlRequest, Route } from "./route";
import { controlRoutes } from "./routes";

export interface ControlServer {
  readonly port: number;
  close(): Promise<void>;
}

const maxBodyBytes = 1024 * 1024;

/** Serves the control port of a lab on 127.0.0.1 (docs/lab-protocol.md). */
export async function serveControl(
  lab: RunningLab,
  ports: readonly number[],
): Promise<ControlServer> {
  const routes = controlRoutes(lab);
  const server = createServer((incoming, response) => {
    void answer(lab, routes, incoming).then(({ status, body }) => {
      const text = JSON.stringify(body);
      response.writeHead(status, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      });
      response.end(text);
      afterwards(lab, incoming, response);
    });
  });
  // A guest may take minutes to start on a busy machine.
  server.requestTimeout = 0;
  const taken = await listenFirst(server, "127.0.0.1", ports, "the control port");
  return {
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** The end of the lab begins when its answer is on the way. */
function afterwards(lab: RunningLab, incoming: IncomingMessage, response: ServerResponse): void {
  if (incoming.method !== "POST" || incoming.url !== "/down" || response.statusCode !== 200) return;
  response.once("close", () => {
    lab.requestDown();
  });
}

async function answer(
  lab: RunningLab,
  routes: readonly Route[],
  incoming: IncomingMessage,
): Promise<{ status: number; body: unknown }> {
  try {
    if (!authorized(incoming.headers.authorization, lab.token)) {
      return { status: 401, body: { error: "the bearer token of the lab is required" } };
    }
    const url = new URL(incoming.url ?? "/", "http://lab.invalid");
    const path = url.pathname.split("/").slice(1).map(decodeURIComponent);
    for (const route of routes) {
      const params = matchRoute(route, incoming.method ?? "", path);
      if (params === undefined) continue;
      const request: ControlRequest = {
        params,
        query: url.searchParams,
        body: await read(incoming),
      };
      return { status: 200, body: (await route.run(request)) ?? {} };
    }
    return { status: 404, body: { error: `no route ${incoming.method ?? ""} ${url.pathname}` } };
  } catch (error) {
    return { status: statusOf(error), body: { error: messageOf(lab, error) } };
  }
}

function matchRoute(
  route: Route,
  method: string,
  path: readonly string[],
): Record<string, string> | undefined {
  if (route.method !== method) return undefined;
  const pattern = route.path.split("/").slice(1);
  const rest = pattern.at(-1) === "*";
  if (rest ? path.length < pattern.length : path.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    if (part === "*") params["*"] = path.slice(index).join("/");
    else if (part.startsWith(":")) params[part.slice(1)] = path[index] ?? "";
    else if (part !== path[index]) return undefined;
  }
  return params;
}

function authorized(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function read(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new ControlError(413, "the request is too large");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ControlError(400, "the body is no JSON");
  }
}

function statusOf(error: unknown): number {
  if (error instanceof ControlError) return error.status;
  if (error instanceof ConfigError) return 400;
  if (error instanceof GuestError) return 409;
  return error instanceof SanbedError ? 422 : 500;
}

function messageOf(lab: RunningLab, error: unknown): string {
  if (error instanceof SanbedError) return error.message;
  lab.log(`control port: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
  return error instanceof Error ? error.message : String(error);
}
