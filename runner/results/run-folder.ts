import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { caseSummarySchema, type CaseSummary } from "./summary";

/** What a run measured. */
export const platformSchema = z.object({
  /** `lab`: emulated, so its figures say nothing about an array. */
  kind: z.enum(["lab", "hardware"]),
  label: z.string(),
  array: z.string(),
  protocol: z.string(),
  software: z.string(),
});
export type Platform = z.infer<typeof platformSchema>;

/** What was run and on what, as declared. Holds no secret. */
export const declarationSchema = z.object({
  caseName: z.string(),
  runId: z.string(),
  bedId: z.string(),
  workload: z.literal("sysbench"),
  /** The workload's own settings. */
  spec: z.record(z.string(), z.unknown()),
  guests: z.array(z.object({ name: z.string(), vmUuid: z.string() })),
  platform: platformSchema.optional(),
});
export type Declaration = z.infer<typeof declarationSchema>;

/** Versions and settings that the run was made with. */
export const environmentSchema = z.object({
  tools: z.record(z.string(), z.string()),
  guests: z.record(
    z.string(),
    z.object({
      clock: z.object({ offsetMs: z.number(), uncertaintyMs: z.number() }).optional(),
      kernel: z.string().optional(),
      server: z.string().optional(),
      datasetFingerprint: z.string().optional(),
      /** SHOW GLOBAL VARIABLES of the database server. */
      variables: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
export type Environment = z.infer<typeof environmentSchema>;

export const manifestSchema = z.object({
  format: z.literal("sanbed-run-1"),
  id: z.string(),
  sanbed: z.string(),
  startAt: z.string().optional(),
  harvestedAt: z.string(),
  verdict: z.enum(["valid", "invalid", "partial"]),
  /** Every file of the run but this one and the journal. */
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A stored run as the report reads it. */
export interface StoredRun {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly declaration: Declaration;
  readonly environment: Environment;
  readonly summary: CaseSummary;
  readonly samplesCsv: string;
  readonly histogramCsv: string;
}

const manifestName = "manifest.json";

/** Writes a file whole: under a temporary name, synced, then renamed. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.part`;
  const file = openSync(part, "w", 0o600);
  try {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(part, path);
}

/**
 * Closes a run folder: lists every file with size and hash in `manifest.json`, written last. A run
 * without its manifest does not exist. Answers the hash of the manifest, which stands for the run.
 */
export async function sealRun(
  folder: string,
  head: Omit<Manifest, "files" | "format">,
): Promise<string> {
  const files = [];
  for (const path of filesBelow(folder)) {
    files.push({
      path,
      bytes: statSync(join(folder, path)).size,
      sha256: await hashFile(join(folder, path)),
    });
  }
  const text = JSON.stringify({ format: "sanbed-run-1", ...head, files }, null, 2);
  writeWhole(join(folder, manifestName), text);
  return createHash("sha256").update(text).digest("hex");
}

/** The manifest of a finished run; undefined: the folder holds none. @throws {Error} when damaged. */
export function readManifest(folder: string): { manifest: Manifest; sha256: string } | undefined {
  const path = join(folder, manifestName);
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, "utf8");
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { manifest: manifestSchema.parse(JSON.parse(text)), sha256 };
}

/** Files of a run that are missing or not what the manifest says. Empty: the run is as it was sealed. */
export async function damagedFiles(folder: string, manifest: Manifest): Promise<string[]> {
  const damaged: string[] = [];
  for (const file of manifest.files) {
    const path = join(folder, file.path);
    const intact = existsSync(path) && (await hashFile(path)) === file.sha256;
    if (!intact) damaged.push(file.path);
  }
  return damaged;
}

/** Reads a sealed run. @throws {Error} when the folder holds none, or one that was changed. */
export async function readRun(folder: string): Promise<StoredRun> {
  const sealed = readManifest(folder);
  if (sealed === undefined)
    throw new Error(`${folder} holds no finished run: manifest.json is missing`);
  const damaged = await damagedFiles(folder, sealed.manifest);
  if (damaged.length > 0) {
    throw new Error(
      `${folder} is not as it was harvested: ${damaged.join(", ")} changed or missing`,
    );
  }
  const text = (name: string): string => readFileSync(join(folder, name), "utf8");
  return {
    folder,
    manifest: sealed.manifest,
    declaration: declarationSchema.parse(JSON.parse(text("declaration.json"))),
    environment: environmentSchema.parse(JSON.parse(text("environment.json"))),
    summary: caseSummarySchema.parse(JSON.parse(text("summary.json"))),
    samplesCsv: text("samples.csv"),
    histogramCsv: text("histogram.csv"),
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => path !== manifestName && path !== "journal.jsonl" && !path.endsWith(".part"))
    .sort();
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
