/** How hosts reach the volumes: SCSI or NVMe commands over Fibre Channel. */
export type DataProtocol = "fcp" | "nvme-fc";
