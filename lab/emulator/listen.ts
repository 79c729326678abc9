import { randomInt } from "node:crypto";
import type { Server } from "node:net";
import type { AddressInfo } from "node:net";
import { labError } from "./lab-error";

/**
 * Ports of labs lie below the range from which systems take ports for outgoing connections, so that a
 * lab finds its ports free again after a restart.
 */
const firstPort = 21_000;
const lastPort = 29_999;
const attempts = 50;

/** The wanted port first, then others by chance, at last any. */
export function candidatePorts(wanted?: number): number[] {
  const others = Array.from({ length: attempts }, () => randomInt(firstPort, lastPort + 1));
  return [...(wanted === undefined || wanted === 0 ? [] : [wanted]), ...others, 0];
}

/**
 * Listens on the first of the ports that is free. There is no gap between looking and taking.
 * @returns the port.
 * @throws {SanbedError} `lab` when none is free, or for another reason than that.
 */
export async function listenFirst(
  server: Server,
  address: string,
  ports: readonly number[],
  what: string,
): Promise<number> {
  for (const port of ports) {
    const refused = await tryListen(server, address, port);
    if (refused === undefined) return (server.address() as AddressInfo).port;
    if (refused.code !== "EADDRINUSE" && refused.code !== "EACCES") {
      throw labError(
        `cannot listen on ${address}:${port} for ${what}: ${refused.message}`,
        refused,
      );
    }
  }
  throw labError(`cannot listen on ${address} for ${what}: ports ${ports.join(", ")} are taken`);
}

function tryListen(
  server: Server,
  address: string,
  port: number,
): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off("listening", done);
      resolve(error);
    };
    const done = (): void => {
      server.off("error", failed);
      resolve(undefined);
    };
    server.once("error", failed);
    server.once("listening", done);
    server.listen(port, address);
  });
}
