import { createServer, type Server } from "node:net";
import { labError } from "./emulator/lab-error";
import type { LabPorts } from "./folder";

/** Port on `127.0.<net>.1` that a running lab holds: no second lab takes the same guest addresses. */
const leasePort = 20_021;
const firstNet = 21;
const lastNet = 250;

/** The ports of a lab and the socket that holds its guest addresses. */
export interface HeldPorts {
  readonly ports: LabPorts;
  release(): Promise<void>;
}

/**
 * Takes the ports of a lab: those it had before, as far as they are still free, else others.
 * @param devices names of the devices that need a port.
 */
export async function takePorts(
  devices: readonly string[],
  before: LabPorts | undefined,
): Promise<HeldPorts> {
  const taken: Record<string, number> = {};
  for (const device of devices) taken[device] = await freePort(before?.devices[device]);
  const control = await freePort(before?.control);
  const lease = await leaseNet(before?.guestNet);
  const address = guestAddress(lease.net, 11);
  return {
    ports: {
      control,
      devices: taken,
      guestNet: lease.net,
      sshPort: await firstFree(address, [before?.sshPort, 22, 2222, 22_022]),
      databasePort: await firstFree(address, [before?.databasePort, 3306, 33_306, 13_306]),
    },
    release: () => closeServer(lease.server),
  };
}

export function guestAddress(net: number, host: number): string {
  return `127.0.${net.toString()}.${host.toString()}`;
}

async function freePort(wanted: number | undefined): Promise<number> {
  for (const port of wanted === undefined ? [0] : [wanted, 0]) {
    const server = await tryListen("127.0.0.1", port);
    if (server === undefined) continue;
    const address = server.address();
    await closeServer(server);
    if (address !== null && typeof address === "object") return address.port;
  }
  throw labError("no free port on 127.0.0.1");
}

async function leaseNet(wanted: number | undefined): Promise<{ net: number; server: Server }> {
  const others = Array.from({ length: lastNet - firstNet + 1 }, (_, index) => firstNet + index);
  for (const net of wanted === undefined ? others : [wanted, ...others]) {
    const server = await tryListen(guestAddress(net, 1), leasePort);
    if (server === undefined) continue;
    server.on("connection", (socket) => socket.destroy());
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
): Promise<number> {
  for (const port of candidates) {
    if (port === undefined) continue;
    const server = await tryListen(address, port);
    if (server === undefined) continue;
    await closeServer(server);
    return port;
  }
  throw labError(`none of the ports ${candidates.join(", ")} is free on ${address}`);
}

function tryListen(address: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => {
      resolve(undefined);
    });
    server.listen(port, address, () => {
      resolve(server);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
}
