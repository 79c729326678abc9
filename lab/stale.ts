import { labError } from "./emulator/lab-error";
import type { LabFolder } from "./folder";
import { removeStaleCgroups } from "./guests/leftovers";
import { removeProcessGuests } from "./guests/level-c-room";
import { isAlive } from "./processes";

/**
 * Removes what a lab that was killed has left: its control file and the cgroup directories that it
 * listed. At levels A and B its processes, mounts and loop devices went with its namespaces; at level
 * C the guests' processes are ended.
 * @throws {SanbedError} `lab` when its daemon lives.
 */
export async function cleanStaleLab(folder: LabFolder): Promise<void> {
  const control = folder.readControl();
  if (control !== undefined && isAlive({ pid: control.pid, start: control.pidStart })) {
    throw labError(
      `the daemon of ${folder.path} (pid ${control.pid.toString()}) lives but does not answer; ` +
        "stop it with `sanbed lab down`",
    );
  }
  folder.removeControl();
  await removeStaleCgroups(folder.path);
  await removeProcessGuests(folder.path);
}
