import type * as grpc from "@grpc/grpc-js";

/**
 * Lets answers on their way reach the engine, then ends the server; calls have ended before. Does not
 * rely on the server's own word: grpc-js never says it has shut down when the engine drops its
 * connection at that moment (a session that is destroyed but still listed is not closed again), and an
 * engine waits five seconds for a plugin that stays.
 */
export async function shutDown(
  server: Pick<grpc.Server, "tryShutdown" | "forceShutdown">,
  graceMs = 250,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown();
      resolve();
    }, graceMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}
