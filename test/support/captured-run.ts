import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Declaration, Platform } from "../../runner/results/run-folder";
import type { JobDeclaration } from "../../runner/stages/launch";
import { sealCase, type SealedCase } from "../../runner/stages/seal";
import { sysbenchCaseSchema, type SysbenchCase } from "../../runner/workloads/sysbench/plan";
import { readCapture } from "../runner/workloads/sysbench/capture";

/** The case that the capture `checkpoint-histogram` was made with. */
export const capturedCase: SysbenchCase = sysbenchCaseSchema.parse({
  tables: 4,
  rows: 25_000,
  threads: 32,
  preconditionSeconds: 4,
  measureSeconds: 4,
  reportIntervalSeconds: 1,
});

export const labPlatform: Platform = {
  kind: "lab",
  label: "lab, level A",
  array: "NetApp AFF A250",
  protocol: "fcp",
  software: "9.8",
};

export interface CapturedGuest {
  readonly name: string;
  /** Name of the capture that the guest printed. */
  readonly capture: string;
  /** Milliseconds after the common start at which its load began. */
  readonly lateMs?: number;
}

const startAtMs = Date.parse("2026-11-30T18:00:00Z");

/** A run folder as the harvest leaves it, with captured output, sealed. */
export function sealCaptured(
  folder: string,
  guests: readonly CapturedGuest[],
  changes: { platform?: Platform; caseName?: string; spec?: SysbenchCase } = {},
): Promise<SealedCase> {
  const spec = changes.spec ?? capturedCase;
  const declaration: Declaration = {
    caseName: changes.caseName ?? `oltp-${guests.length.toString()}vm`,
    runId: "r1",
    bedId: "abcdefghij",
    workload: "sysbench",
    spec,
    guests: guests.map(({ name }) => ({ name, vmUuid: `uuid-${name}` })),
    platform: changes.platform ?? labPlatform,
  };
  for (const { name, capture, lateMs = 0 } of guests) {
    const own = join(folder, "guests", name);
    mkdirSync(own, { recursive: true });
    const { stdout, stderr, exitCode } = readCapture(capture);
    const began = ((startAtMs + lateMs) / 1000).toFixed(3);
    const job: JobDeclaration = {
      kind: "run",
      declaration,
      guest: name,
      startAtMs,
      limitSeconds: 100,
      facts: {
        clock: { offsetMs: 0.2, uncertaintyMs: 1 },
        kernel: "6.1.0",
        sysbench: "sysbench 1.0.20",
        server: "10.11.19-MariaDB",
        datasetFingerprint: "00",
        variables: { innodb_buffer_pool_size: "67108864" },
      },
    };
    writeFileSync(join(own, "stdout"), stdout);
    writeFileSync(join(own, "stderr"), stderr);
    writeFileSync(join(own, "exit"), `${exitCode.toString()} ${(startAtMs + 8000).toString()}\n`);
    writeFileSync(join(own, "started"), `${began}\n`.repeat(spec.threads));
    writeFileSync(join(own, "job.json"), JSON.stringify(job));
  }
  return sealCase({ id: "run-1", folder, declaration, spec }, new Map(), false);
}
