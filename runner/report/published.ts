import { z } from "zod";
import * as affA250 from "./published/storagereview-aff-a250.json";

const recordSchema = z.object({
  array: z.string(),
  mode: z.enum(["fcp", "nvme-fc"]).nullable(),
  guests: z.number(),
  metric: z.enum(["tps", "avg_latency_ms", "p99_latency_ms"]),
  value: z.number(),
  unit: z.string(),
  qualifier: z.enum(["exact", "approx", "over", "under"]),
  /** `reconstructed`: displaced in the text that it was read from, and put back. */
  confidence: z.enum(["stated", "reconstructed"]),
  note: z.string(),
});

const publishedSchema = z.object({
  source: z.string(),
  protocol: z.object({
    tables: z.number(),
    rows: z.number(),
    threads: z.number(),
    preconditionSeconds: z.number(),
    measureSeconds: z.number(),
    bufferPoolBytes: z.string(),
    server: z.string(),
  }),
  software: z.array(z.object({ array: z.string(), mode: z.string(), software: z.string() })),
  records: z.array(recordSchema),
});
export type Published = z.infer<typeof publishedSchema>;

/** One published case: its figures by metric. */
export interface PublishedCase {
  readonly source: string;
  readonly array: string;
  readonly mode: string | undefined;
  readonly guests: number;
  readonly tps: number | undefined;
  /** Plain mean of the guests' means, as the reviews print it. */
  readonly avgMs: number | undefined;
  readonly p99Ms: number | undefined;
}

/** Figures that StorageReview published, with the protocol that they were measured by. */
export function publishedSysbench(): Published {
  return publishedSchema.parse(affA250);
}

/** Cases of an array and protocol with the most guests last. Empty: nothing was published. */
export function publishedCases(published: Published, array: string, mode: string): PublishedCase[] {
  const records = published.records.filter((r) => sameArray(r.array, array) && r.mode === mode);
  const value = (guests: number, metric: string): number | undefined =>
    records.find((r) => r.guests === guests && r.metric === metric)?.value;
  return [...new Set(records.map((r) => r.guests))]
    .sort((a, b) => a - b)
    .map((guests) => ({
      source: published.source,
      array,
      mode,
      guests,
      tps: value(guests, "tps"),
      avgMs: value(guests, "avg_latency_ms"),
      p99Ms: value(guests, "p99_latency_ms"),
    }));
}

/** With or without the vendor's name in front: `AFF A250`, `NetApp AFF A250`. */
export function sameArray(published: string, array: string): boolean {
  return array !== "" && (published === array || published.endsWith(` ${array}`));
}
