import { z } from "zod";
import { durationField, sizeField, windowField } from "./schema-fields";

/**
 * Settings of the workloads of a bed. Drivers of some are not built yet: they can be planned all the
 * same (`not-built.ts` says which cannot be brought up).
 */

const rateField = z.number().positive();

/** Sysbench OLTP, on every guest of the case against its own database. */
export const sysbenchSchema = z.strictObject({
  tables: z.int().min(1),
  /** Rows of each table. */
  rows: z.int().min(1),
  /** Threads of each guest. */
  threads: z.int().min(1),
  bufferPool: sizeField,
  precondition: durationField,
  measure: windowField,
  reportInterval: windowField,
  /** Transactions per second of all guests together, by guests of the case. For estimates only. */
  expectedTps: z.record(z.string().regex(/^\d+$/), rateField).default({}),
  /** What one transaction makes the array write, at most. For estimates only. */
  bytesWrittenPerTransaction: sizeField,
});

/** TPC-C on SQL Server: users with think time, driven from guests of their own. */
export const sqlServerSchema = z.strictObject({
  /** Warehouses of each database. */
  scale: z.int().min(1),
  /** Virtual users of each database. */
  usersPerGuest: z.int().min(1),
  /** Mean time of a user between the end of a transaction and the next one, in milliseconds. */
  thinkTimeMs: z.number().min(0),
  /** I/Os that one database keeps in flight, for the check of queue depths. */
  outstandingPerGuest: z.int().min(1),
  /** Memory that the database server may take. */
  bufferPool: sizeField,
  /** Data of one database after loading. */
  dataPerGuest: sizeField,
  precondition: durationField,
  measure: windowField,
  /** What one transaction makes the array write, at most. For estimates only. */
  bytesWrittenPerTransaction: sizeField,
  /** The tool that drives the users. */
  driver: z.enum(["hammerdb", "benchmark-factory"]),
});

/** Part of a profile with its own mix; `skewPercent` is its share of the requests. */
const vdbenchStreamSchema = z.strictObject({
  skewPercent: z.number().min(0).max(100).default(100),
  /** Transfer sizes of reads in KiB with their share in per cent. */
  readKib: z.record(z.string().regex(/^\d+$/), z.number().positive()).optional(),
  writeKib: z.record(z.string().regex(/^\d+$/), z.number().positive()).optional(),
  readPercent: z.number().min(0).max(100),
  /** 100: every request at random; 0: sequential. */
  seekPercent: z.number().min(0).max(100),
});

const vdbenchProfileSchema = z.strictObject({
  /** `published`: as the review states it; `community`: a public script of the same family; `stand-in`: a guess. */
  provenance: z.enum(["published", "community", "stand-in"]),
  /** Requests in flight on each volume. */
  threadsPerVolume: z.int().min(1),
  streams: z.array(vdbenchStreamSchema).min(1),
  /** Published peak of all volumes together, requests per second. For estimates only. */
  expectedIops: rateField.optional(),
});

/** Vdbench: every profile as a curve over all volumes. */
export const vdbenchSchema = z.strictObject({
  /** By name, in the order in which they run. */
  profiles: z.record(z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), vdbenchProfileSchema),
  /** Points of the curve in per cent of the highest rate, which is measured first. */
  curvePercent: z.array(z.int().min(1).max(200)).min(1),
  warmup: durationField,
  /** Measured part of each point. */
  measure: windowField,
  reportInterval: windowField,
  /** What the volumes are filled with before the first profile, as a multiple of their size. */
  fillFactor: z.number().min(0),
});

export const workloadSchema = z.discriminatedUnion("kind", [
  sysbenchSchema.extend({ kind: z.literal("sysbench") }),
  sqlServerSchema.extend({ kind: z.literal("sqlserver") }),
  vdbenchSchema.extend({ kind: z.literal("vdbench") }),
]);

export type WorkloadSettings = z.infer<typeof workloadSchema>;
export type SysbenchSettings = Extract<WorkloadSettings, { kind: "sysbench" }>;
export type SqlServerSettings = Extract<WorkloadSettings, { kind: "sqlserver" }>;
export type VdbenchSettings = Extract<WorkloadSettings, { kind: "vdbench" }>;
export type VdbenchProfile = z.infer<typeof vdbenchProfileSchema>;
