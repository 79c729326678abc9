import type { BedPlan } from "../bed-plan";
import type { Problem } from "../errors";

/**
 * Path policies belong to the plug-in that claims the devices: `VMW_PSP_...` to NMP, which has those of SCSI, `LB-...`
 * to HPP, which has those of NVMe (vSphere Storage, "VMware High Performance Plug-In and Path Selection
 * Schemes"). A host refuses the other's, on every device, in the middle of an update.
 */
export function hostProblems({ bed, hostSettings }: BedPlan): Problem[] {
  const { pathPolicy } = hostSettings;
  const nvme = bed.array.protocol === "nvme-fc";
  if (!pathPolicy.startsWith(nvme ? "VMW_" : "LB-")) return [];
  return [
    {
      path: "host.pathPolicy",
      message: `${pathPolicy} is no path policy of devices over ${bed.array.protocol}`,
      remedy: nvme ? "LB-RR, LB-IOPS, LB-BYTES, LB-Latency or FIXED" : "VMW_PSP_RR",
    },
  ];
}
