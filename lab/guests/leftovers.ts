import path from "node:path";
import { removeListedCgroups } from "./cgroups";
import { restoreHostLimits } from "./host-limits";

/**
 * Removes what a killed lab leaves: its control groups, and a raised kernel setting. Everything else, processes, mounts
 * and loop devices, ended with its namespaces. Only for a lab that no longer runs.
 *
 * @param labDir - the lab folder; `cgroups.txt` in it lists the directories
 * @returns directories that were removed, and those that still hold processes
 */
export async function removeStaleCgroups(
  labDir: string,
): Promise<{ removed: string[]; left: string[] }> {
  const list = path.join(labDir, "cgroups.txt");
  const result = await removeListedCgroups(list);
  await restoreHostLimits(list);
  return result;
}
