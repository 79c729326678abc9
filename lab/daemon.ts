import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { SanbedError } from "../bed/errors";
import { formatLogLine } from "./daemon-log";
import { type ControlFile, LabFolder, writeJson } from "./folder";
import { Lab } from "./lab";
import type { LevelProbe } from "./levels";
import type { LabShape } from "./presets/lab-shape";
import { startTicks } from "./processes";

/**
 * The lab's daemon. Started by `sanbed lab up` (lab/start.ts) with its standard output on the lab's log;
 * at level A as PID 1 of its own mount and PID namespaces. Its pid as the host sees it comes in
 * `SANBED_LAB_PID` and `SANBED_LAB_PID_START`, which inside the namespace it cannot know.
 */
async function main(): Promise<void> {
  // A log that cannot be written (a full disk) must not end the lab.
  process.stdout.on("error", () => undefined);
  const { values } = parseArgs({
    options: {
      dir: { type: "string" },
      probe: { type: "string" },
      profiles: { type: "string" },
      shape: { type: "string" },
      "san-binary": { type: "string" },
      "guest-tree": { type: "string" },
    },
  });
  if (values.dir === undefined || values.probe === undefined) {
    throw new Error(
      "usage: daemon --dir FOLDER --probe JSON [--profiles JSON] [--shape JSON] [--san-binary FILE]",
    );
  }
  const folder = new LabFolder(values.dir);
  const token = randomBytes(24).toString("base64url");
  const probe = JSON.parse(values.probe) as LevelProbe;
  const lab = await Lab.start({
    dir: folder.path,
    probe,
    profiles: JSON.parse(values.profiles ?? "{}") as Record<string, string>,
    shape: JSON.parse(values.shape ?? "{}") as Partial<LabShape>,
    sanBinary: values["san-binary"],
    guestTree: values["guest-tree"],
    token,
    pid: hostPid(),
    log,
  });
  writeJson(folder.control, controlFile(lab, token));
  log(`ready at level ${lab.level}`);
  const reason = await Promise.race([
    lab.downRequested().then(() => "asked over the control port"),
    signal("SIGTERM"),
    signal("SIGINT"),
  ]);
  log(`stopping: ${reason}`);
  await lab.stop();
  folder.removeControl();
  log("stopped");
}

function controlFile(lab: Lab, token: string): ControlFile {
  const pid = hostPid();
  return {
    pid,
    pidStart: Number(process.env["SANBED_LAB_PID_START"] ?? startTicks(pid)),
    port: lab.ports.control,
    token,
    startedAt: lab.startedAt,
    level: lab.level,
  };
}

function hostPid(): number {
  return Number(process.env["SANBED_LAB_PID"] ?? process.pid);
}

function signal(name: NodeJS.Signals): Promise<string> {
  return new Promise((resolve) => {
    process.once(name, () => {
      resolve(name);
    });
  });
}

function log(line: string): void {
  process.stdout.write(formatLogLine(line));
}

main().then(
  // Whatever still holds the event loop (a dropped connection) must not keep the namespace alive.
  () => process.exit(0),
  (error: unknown) => {
    // What is meant for people needs no stack.
    if (error instanceof SanbedError) log(error.message);
    else log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  },
);
