import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RequestLog } from "../../provider/devices/request-log";
import { openSwitch } from "./device-rig";
import type { TestSwitch } from "./handler-rig";
import type { TestLab, TestLabOptions } from "./lab";

/** What the suites over all families of switches need to know of one. */
export interface FabricFamily {
  readonly name: string;
  readonly lab: TestLabOptions;
  /** Before a campaign. */
  prepare(lab: TestLab): void;
  /**
   * A driver as a new process would open it; `sent` is told after each of its requests. One that will be
   * killed leaves what a killed one leaves.
   */
  open(lab: TestLab, device: string, options?: OpenOptions): TestSwitch;
  /** Another administrator takes the place of whoever edits the zoning, and goes on editing. */
  takeOver(lab: TestLab, device: string): void;
  /** He saves what he has and takes it back again. Throws when he is not editing any more. */
  finish(lab: TestLab, device: string): void;
  /** Every process that was opened before is dead from now on. */
  killed(lab: TestLab): void;
}

interface OpenOptions {
  readonly sent?: (device: string) => void;
  /** It, or one before it, will be killed. */
  readonly mortal?: boolean;
}

const brocade: FabricFamily = {
  name: "Brocade FOS",
  // Both ways of the lab in one: with and without a fabric lock.
  lab: { profiles: { fabricA: "9.1.1b", fabricB: "8.2.3c" } },
  open: (lab, device, { sent, mortal } = {}) => {
    const log = new RequestLog({
      sink: (record) => {
        sent?.(record.device);
      },
    });
    const kept = mortal === true ? { stateFolder: stateFolder(lab) } : {};
    return openSwitch(lab, device, {}, {}, { log, ...kept });
  },
  // A session whose login was answered into the void cannot be given back; one a step and switch is lost so.
  prepare: (lab) => {
    for (const device of ["fabricA", "fabricB"]) tamper(lab, device, "set-session-cap", { cap: 6 });
  },
  takeOver: (lab, device) => {
    tamper(lab, device, "drop-transaction");
    tamper(lab, device, "open-transaction");
  },
  finish: (lab, device) => {
    tamper(lab, device, "commit-transaction");
    tamper(lab, device, "remove-object", { name: "other_admin_wip" });
  },
  killed: disownSessions,
};

export const fabricFamilies: readonly FabricFamily[] = [brocade];

function tamper(
  lab: TestLab,
  device: string,
  action: string,
  args: Record<string, string | number> = {},
): void {
  const found = lab.lab?.tamperActions()[device]?.[action];
  if (found === undefined) throw new Error(`${device} cannot ${action}`);
  found.run(args);
}

const stateFolder = (lab: TestLab): string => join(lab.dir, "bed", "sessions");

/** Sessions that a driver of this process noted become those of a process that is no more. */
function disownSessions(lab: TestLab): void {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  for (const name of readdirSync(stateFolder(lab))) {
    const file = join(stateFolder(lab), name);
    const record = JSON.parse(readFileSync(file, "utf8")) as { owner: { pid: number } };
    record.owner.pid = pid;
    writeFileSync(file, JSON.stringify(record));
  }
}
