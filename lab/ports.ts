import { createServer, type Server } from "node:net";
import { labError } from "./emulator/lab-error";
import { candidatePorts, listenFirst } from "./emulator/listen";
import type { LabPorts } from "./folder";

/** Port on `127.0.<net>.1` that a running lab holds: no second lab takes the same guest addresses. */
const leasePort = 20_021;
const firstNet = 21;
const lastNet = 250;

/** The addresses of a lab's guests and the socket that holds them. */
export interface GuestAddresses {
  /** Third byte, `127.0.<net>.x`. */
  readonly net: number;
  readonly sshPort: number;
  readonly databasePort: number;
  release(): Promise<void>;
}

/** Takes addresses for guests: those that the lab had before, if no other lab has them now. */
export async function takeGuestAddresses(before: LabPorts | undefined): Promise<GuestAddresses> {
  const lease = await leaseNet(before?.guestNet);
  const address = guestAddress(lease.net, 11);
  return {
    net: lease.net,
    sshPort: await firstFree(address, [before?.sshPort, 22, 2222, 22_022], "SSH"),
    databasePort: await firstFree(address, [before?.databasePort, 3306, 33_306, 13_306], "MariaDB"),
    release: () => closeServer(lease.server),
  };
}

export function guestAddress(net: number, host: number): string {
  return `127.0.${net.toString()}.${host.toString()}`;
}

/** A free port for a process that cannot take one by itself; somebody may be faster. */
export function freePort(wanted: number | undefined, what: string): Promise<number> {
  return firstFree("127.0.0.1", candidatePorts(wanted), what);
}

async function leaseNet(wanted: number | undefined): Promise<{ net: number; server: Server }> {
  const others = Array.from({ length: lastNet - firstNet + 1 }, (_, index) => firstNet + index);
  for (const net of wanted === undefined ? others : [wanted, ...others]) {
    const server = createServer((socket) => socket.destroy());
    const held = await listenFirst(server, guestAddress(net, 1), [leasePort], "the lease").then(
      () => true,
      () => false,
    );
    if (!held) continue;
    // The lease must not keep the daemon alive.
    server.unref();
    return { net, server };
  }
  throw labError(`no free guest addresses: every 127.0.x.1:${leasePort.toString()} is in use`);
}

/** A listener of the machine on 0.0.0.0:22 makes 127.0.x.y:22 unavailable: then another port. */
async function firstFree(
  address: string,
  candidates: readonly (number | undefined)[],
  what: string,
): Promise<number> {
  const server = createServer();
  const ports = candidates.filter((port) => port !== undefined);
  const port = await listenFirst(server, address, ports, what);
  await closeServer(server);
  return port;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
