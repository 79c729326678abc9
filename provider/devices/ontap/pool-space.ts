import { DeviceError, isDeviceError } from "../../../bed/errors";
import { formatBytes } from "../../../bed/units";
import type { VolumeSpec } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import { flexVolBytes } from "./volume-decisions";

/**
 * A failed job tells of missing space in words only: the figures say whether that was it. Answers the
 * error to throw.
 */
export async function explainSpace(
  ontap: OntapGateway,
  call: DeviceCall,
  spec: VolumeSpec,
  error: unknown,
): Promise<unknown> {
  if (!isDeviceError(error, "refused", "protocol") || call.signal.aborted) return error;
  const needed = flexVolBytes(spec.sizeBytes);
  const [pool] = await ontap.aggregates.list(call, spec.pool).catch(() => []);
  const free = pool?.freeBytes;
  if (free === undefined || spec.thin || needed <= free) return error;
  return new DeviceError({
    kind: "refused",
    device: ontap.device,
    operation: "create volume",
    object: spec.name,
    reason: `pool ${spec.pool} has ${formatBytes(free)} free, the volume needs ${formatBytes(needed)} (its size and a tenth for metadata)`,
    remedy: "Use a larger pool, smaller or fewer volumes, or thin ones.",
    vendorCode: error.vendorCode,
    cause: error,
  });
}
