import type { BedAssumption, BedFact } from "../../bed/review-bed";
import type { VdbenchProfile } from "../../bed/workload-settings";
import { assume, fact, type reviews } from "./reviews";
import type { ProfileName, PublishedRates } from "./published-rates";

type Stream = VdbenchProfile["streams"][number];
type Profile = Omit<VdbenchProfile, "expectedIops">;

const stream = (
  readPercent: number,
  seekPercent: number,
  readKib: Record<string, number>,
  writeKib: Record<string, number> = readKib,
  skewPercent = 100,
): Stream => ({
  skewPercent,
  readPercent,
  seekPercent,
  ...(readPercent === 0 ? {} : { readKib }),
  ...(readPercent === 100 ? {} : { writeKib }),
});

const published = (threadsPerVolume: number, one: Stream): Profile => ({
  provenance: "published",
  threadsPerVolume,
  streams: [one],
});
const community = (threadsPerVolume: number, ...streams: Stream[]): Profile => ({
  provenance: "community",
  threadsPerVolume,
  streams,
});

const vdiReads = {
  boot: { "4": 40, "8": 15, "16": 20, "32": 20, "64": 5 },
  login: { "4": 45, "8": 15, "16": 15, "32": 20, "64": 5 },
};
const vdiWrites = {
  boot: { "4": 60, "8": 20, "16": 20 },
  initial: { "4": 60, "8": 15, "16": 10, "32": 10, "64": 5 },
  monday: { "4": 65, "8": 15, "16": 10, "32": 10 },
};
const vdi = (
  threadsPerVolume: number,
  kind: keyof typeof vdiWrites,
  readPercent: number,
  seekPercent: number,
): Profile => ({
  provenance: "stand-in",
  threadsPerVolume,
  streams: [
    stream(
      readPercent,
      seekPercent,
      kind === "boot" ? vdiReads.boot : vdiReads.login,
      vdiWrites[kind],
    ),
  ],
});

const profiles: Readonly<Record<ProfileName, Profile>> = {
  "random-read-4k": published(128, stream(100, 100, { "4": 100 })),
  "random-write-4k": published(64, stream(0, 100, { "4": 100 })),
  "seq-read-64k": published(16, stream(100, 0, { "64": 100 })),
  "seq-write-64k": published(8, stream(0, 0, { "64": 100 })),
  sql: community(32, stream(97, 100, { "8": 100 })),
  "sql-90-10": community(32, stream(90, 100, { "8": 100 })),
  "sql-80-20": community(32, stream(80, 100, { "8": 100 })),
  oracle: community(
    40,
    stream(80, 100, { "8": 100 }, { "8": 100 }, 99),
    stream(1, 0.1, { "64": 100 }, { "64": 100 }, 1),
  ),
  "oracle-90-10": community(20, stream(90, 100, { "8": 100 })),
  "oracle-80-20": community(20, stream(80, 100, { "8": 100 })),
  "vdi-fc-boot": vdi(32, "boot", 90, 80),
  "vdi-fc-initial-login": vdi(28, "initial", 25, 75),
  "vdi-fc-monday-login": vdi(16, "monday", 35, 75),
  "vdi-lc-boot": vdi(16, "boot", 85, 85),
  "vdi-lc-initial-login": vdi(8, "initial", 25, 85),
  "vdi-lc-monday-login": vdi(16, "monday", 30, 85),
};

/** The sixteen profiles, with the peaks that an array reached. */
export function vdbenchProfiles({ vdbenchIops }: PublishedRates): Record<string, VdbenchProfile> {
  return Object.fromEntries(
    Object.entries(profiles).map(([name, profile]) => {
      const expectedIops = vdbenchIops[name];
      return [name, expectedIops === undefined ? profile : { ...profile, expectedIops }];
    }),
  );
}

const at = (names: string): string => `phases.vdbench.workload.profiles.${names}`;

export function vdbenchFacts(review: keyof typeof reviews): BedFact[] {
  return [
    fact(
      "stated",
      review,
      "four corners",
      "4 KiB random read 128 threads and write 64, 64 KiB sequential read 16 and write 8, rate 0 to 120 %",
      ["random-read-4k", "random-write-4k", "seq-read-64k", "seq-write-64k"].map(at),
    ),
    fact(
      "derived",
      review,
      "threads are for each volume, of 32 volumes",
      "requests per second times latency is 4,096, 2,048, 512 and 256 at saturation",
      [],
      "stated for the AFF A800 only; all five reviews meet it",
    ),
    fact(
      "stated",
      review,
      "names of the other profiles",
      "SQL, SQL 90-10, SQL 80-20, Oracle, Oracle 90-10, Oracle 80-20; VDI full and linked clone: boot, initial login, Monday login",
    ),
  ];
}

export function vdbenchAssumptions(): BedAssumption[] {
  const databases = ["sql", "sql-90-10", "sql-80-20", "oracle", "oracle-90-10", "oracle-80-20"];
  return [
    assume(
      "block sizes and read shares of the SQL and Oracle profiles",
      "8 KiB random, 97, 90 and 80 % read; Oracle with 1 % of 64 KiB log writes",
      "not published; a public script has the same six names and the same curve (ckarthik1994/VdbenchAutomation), and the published peaks agree with it. Consistent with the review's, not known to be the same",
      databases.map(at),
    ),
    assume(
      "threads of the SQL and Oracle profiles",
      "32 (SQL), 40 (Oracle), 20 (Oracle 90-10 and 80-20) for each volume",
      "not published; requests per second times latency over 32 volumes at saturation",
      databases.map((name) => `${at(name)}.threadsPerVolume`),
    ),
    assume(
      "mixes of the VDI profiles",
      "stand-ins: 4 to 64 KiB, boot mostly read, logins mostly written",
      "the replayed traces are not public; a guess, never to be compared with the review",
      ["vdi-fc-boot", "vdi-fc-initial-login", "vdi-fc-monday-login"]
        .concat(["vdi-lc-boot", "vdi-lc-initial-login", "vdi-lc-monday-login"])
        .map(at),
    ),
    assume(
      "points of the curve",
      "10 to 120 % in steps of 10",
      "the review gives 0 to 120 %; the first steps printed for the AFF A800 are about 10 % of the peak",
      "phases.vdbench.workload.curvePercent",
    ),
    assume(
      "times of the curve",
      "warm-up 30 s, measured 60 s a point, report every 5 s",
      "not published; the public script warms up for 30 s and measures 30 s",
      [
        "phases.vdbench.workload.warmup",
        "phases.vdbench.workload.measure",
        "phases.vdbench.workload.reportInterval",
      ],
    ),
    assume(
      "filling",
      "every volume once before the first profile",
      "not published; volumes that were never written answer from metadata alone",
      "phases.vdbench.workload.fillFactor",
    ),
  ];
}
