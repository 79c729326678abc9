import type { BedAssumption, BedFact, GuestClass } from "../../bed/review-bed";
import { assume, fact, type reviews } from "./reviews";

type Review = keyof typeof reviews;
type Disks = GuestClass["disks"];

const disk = (
  label: string,
  size: string,
  on: string,
  provisioning: "thin" | "thick" | "eager",
  more: Partial<Disks[number]> = {},
): Disks[number] => ({ label, size, on, provisioning, place: 0, controller: 0, ...more });

/** A Sysbench guest. `rest`: where boot and prebuilt disks lie. */
export function sysbenchGuest(group: string, rest: string): GuestClass {
  return {
    role: "test",
    prefix: "g",
    firstAddress: 0,
    vcpus: 16,
    memory: "60 GiB",
    template: "sysbench",
    os: "CentOS 6.3, 64 bit",
    software: "Percona XtraDB 5.5.30-rel30.1",
    adapter: "lsilogic-sas",
    disks: [
      disk("boot", "92 GB", rest, "thin"),
      disk("prebuilt", "447 GB", rest, "thin"),
      disk("test", "270 GB", group, "thick"),
    ],
  };
}

/** A SQL Server guest: both disks on one volume of the group. */
export function sqlServerGuest(group: string): GuestClass {
  return {
    role: "test",
    prefix: "sql",
    clusters: [2],
    firstAddress: 0,
    vcpus: 16,
    memory: "64 GiB",
    template: "sqlserver",
    os: "Windows Server 2012 R2",
    software: "Microsoft SQL Server 2014",
    adapter: "lsilogic-sas",
    disks: [disk("boot", "100 GB", group, "thin"), disk("data", "500 GB", group, "thick")],
  };
}

/** Load generators, one for each SQL Server, on the other cluster. */
export function sqlDriver(): GuestClass {
  return {
    role: "driver",
    prefix: "drv",
    clusters: [1],
    firstAddress: 16,
    vcpus: 8,
    memory: "32 GiB",
    template: "sqldriver",
    adapter: "pvscsi",
    disks: [disk("boot", "60 GB", "site", "thin")],
  };
}

/** Eight Vdbench workers with four volumes each: one disk, one controller, one datastore a volume. */
export function vdbenchWorker(group: string, dataSize: string): GuestClass {
  const data = [0, 1, 2, 3].map((place) =>
    disk(`data${(place + 1).toString()}`, dataSize, group, "eager", { place, controller: place }),
  );
  return {
    role: "test",
    prefix: "vdb",
    firstAddress: 0,
    vcpus: 8,
    memory: "16 GiB",
    template: "vdbench",
    adapter: "pvscsi",
    queues: { disk: 254, adapter: 1024 },
    disks: [disk("boot", "40 GB", "site", "thin"), ...data],
  };
}

const sysbench = "phases.sysbench.guests.sysbench";
const sqlserver = "phases.sqlserver.guests.sqlserver";

export function guestFacts(review: Review): BedFact[] {
  const basis = review === "ef570" ? "reconstructed" : "stated";
  const of = (what: string, value: string, paths: string[] = [], how: BedFact["basis"] = basis) =>
    fact(how, review, what, value, paths);
  return [
    of("Sysbench guest", "16 virtual CPUs, 60 GB", [`${sysbench}.vcpus`, `${sysbench}.memory`]),
    of("Sysbench disks", "boot about 92 GB, prebuilt database about 447 GB, under test 270 GB", [
      `${sysbench}.disks.*.size`,
      `${sysbench}.disks.*.label`,
    ]),
    of(
      "Sysbench software",
      "CentOS 6.3 64-bit, Percona XtraDB 5.5.30-rel30.1",
      [`${sysbench}.os`, `${sysbench}.software`],
      "stated",
    ),
    of(
      "SCSI controller",
      "LSI Logic SAS",
      [`${sysbench}.adapter`, `${sqlserver}.adapter`],
      "stated",
    ),
    of("SQL Server guest", "16 virtual CPUs, 64 GB", [`${sqlserver}.vcpus`, `${sqlserver}.memory`]),
    of("SQL Server disks", "boot 100 GB, 500 GB for database and log files together", [
      `${sqlserver}.disks.*.size`,
      `${sqlserver}.disks.*.label`,
    ]),
    of("SQL Server footprint", "600 GB allocated, 500 GB used", [], "stated"),
    of(
      "SQL Server software",
      "Windows Server 2012 R2, Microsoft SQL Server 2014",
      [`${sqlserver}.os`, `${sqlserver}.software`],
      "stated",
    ),
  ];
}

