import * as grpc from "@grpc/grpc-js";
import type { z } from "zod";
import { CallRegistry, StoppedError } from "./call-registry";
import type { ProviderDefinition } from "./handler";
import { connectEngine, providerService, ResourceProviderService } from "./server";
import { Session } from "./session";
import { shutDown } from "./shut-down";

export interface ServerOptions {
  /** Host and port of the engine; absent when nothing is to be logged or watched (tests, attach). */
  readonly engineAddress?: string | undefined;
  /** How long a handler may take to end after it was told to stop. */
  readonly graceMs?: number;
  /** Called once when the engine is gone and all calls have been stopped. */
  readonly engineLost?: () => void;
}

export interface RunningProvider {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Stops calls in flight, waits for them, closes the context's sessions and the server. */
  stop(): Promise<void>;
}

const largestMessage = 400 * 1024 * 1024;
const defaultGraceMs = 5000;

/** Starts the provider's server on a free port of 127.0.0.1. */
export async function startProvider<Config extends z.ZodObject, Context>(
  definition: ProviderDefinition<Config, Context>,
  options: ServerOptions = {},
): Promise<RunningProvider> {
  const calls = new CallRegistry(options.graceMs ?? defaultGraceMs);
  // The server parses with the definition's own schemas, so the type parameters are safe to erase.
  const session = new Session(definition, calls);
  const lost = (): void => {
    calls.stop(new StoppedError("engineLost", "stopped: the Pulumi engine is gone"));
    void calls.idle().then(() => options.engineLost?.());
  };
  let known = options.engineAddress;
  const engineFound = (address: string): void => {
    if (session.engine !== undefined && address === known) return;
    known = address;
    connectEngine(session, address, lost);
  };
  if (known !== undefined) engineFound(known);
  const server = new grpc.Server({
    "grpc.max_receive_message_length": largestMessage,
    "grpc.max_send_message_length": largestMessage,
  });
  server.addService(ResourceProviderService, providerService(session, engineFound));
  const port = await listen(server);
  const stop = async (): Promise<void> => {
    calls.stop(new StoppedError("cancelled", "stopped: the plugin is asked to end"));
    await calls.idle();
    await shutDown(server);
    await session.close();
    await session.engine?.close();
  };
  return { port, stop };
}

/**
 * Runs the provider as a plugin process: the first line on standard output is the port; ends in good
 * order on SIGTERM, SIGINT, and when the engine is gone.
 */
export async function serve<Config extends z.ZodObject, Context>(
  definition: ProviderDefinition<Config, Context>,
): Promise<void> {
  let ending = false;
  const end = async (code: number): Promise<void> => {
    if (ending) return;
    ending = true;
    // Whatever hangs, the process ends: nothing may go on alone.
    setTimeout(() => process.exit(code), 10_000).unref();
    await running.stop().catch(() => undefined);
    process.exit(code);
  };
  const engineAddress = engineAddressIn(process.argv.slice(2));
  const running = await startProvider(definition, {
    engineAddress,
    // Started by hand for an engine to attach, the process outlives that engine.
    engineLost: () => void (engineAddress === undefined ? undefined : end(1)),
  });
  process.on("SIGTERM", () => void end(0));
  process.on("SIGINT", () => void end(0));
  // Ending in order answers the calls in flight, so that what they began stays in the stack.
  process.on("uncaughtException", (error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`);
    void end(1);
  });
  process.stdout.write(`${running.port.toString()}\n`);
}

/** The engine's address among the plugin's arguments: the one that is no option. */
function engineAddressIn(args: readonly string[]): string | undefined {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    if (arg === "--tracing") i++;
    else if (!arg.startsWith("-")) return arg;
  }
  return undefined;
}

function listen(server: grpc.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}
