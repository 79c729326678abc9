import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { RequestLog } from "../../provider/devices/request-log";
import { openMds, openSwitch } from "./device-rig";
import type { TestSwitch } from "./handler-rig";
import type { TestLab, TestLabOptions } from "./lab";

/** What the suites over all families of switches need to know of one. */
export interface FabricFamily {
  readonly name: string;
  readonly lab: TestLabOptions;
  /**
   * Aliases are a database of their own, committed on their own: when the process dies in between, ours may be
   * there without their zones.
   */
  readonly aliasesApart?: true;
  /** Before a test. */
  prepare(lab: TestLab): void;
  /**
   * A driver as a new process would open it; `sent` is told after each of its requests. One that will be
   * killed leaves what a killed one leaves.
   */
  open(lab: TestLab, device: string, options?: OpenOptions): TestSwitch;
  /**
   * Another administrator takes the place of whoever edits the zoning, and goes on editing. False where
   * he is refused.
   */
  takeOver(lab: TestLab, device: string): boolean;
  /** He saves what he has and takes it back again. Throws when he is not editing any more. */
  finish(lab: TestLab, device: string): Promise<void>;
  /** Every process that was opened before is dead from now on; resolves when the switches have ended their work. */
  killed(lab: TestLab): Promise<void>;
}

interface OpenOptions {
  readonly sent?: (device: string) => void;
  /** It, or one before it, will be killed. */
  readonly mortal?: boolean;
  /** Somebody else's transaction stands in its way: it is waited for and then named. */
  readonly crowded?: boolean;
}

/**
 * Thousands of runs wait for the same things: as long as it takes to look again, not as long as a switch
 * would like it. Who stays in the way is given up soon where he surely stays.
 */
const impatient = (crowded = false) => ({
  ...{ pollMs: 4, busyMs: 4, throttledMs: 4 },
  ...(crowded ? { lockWaitMs: 40 } : {}),
});

export const brocade: FabricFamily = {
  name: "Brocade FOS",
  // Both ways of the lab in one: with and without a fabric lock.
  lab: { profiles: { fabricA: "9.1.1b", fabricB: "8.2.3c" } },
  open: (lab, device, { sent, mortal, crowded } = {}) => {
    const log = told(sent);
    const kept = mortal === true ? { stateFolder: stateFolder(lab) } : {};
    return openSwitch(lab, device, impatient(crowded), {}, { log, ...kept });
  },
  // A session whose login was answered into the void cannot be given back; one a step and switch is lost so.
  prepare: (lab) => {
    for (const device of ["fabricA", "fabricB"]) tamper(lab, device, "set-session-cap", { cap: 6 });
  },
  takeOver: (lab, device) => {
    tamper(lab, device, "drop-transaction");
    tamper(lab, device, "open-transaction");
    return true;
  },
  finish: (lab, device) => {
    tamper(lab, device, "commit-transaction");
    tamper(lab, device, "remove-object", { name: "other_admin_wip" });
    return Promise.resolve();
  },
  killed: (lab) => {
    disownSessions(lab);
    return Promise.resolve();
  },
};

const otherPorts = ["50:06:01:60:c7:e0:11:05", "50:06:01:60:c7:e0:11:06"];

export const mds: FabricFamily = {
  name: "Cisco MDS",
  // Both ways of the lab in one: fabric A in enhanced mode, fabric B in basic mode, which has no lock.
  lab: { shape: { fabric: "cisco-mds" } },
  aliasesApart: true,
  open: (lab, device, { sent, crowded } = {}) =>
    openMds(lab, device, impatient(crowded), {}, { log: told(sent) }),
  prepare: (lab) => {
    for (const device of ["fabricA", "fabricB"]) {
      tamper(lab, device, "set-readings", { activationMs: 8, aliasCommitMs: 8 });
    }
  },
  takeOver: (lab, device) => {
    if (device === "fabricB") {
      tamper(lab, device, "edit-defined", { name: "other_admin_wip", members: otherPorts });
      return true;
    }
    try {
      tamper(lab, device, "drop-transaction");
      tamper(lab, device, "open-transaction");
      return true;
    } catch (error) {
      // While a commit is under way nobody gets in.
      if (!String(error).includes("update in progress")) throw error;
      return false;
    }
  },
  finish: async (lab, device) => {
    if (device === "fabricA") {
      tamper(lab, device, "commit-transaction");
      await settled(lab, device);
    }
    tamper(lab, device, "remove-object", { name: "other_admin_wip" });
  },
  // What a killed process leaves is known by the switch's own list of what is pending. An activation goes on.
  killed: async (lab) => {
    await Promise.all(["fabricA", "fabricB"].map((device) => settled(lab, device)));
  },
};

export const fabricFamilies: readonly FabricFamily[] = [brocade, mds];

/** The zone server has ended what it was at. */
async function settled(lab: TestLab, device: string): Promise<void> {
  const isAt = (): unknown => (tamper(lab, device, "zone-session") as { running: unknown }).running;
  while (isAt() !== null) await setTimeout(2);
}

function told(sent: OpenOptions["sent"]): RequestLog {
  return new RequestLog({
    sink: (record) => {
      sent?.(record.device);
    },
  });
}

function tamper(
  lab: TestLab,
  device: string,
  action: string,
  args: Record<string, string | number | string[]> = {},
): unknown {
  const found = lab.lab?.tamperActions()[device]?.[action];
  if (found === undefined) throw new Error(`${device} cannot ${action}`);
  return found.run(args);
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
