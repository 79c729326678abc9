import type { BedAssumption, BedFact, ReviewBed } from "../../bed/review-bed";
import { assume, fact, type reviews } from "./reviews";

type Review = keyof typeof reviews;

/** Two clusters of four servers, the same in all five reviews. */
export const servers: ReviewBed["hosts"] = {
  perCluster: 4,
  clusters: 2,
  model: "Dell EMC PowerEdge R740xd",
  memory: "256 GiB",
  cores: 32,
  ports: 2,
};

const configured = ["ef570", "af250s2", "xs5226d"] as const;

/** What is known of the servers: stated where the review prints their configuration, else from those. */
export function serverFacts(review: Review): BedFact[] {
  const own = configured.find((one) => one === review);
  const source = own ?? configured;
  const basis = own === undefined ? "inferred" : own === "ef570" ? "reconstructed" : "stated";
  return [
    fact(
      basis,
      source,
      "servers",
      "two clusters of four Dell EMC PowerEdge R740xd, one for SQL Server and one for MySQL",
      ["hosts.perCluster", "hosts.clusters", "hosts.model"],
    ),
    fact(
      basis,
      source,
      "processors of a server",
      "two Intel Xeon Gold 6130 of 16 cores",
      "hosts.cores",
    ),
    fact(basis, source, "memory of a server", "256 GB", "hosts.memory"),
    fact(
      basis,
      source,
      "Fibre Channel adapter of a server",
      "one Emulex, two ports of 16 Gb",
      "hosts.ports",
    ),
    ...(review === "ef570"
      ? [fact("stated", "ef570", "hosts", "eight, all saturated in the run with 32 guests")]
      : []),
    ...(review === "a800"
      ? [fact("stated", "a800", "links of the hosts", "16 of 16 Gb: eight servers, two ports each")]
      : [
          fact(
            "inferred",
            "a800",
            "links of the hosts",
            "16 of 16 Gb: eight servers, two ports each",
          ),
        ]),
  ];
}

/** vSphere 6.5, stated with the servers. */
export const vsphere65: ReviewBed["hypervisor"] = { product: "VMware vSphere", version: "6.5" };

export function vsphere65Fact(review: Review): BedFact {
  const own = configured.find((one) => one === review);
  return fact(
    own === undefined ? "inferred" : "stated",
    own ?? configured,
    "hypervisor",
    "VMware vSphere 6.5, Enterprise Plus",
    "hypervisor",
  );
}

export const hostSettings: ReviewBed["host"] = {
  pathPolicy: "VMW_PSP_RR",
  queueDepth: 64,
  adapterQueueDepth: 64,
  portQueueDepth: 8192,
};

/** The high-performance plug-in, which claims NVMe devices, has policies of its own. */
export const nvmeHostSettings: ReviewBed["host"] = { ...hostSettings, pathPolicy: "LB-RR" };

/** A device takes what the fullest Vdbench profile keeps in flight on one volume. */
export const vdbenchHost = { queueDepth: 128, adapterQueueDepth: 128 };

export function hostAssumptions(protocol: ReviewBed["array"]["protocol"] = "fcp"): BedAssumption[] {
  return [
    assume(
      "GB of memory",
      "2^30 bytes",
      "hypervisor, databases and memory modules count so; the reviews print GB. Each is then a multiple of 4 MiB, as vSphere wants it",
      [
        "hosts.memory",
        "phases.*.guests.*.memory",
        "phases.sysbench.workload.bufferPool",
        "phases.sqlserver.workload.bufferPool",
      ],
    ),
    assume(
      "GB and TB of disks, volumes and pools",
      "10^9 and 10^12 bytes",
      "drives are sold so, and the reviews print GB and TB; where vSphere or an array counted in 2^30 or 2^40, disks and volumes were 7 and 10 % larger than here",
      ["phases.*.guests.*.disks.*.size", "phases.*.volumeGroups.*.size", "phases.*.pools.*.size"],
    ),
    protocol === "nvme-fc"
      ? assume(
          "round robin",
          nvmeHostSettings.pathPolicy,
          "default of ESXi for NVMe devices of several paths; the review names no policy",
          "host.pathPolicy",
        )
      : assume(
          "round robin",
          hostSettings.pathPolicy,
          "what the vendors recommend for ESXi; the reviews name no policy",
          "host.pathPolicy",
        ),
    assume(
      "64 outstanding requests for each device",
      "64",
      "a choice: the reviews name none. The stated Emulex adapters' own default is another one before 2020 (Linux lpfc: 30, since commit 763a18cb of March 2020 64)",
      "host.queueDepth",
    ),
    assume(
      "128 outstanding requests for each device under Vdbench",
      "128",
      "4,096 requests were in flight on 32 volumes, so each device took 128 at least",
      "phases.vdbench.host.queueDepth",
    ),
    assume(
      "the adapters take as many for one device",
      "64, under Vdbench 128",
      "not stated; set on the hosts beforehand, since a bed cannot (lpfc_lun_queue_depth, 30 by default in the drivers of those years). A site's own `deviceQueueDepth` counts before it",
      ["host.adapterQueueDepth", "phases.vdbench.host.adapterQueueDepth"],
    ),
    assume(
      "outstanding requests of a host port",
      "8192",
      "`lpfc_hba_queue_depth` of Emulex adapters by default; the reviews name none",
      "host.portQueueDepth",
    ),
  ];
}
