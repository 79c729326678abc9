import type { ReviewBed } from "../../bed/review-bed";

/**
 * NetApp AFF A250 over FCP, as reviewed by StorageReview beside its NVMe/FC test. The FCP run used
 * ONTAP 9.8. Sizes and counts are the review's unless they stand under `assumptions`.
 */
export const affA250Fcp: ReviewBed = {
  id: "aff-a250-fcp",
  short: "a250_fcp",
  title: "NetApp AFF A250, FCP, ONTAP 9.8",
  source: "StorageReview, NetApp AFF A250 (NVMe-oF) review, FCP comparison run",
  array: { family: "ontap", model: "AFF A250", software: "9.8", protocol: "fcp" },
  hosts: { perCluster: 4, clusters: 2 },
  host: { pathPolicy: "VMW_PSP_RR", queueDepth: 64 },
  phases: {
    sysbench: {
      workload: "sysbench",
      volumeGroups: {
        sysbench: { count: 32, size: "300 GB", thin: true, firstLun: 10, generation: 1 },
      },
      guest: {
        vcpus: 16,
        memory: "60 GB",
        template: "sysbench",
        disks: [
          { label: "boot", size: "92 GB", on: "site", provisioning: "thin" },
          { label: "prebuilt", size: "447 GB", on: "site", provisioning: "thin" },
          { label: "test", size: "270 GB", on: "sysbench", provisioning: "thick" },
        ],
      },
      cases: [4, 8, 16, 24, 32],
      sysbench: {
        tables: 100,
        rows: 10_000_000,
        threads: 32,
        bufferPool: "24 GB",
        precondition: "2h",
        measure: "1h",
        reportInterval: "10s",
      },
    },
  },
  assumptions: [
    {
      what: "32 volumes",
      value: "32",
      reason:
        "the review does not say it; IOPS x latency of its Vdbench runs never exceeds 32 volumes x threads",
    },
    {
      what: "size of a volume",
      value: "300 GB, thin",
      reason:
        "not stated; one test disk of 270 GB and room for VMFS. 32 of them exceed two pools of 3 TB, so they are thin",
    },
    {
      what: "boot and prebuilt disks on a datastore of the site",
      value: "site",
      reason:
        "the array's pools cannot hold 809 GB for each of 16 guests; the review does not say where they lay",
    },
    {
      what: "cases of 4, 24 and 32 guests",
      value: "4, 24, 32",
      reason: "the review ran 8 and 16; the others are those of its sister reviews",
    },
    {
      what: "round robin",
      value: "VMW_PSP_RR",
      reason: "ONTAP's recommendation for ESXi; the review does not name a policy",
    },
    {
      what: "64 outstanding requests per device",
      value: "64",
      reason: "the default of common FC adapters; the review names none",
    },
    { what: "disk under test thick, not eager-zeroed", value: "thick", reason: "not stated" },
  ],
};
