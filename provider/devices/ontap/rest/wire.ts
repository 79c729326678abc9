import { z } from "zod";

/**
 * Shapes of the ONTAP REST API, as far as they are read (ONTAP REST API Reference, releases 9.8 and
 * 9.9.1), with what they mean. Unknown fields pass; fields that a release leaves out when they are unset
 * are optional.
 */

/** Sizes; from here on they are bigint. Beyond 2^53 they come as such (see `parseJson`). */
export const bytes = z.union([z.int(), z.bigint()]).transform((value) => BigInt(value));

export const named = z.looseObject({ name: z.string() });

export const clusterShape = z.looseObject({
  name: z.string(),
  uuid: z.string(),
  version: z.looseObject({
    full: z.string(),
    generation: z.int(),
    major: z.int(),
    minor: z.int(),
  }),
});

export type WireCluster = z.infer<typeof clusterShape>;

/** The page of a collection. An empty one says so: anything without `records` is no answer of ONTAP. */
export const pageShape = z.looseObject({
  records: z.array(z.unknown()),
  _links: z.looseObject({ next: z.looseObject({ href: z.string() }).optional() }).optional(),
});

const codeText = z.union([z.string(), z.number()]).transform(String);

const errorContent = z.looseObject({
  message: z.string().optional(),
  code: codeText.optional(),
  target: z.string().optional(),
});

export const errorShape = z.looseObject({ error: errorContent });

export const jobReferenceShape = z.looseObject({ job: z.looseObject({ uuid: z.string() }) });

export const jobShape = z.looseObject({
  uuid: z.string(),
  state: z.string(),
  message: z.string().optional(),
  code: codeText.optional(),
  error: errorContent.optional(),
});
