import net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Proves that a port can be listened on.
 *
 * @throws Error that says what is in the way; a listener on 0.0.0.0 takes the port on every loopback address
 */
export async function requirePortFree(address: string, port: number, what: string): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "EADDRINUSE"
          ? `something listens there already, or on 0.0.0.0:${port}. Stop it, or give guests another ${what} port`
          : error.message;
      reject(new Error(`${what} cannot use ${address}:${port}: ${reason}`));
    });
    server.listen(port, address, resolve);
  });
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}

/**
 * Waits until an SSH server greets on a port.
 *
 * @param gone - settles when the guest has ended, which ends the waiting
 * @throws Error after the time, or when the guest ended
 */
export async function waitForSsh(
  address: string,
  port: number,
  gone: AbortSignal,
  timeoutMs: number,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await greets(address, port))) {
    if (gone.aborted) throw new Error("the guest ended while it started");
    if (Date.now() > end) {
      throw new Error(`no SSH server on ${address}:${port} after ${timeoutMs / 1000} s`);
    }
    await sleep(15);
  }
}

/** True when the peer sends an SSH identification (RFC 4253, 4.2). */
function greets(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: address, port, timeout: 5000 });
    const answer = (yes: boolean): void => {
      socket.destroy();
      resolve(yes);
    };
    socket.once("data", (data) => {
      answer(data.toString("latin1").startsWith("SSH-2.0-"));
    });
    socket.once("error", () => {
      answer(false);
    });
    socket.once("timeout", () => {
      answer(false);
    });
    socket.once("end", () => {
      answer(false);
    });
  });
}
