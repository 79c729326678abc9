import type { Problem } from "./errors";
import type { Phase } from "./review-bed";
import type { Scale } from "./settings";

/** A phase as the stack's configuration scales it. What the bed does not have goes to `problems`. */
export function scaledPhase(phase: Phase, scale: Scale, problems: Problem[]): Phase {
  return {
    ...phase,
    volumeGroups: scaledVolumeGroups(phase, scale, problems),
    cases: scale.cases ?? phase.cases,
    guest: scaledGuest(phase, scale.guest ?? {}, problems),
    sysbench: { ...phase.sysbench, ...defined(scale.sysbench ?? {}) },
  };
}

function scaledVolumeGroups(
  phase: Phase,
  scale: Scale,
  problems: Problem[],
): Phase["volumeGroups"] {
  const volumeGroups: Phase["volumeGroups"] = { ...phase.volumeGroups };
  for (const [name, change] of Object.entries(scale.volumeGroups ?? {})) {
    const base = volumeGroups[name];
    const { count, size, thin, firstLun, generation } = { ...base, ...defined(change) };
    if (count === undefined || size === undefined || thin === undefined || firstLun === undefined) {
      problems.push({
        path: `scale.volumeGroups.${name}`,
        message: "a volume group that the bed does not have needs count, size, thin and firstLun",
      });
      continue;
    }
    volumeGroups[name] = { count, size, thin, firstLun, generation: generation ?? 1 };
  }
  return volumeGroups;
}

function scaledGuest(
  { guest }: Phase,
  scale: NonNullable<Scale["guest"]>,
  problems: Problem[],
): Phase["guest"] {
  const sizes = scale.disks ?? {};
  for (const label of Object.keys(sizes)) {
    if (!guest.disks.some((disk) => disk.label === label)) {
      problems.push({
        path: `scale.guest.disks.${label}`,
        message: "the bed's guests have no such disk",
      });
    }
  }
  return {
    ...guest,
    vcpus: scale.vcpus ?? guest.vcpus,
    memory: scale.memory ?? guest.memory,
    // null leaves a disk out.
    disks: guest.disks.flatMap((disk) => {
      const size = sizes[disk.label];
      return size === null ? [] : [{ ...disk, size: size ?? disk.size }];
    }),
  };
}

/** The object without the members that are undefined, so that a spread does not erase defaults. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
