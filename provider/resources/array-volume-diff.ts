import type { Problem } from "../../bed/errors";
import { formatBytes } from "../../bed/units";

interface VolumeInput {
  readonly name: string;
  /** Bytes as decimal text. */
  readonly sizeBytes: string;
  readonly pool: string;
}

export interface VolumeSetInput {
  readonly generation?: number | undefined;
  readonly volumes: Readonly<Record<string, VolumeInput>>;
}

/**
 * What a change of a volume group must not be. Volumes grow and are added in place. Everything that
 * would destroy data is refused here, in the preview, because when the delete comes the guests are gone
 * already; another `generation` is the explicit wish for a new group. Pure.
 */
export function refusedChanges(olds: VolumeSetInput, news: VolumeSetInput): readonly Problem[] {
  if (olds.generation !== news.generation) return [];
  const anew = "raise `generation` to have the whole group made anew, without its data";
  const problems: Problem[] = [];
  const present = Object.entries(olds.volumes);
  for (const [key, old] of present) {
    const now = news.volumes[key];
    const path = `volumes.${key}`;
    if (now === undefined) {
      const message = `volume ${old.name} cannot leave its group: volumes of a group come and go together`;
      problems.push({ path, message, remedy: anew });
      continue;
    }
    if (now.name !== old.name) {
      const message = `volume ${old.name} cannot become ${now.name}`;
      problems.push({ path: `${path}.name`, message, remedy: anew });
    }
    if (now.pool !== old.pool) {
      const message = `volume ${old.name} cannot move from pool ${old.pool} to ${now.pool}`;
      problems.push({ path: `${path}.pool`, message, remedy: anew });
    }
    if (BigInt(now.sizeBytes) < BigInt(old.sizeBytes)) {
      const [was, wanted] = [BigInt(old.sizeBytes), BigInt(now.sizeBytes)].map(formatBytes);
      problems.push({
        path: `${path}.sizeBytes`,
        message: `volume ${old.name} has ${was ?? ""} and cannot shrink to ${wanted ?? ""}`,
        remedy: `volumes never shrink: ask for at least ${was ?? ""}, or ${anew}`,
      });
    }
  }
  return problems;
}