export function guestAssumptions(): BedAssumption[] {
  const classes = ["sysbench.guests.sysbench", "sqlserver.guests.sqlserver"]
    .concat(["sqlserver.guests.drivers", "vdbench.guests.vdbench"])
    .map((name) => `phases.${name}`);
  return [
    assume(
      "provisioning of Sysbench disks",
      "boot and prebuilt thin, the disk under test thick and not zeroed",
      "not stated",
      `${sysbench}.disks.*.provisioning`,
    ),
    assume(
      "place and provisioning of SQL Server disks",
      "both on one datastore of the array, boot thin, data thick",
      "the footprint of 600 GB for each guest counts both; provisioning is not stated",
      [`${sqlserver}.disks.*.on`, `${sqlserver}.disks.*.provisioning`],
    ),
    assume(
      "where SQL Server guests run",
      "on the second cluster",
      "a site names the cluster for MySQL first and that for SQL Server second; the databases were spread evenly over the servers",
      `${sqlserver}.clusters`,
    ),
    assume(
      "load generators of the SQL Server test",
      "one for each database on the first cluster: 8 virtual CPUs, 32 GiB, a boot disk of 60 GB on the site's datastore",
      "the reviews name the tool, not where it ran; it must not run on the servers under test",
      "phases.sqlserver.guests.drivers",
    ),
    ...workerAssumptions(),
    assume(
      "hosts of the Sysbench guests",
      "all of both clusters, in every case",
      "stated as needed for more than 16 guests only, by their memory; with 16 and fewer one cluster of four would hold them. Over all hosts no case is bound by the CPUs of four",
      "phases.sysbench.cases",
    ),
    assume(
      "names, templates and addresses of guests",
      "short names, one template for each kind, addresses in the site's order",
      "a matter of the site",
      classes.flatMap((path) => [
        `${path}.role`,
        `${path}.prefix`,
        `${path}.template`,
        `${path}.firstAddress`,
        `${path}.disks.*.place`,
        `${path}.disks.*.controller`,
      ]),
    ),
  ];
}

function workerAssumptions(): BedAssumption[] {
  return [
    assume(
      "Vdbench workers",
      "eight guests, one for each host, four volumes each: one VMFS datastore and one eager-zeroed disk on its own PVSCSI controller a volume (a machine has four: the first one has the boot disk as well)",
      "the reviews say a cluster of servers drove 32 volumes; raw device mappings are left out, NVMe has none",
      ["phases.vdbench.guests.vdbench", "phases.vdbench.cases"],
    ),
    assume(
      "size of a Vdbench worker",
      "8 virtual CPUs, 16 GiB, a boot disk of 40 GB on the site's datastore",
      "not stated; 4 x 128 threads of Java on four volumes need no more",
      [
        "phases.vdbench.guests.vdbench.vcpus",
        "phases.vdbench.guests.vdbench.memory",
        "phases.vdbench.guests.vdbench.disks.0.size",
      ],
    ),
    assume(
      "queues of the Vdbench workers",
      "254 requests a disk, 1,024 a controller",
      "not stated; PVSCSI takes 64 and 256 by itself, and 128 requests are in flight on a volume: the template sets it (Linux: vmw_pvscsi.cmd_per_lun=254 vmw_pvscsi.ring_pages=32)",
      "phases.vdbench.guests.vdbench.queues",
    ),
  ];
}
