import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SanbedError } from "../../bed/errors";
import {
  isSurelyDead,
  processIdentitySchema,
  thisProcess,
  type ProcessIdentity,
} from "../../provider/devices/process-identity";
import { withLock } from "../../tools/setup/lock";

/** What `.sanbed/demo.json` says of the demo that has the stack `lab`, or had it when it was killed. */
interface DemoRecord {
  readonly process: ProcessIdentity;
  /** ISO 8601 */
  readonly startedAt: string;
  /** It began to build: what stands on the stack is its own. */
  readonly built: boolean;
}

/** The demo's right to the stack `lab` of one checkout. */
export interface DemoClaim {
  /** When the demo began that left its bed behind; undefined: what stands on the stack is not a demo's. */
  readonly leftSince: Date | undefined;
  /** From now on what stands on the stack is this demo's. */
  building(): void;
  /** The stack is empty, or was never touched. */
  release(): void;
}

/** @throws {SanbedError} while another demo of this checkout lives. */
export function claimDemo(projectRoot: string): Promise<DemoClaim> {
  const folder = path.join(projectRoot, ".sanbed");
  const file = path.join(folder, "demo.json");
  mkdirSync(folder, { recursive: true });
  return withLock(path.join(folder, "demo.lock"), undefined, () => {
    const earlier = readRecord(file);
    if (earlier !== undefined && !isSurelyDead(earlier.process)) {
      throw new SanbedError(
        "demo",
        `another demo of this checkout runs since ${earlier.startedAt} (process ${earlier.process.pid.toString()}), and the ` +
          "bed on the stack is its own. Nothing was changed. Wait until it has ended, or stop it with Ctrl-C.",
      );
    }
    const left = earlier?.built === true ? earlier : undefined;
    const own = { process: thisProcess() };
    // What an earlier demo left stays a demo's, should this one be killed before it is down.
    const record = left ?? { startedAt: new Date().toISOString(), built: false };
    writeRecord(file, { ...record, ...own });
    return Promise.resolve({
      leftSince: left === undefined ? undefined : new Date(left.startedAt),
      building: () => {
        writeRecord(file, { ...own, startedAt: new Date().toISOString(), built: true });
      },
      release: () => {
        rmSync(file, { force: true });
      },
    });
  });
}

/** A record that was cut by a crash says nothing: what stands is then not known to be a demo's. */
function readRecord(file: string): DemoRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, "utf8")) as DemoRecord;
    return processIdentitySchema.safeParse(record.process).success ? record : undefined;
  } catch {
    return undefined;
  }
}

function writeRecord(file: string, record: DemoRecord): void {
  writeFileSync(file, `${JSON.stringify(record)}\n`);
}
