import { z } from "zod";
import { ConfigError } from "./errors";
import { parseBedId, type BedId } from "./identities";
import { volumeGroupSchema } from "./review-bed";
import { guestCountField, sizeField } from "./schema-fields";
import { schemaProblems } from "./schema-problems";
import { sqlServerSchema, sysbenchSchema, vdbenchSchema } from "./workload-settings";

/**
 * What a stack says beyond bed and site: which phase, at which scale. Full scale is the review's
 * own; the lab's is smaller. Everything left out is as the review bed declares it.
 */
const scaleSchema = z.strictObject({
  /** Hosts to use, by name. Default: the first hosts of the site's first clusters, as many as the bed has. */
  hosts: z.array(z.string()).min(1).optional(),
  /** Clusters of the bed to use. Default: all that the bed declares. */
  clusters: z.int().min(1).optional(),
  /** Guests of each case. Default: as the review. */
  cases: z
    .array(guestCountField)
    .min(1)
    .refine((cases) => new Set(cases).size === cases.length, "a case is listed twice")
    .optional(),
  volumeGroups: z.record(z.string(), volumeGroupSchema.partial()).optional(),
  /** Guests by class. */
  guests: z
    .record(
      z.string(),
      z
        .strictObject({
          count: guestCountField,
          vcpus: z.int().min(1),
          memory: sizeField,
          /** New sizes of disks, by label; `null` leaves the disk out. */
          disks: z.record(z.string(), sizeField.nullable()),
        })
        .partial(),
    )
    .optional(),
  sysbench: sysbenchSchema.partial().optional(),
  sqlserver: sqlServerSchema.partial().optional(),
  vdbench: vdbenchSchema
    .omit({ profiles: true })
    .extend({
      /** Names of the profiles to run, in this order. Default: all. */
      profiles: z
        .array(z.string())
        .min(1)
        .refine((names) => new Set(names).size === names.length, "a profile is listed twice"),
    })
    .partial()
    .optional(),
});

/** With the word in front that begins its paths. */
const scaledSchema = z.strictObject({ scale: scaleSchema });

export type Scale = z.infer<typeof scaleSchema>;

export interface Settings {
  readonly bedId: BedId;
  readonly stack: string;
  readonly phase: string;
  /** A new value asks for a new measurement on the same bed. */
  readonly runId: string;
  readonly scale: Scale;
}

/**
 * Reads the settings of a stack. All problems at once.
 * @throws {ConfigError}
 */
export function parseSettings(input: {
  bedId: string;
  stack: string;
  phase: string;
  runId: string;
  scale: unknown;
}): Settings {
  const problems = [];
  const bedId = parseBedId(input.bedId);
  if (bedId === undefined) {
    problems.push({
      path: "bedId",
      message:
        input.bedId === ""
          ? "the stack has no bed id"
          : `"${input.bedId}" is no bed id: expected ten characters of a-z and 2-7`,
      remedy: "make one with `npx sanbed id`, once, and keep it in the stack's configuration",
    });
  }
  if (!/^[a-z0-9][a-z0-9._-]{0,23}$/.test(input.runId)) {
    problems.push({
      path: "runId",
      message: `"${input.runId}" is no run id: small letters, digits, dot, dash and underscore, at most 24`,
    });
  }
  const scale = scaledSchema.safeParse({ scale: input.scale });
  if (!scale.success) {
    problems.push(...schemaProblems(scale.error, scaledSchema, { scale: input.scale }));
  }
  if (problems.length > 0 || bedId === undefined || !scale.success) {
    throw new ConfigError(problems, "the stack's configuration has problems");
  }
  return { bedId, stack: input.stack, phase: input.phase, runId: input.runId, ...scale.data };
}
