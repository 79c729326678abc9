import type { Problem } from "./errors";
import type { GuestClass, Phase } from "./review-bed";
import type { Scale } from "./settings";
import type { VdbenchSettings, WorkloadSettings } from "./workload-settings";

/** A phase as the stack's configuration scales it. What the bed does not have goes to `problems`. */
export function scaledPhase(phase: Phase, scale: Scale, problems: Problem[]): Phase {
  return {
    ...phase,
    volumeGroups: scaledVolumeGroups(phase, scale, problems),
    cases: scale.cases ?? phase.cases,
    guests: scaledGuests(phase, scale, problems),
    workload: scaledWorkload(phase.workload, scale, problems),
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
    const { count, size, thin, firstLun, generation, ...more } = { ...base, ...defined(change) };
    if (count === undefined || size === undefined || thin === undefined || firstLun === undefined) {
      problems.push({
        path: `scale.volumeGroups.${name}`,
        message: "a volume group that the bed does not have needs count, size, thin and firstLun",
      });
      continue;
    }
    problems.push(...unknownPools(phase, change.pools ?? [], `scale.volumeGroups.${name}.pools`));
    volumeGroups[name] = { count, size, thin, firstLun, generation: generation ?? 1, ...more };
  }
  return volumeGroups;
}

function unknownPools(phase: Phase, keys: readonly string[], path: string): Problem[] {
  return keys.flatMap((key, index) =>
    phase.pools[key] === undefined
      ? [
          {
            path: `${path}[${index.toString()}]`,
            message: `the bed has no pool "${key}" in this phase`,
            remedy: `its pools are ${Object.keys(phase.pools).join(", ")}`,
          },
        ]
      : [],
  );
}

function scaledGuests(phase: Phase, scale: Scale, problems: Problem[]): Phase["guests"] {
  const guests: Phase["guests"] = { ...phase.guests };
  for (const [name, change] of Object.entries(scale.guests ?? {})) {
    const base = guests[name];
    if (base === undefined) {
      problems.push({
        path: `scale.guests.${name}`,
        message: "the bed has no such guests in this phase",
        remedy: `its guests are ${Object.keys(phase.guests).join(", ")}`,
      });
      continue;
    }
    guests[name] = scaledClass(base, change, `scale.guests.${name}`, problems);
  }
  return guests;
}

function scaledClass(
  base: GuestClass,
  change: NonNullable<Scale["guests"]>[string],
  path: string,
  problems: Problem[],
): GuestClass {
  const sizes = change.disks ?? {};
  for (const label of Object.keys(sizes)) {
    if (!base.disks.some((disk) => disk.label === label)) {
      problems.push({
        path: `${path}.disks.${label}`,
        message: "the bed's guests have no such disk",
        remedy: `their disks are ${base.disks.map((disk) => disk.label).join(", ")}`,
      });
    }
  }
  return {
    ...base,
    count: change.count ?? base.count,
    vcpus: change.vcpus ?? base.vcpus,
    memory: change.memory ?? base.memory,
    // null leaves a disk out.
    disks: base.disks.flatMap((disk) => {
      const size = sizes[disk.label];
      return size === null ? [] : [{ ...disk, size: size ?? disk.size }];
    }),
  };
}

function scaledWorkload(
  workload: WorkloadSettings,
  scale: Scale,
  problems: Problem[],
): WorkloadSettings {
  for (const kind of ["sysbench", "sqlserver", "vdbench"] as const) {
    if (scale[kind] !== undefined && kind !== workload.kind) {
      problems.push({
        path: `scale.${kind}`,
        message: `this phase runs ${workload.kind}`,
        remedy: "scale the workload of the phase, or choose another phase",
      });
    }
  }
  switch (workload.kind) {
    case "sysbench":
      return { ...workload, ...defined(scale.sysbench ?? {}) };
    case "sqlserver":
      return { ...workload, ...defined(scale.sqlserver ?? {}) };
    case "vdbench": {
      const { profiles, ...rest } = scale.vdbench ?? {};
      return {
        ...workload,
        ...defined(rest),
        profiles: chosenProfiles(workload, profiles, problems),
      };
    }
  }
}

function chosenProfiles(
  { profiles }: VdbenchSettings,
  names: readonly string[] | undefined,
  problems: Problem[],
): VdbenchSettings["profiles"] {
  if (names === undefined) return profiles;
  const chosen: VdbenchSettings["profiles"] = {};
  names.forEach((name, index) => {
    const profile = profiles[name];
    if (profile !== undefined) chosen[name] = profile;
    else {
      problems.push({
        path: `scale.vdbench.profiles[${index.toString()}]`,
        message: `the bed has no profile "${name}"`,
        remedy: `its profiles are ${Object.keys(profiles).join(", ")}`,
      });
    }
  });
  return chosen;
}

/** The object without the members that are undefined, so that a spread does not erase defaults. */
function defined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
