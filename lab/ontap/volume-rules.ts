import type { Container, JsonObject } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { ArrayContext } from "./context";
import { OntapFault } from "./faults";
import { poolFreeBytes } from "./pools";
import { svmRef } from "./svm-lookup";

const maxNameLength = 203;

/** FlexVol attributes with the defaults of an AFF where the preset says nothing. */
export function efficiencyOf(container: DeepReadonly<Container>): JsonObject {
  const own = container.attributes["efficiency"] as JsonObject | undefined;
  const off = { compression: "none", dedupe: "none", cross_volume_dedupe: "none" };
  return {
    compression: "inline",
    dedupe: "both",
    compaction: "inline",
    cross_volume_dedupe: "both",
    policy: { name: "auto" },
    ...own,
    // Switched off as a whole (`volume efficiency off`); the settings are kept for when it is on again.
    ...(container.attributes["efficiencyOff"] === true ? off : {}),
  };
}

/** Bytes that thick LUNs hold in their FlexVol beyond what was written. */
export function reservedBytes(ctx: ArrayContext, containerId: string): bigint {
  return Object.values(ctx.view.volumes)
    .filter((lun) => lun.containerId === containerId && !lun.thin)
    .reduce((sum, lun) => sum + (lun.sizeBytes - (ctx.world.usedBytes(lun.id) ?? 0n)), 0n);
}

export function checkVolumeName(ctx: ArrayContext, svmId: string, name: string): void {
  if (name.length > maxNameLength) {
    throw new OntapFault(
      "917888",
      `The volume name is longer than ${maxNameLength} characters.`,
      "name",
    );
  }
  if (!/^[A-Za-z_]/.test(name)) {
    throw new OntapFault("917886", "A volume name starts with a letter or an underscore.", "name");
  }
  if (!/^[A-Za-z0-9_]+$/.test(name)) {
    throw new OntapFault(
      "917887",
      "A volume name holds letters, digits and underscores only.",
      "name",
    );
  }
  const taken = Object.values(ctx.view.containers).some(
    (container) => container.tenantId === svmId && container.name === name,
  );
  if (taken) {
    const svm = svmRef(ctx, svmId).name;
    throw new OntapFault(
      "917526",
      `Volume "${name}" already exists in SVM "${svm}". Volume names must be unique within an SVM.`,
      "name",
    );
  }
}

/** @throws {OntapFault} with the text that ONTAP's volume jobs use when a pool is too small. */
export function checkSpace(
  ctx: ArrayContext,
  name: string,
  poolId: string,
  neededBytes: bigint,
): void {
  const free = poolFreeBytes(ctx, poolId);
  if (neededBytes <= free) return;
  const pool = ctx.view.pools[poolId]?.name ?? "";
  throw new OntapFault(
    "460770",
    `Request to create volume "${name}" failed because there is not enough space in aggregate ` +
      `"${pool}". Either create ${human(neededBytes - free)} of free space in the aggregate or ` +
      `select a size of at most ${human(free)} for the new volume.`,
  );
}

function human(bytes: bigint): string {
  const gib = Number((bytes * 100n) / 1024n ** 3n) / 100;
  return gib >= 1 ? `${gib.toString()}GB` : `${(bytes / 1024n ** 2n).toString()}MB`;
}
