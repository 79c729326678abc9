import { readFileSync } from "node:fs";
import { systemClock } from "../../provider/devices/clock";
import { openGuestShell } from "../../provider/devices/guest-ssh/guest-ssh";
import { runCase } from "../../runner/run-case";
import { orderFor, type ChildOrder } from "./plain-guests";

/** Runs one case in a process of its own, which the test then kills. Reads its order from a file. */
const order = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as ChildOrder;
const seats = order.guests.map((guest) => {
  const resolve = () => Promise.resolve(guest.privateKey);
  const shell = openGuestShell(guest.address, { resolve });
  const place = { shell, workRoot: guest.workRoot, supervisor: "session" as const };
  return { name: guest.name, vmUuid: guest.vmUuid, place, socket: guest.socket };
});
const call = {
  signal: new AbortController().signal,
  status: (message: string) => process.stdout.write(`${message}\n`),
};
void runCase(
  { call, clock: systemClock },
  orderFor(order.bedId, order.id, order.spec, seats, order.runsFolder),
);
