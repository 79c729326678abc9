import { z } from "zod";
import { ConfigError, type Problem } from "../../bed/errors";
import { schemaProblems } from "../../bed/schema-problems";
import { deviceConnection, isSwitchKind } from "../../bed/site/device";
import { partialSite } from "../../bed/site/partial";
import { deviceProblems, sameSwitch } from "../../bed/site/problems";
import { siteSchema } from "../../bed/site/schema";
import { checkDevices } from "../../provider/devices/registry";
import { deviceKinds } from "../../provider/resources/provider-config";

const deviceName = z.looseObject({ device: z.string().min(1) });

/**
 * What discovery begins with: the devices and how to reach them. It has the form of a site file whose
 * other parts are missing or, when it is done again, there: what a person decided in them stays.
 */
const seedSchema = z.strictObject({
  ...Object.fromEntries(Object.keys(siteSchema.shape).map((key) => [key, z.unknown().optional()])),
  name: z.string().min(1),
  devices: z.record(z.string(), deviceConnection),
  fabrics: z.looseObject({ A: deviceName, B: deviceName }).optional(),
  array: deviceName.optional(),
  hypervisor: deviceName.optional(),
});

export interface Seed {
  readonly name: string;
  readonly devices: Readonly<Record<string, z.infer<typeof deviceConnection>>>;
  readonly fabrics: { readonly A: string; readonly B: string };
  readonly array: string;
  readonly hypervisor: string;
  /** The file as it stands: what was decided in it is kept. */
  readonly given: unknown;
}

/**
 * Reads the beginning of a site. All problems at once.
 * @throws {ConfigError}
 */
export function parseSeed(input: unknown): Seed {
  const parsed = seedSchema.safeParse(input);
  const problems = parsed.success ? [] : schemaProblems(parsed.error, seedSchema, input);
  if (!parsed.success) throw new ConfigError(problems, "the file does not say whom to ask");
  const { name, devices, fabrics, array, hypervisor } = parsed.data;
  problems.push(...checkDevices(deviceKinds, devices), ...deviceProblems(partialSite(input)));
  const kinds = new Map(Object.entries(devices).map(([key, { kind }]) => [key, kind]));
  const seed = {
    name,
    devices,
    fabrics: {
      A: one(kinds, "fabrics.A", fabrics?.A.device, isSwitchKind, "switch of fabric A", problems),
      B: one(kinds, "fabrics.B", fabrics?.B.device, isSwitchKind, "switch of fabric B", problems),
    },
    array: one(kinds, "array", array?.device, isArrayKind, "array", problems),
    hypervisor: one(kinds, "hypervisor", hypervisor?.device, isVcenter, "vCenter", problems),
    given: input,
  };
  if (seed.fabrics.A !== "" && seed.fabrics.A === seed.fabrics.B) problems.push(sameSwitch);
  if (problems.length > 0) throw new ConfigError(problems, "the file does not say whom to ask");
  return seed;
}

const isVcenter = (kind: string): boolean => kind === "vcenter";
const isArrayKind = (kind: string): boolean => !isSwitchKind(kind) && !isVcenter(kind);

/** The device that is named, or the only one there is of its kind. */
function one(
  kinds: ReadonlyMap<string, string>,
  path: string,
  named: string | undefined,
  fits: (kind: string) => boolean,
  what: string,
  problems: Problem[],
): string {
  const candidates = [...kinds].filter(([, kind]) => fits(kind)).map(([key]) => key);
  if (named !== undefined && candidates.includes(named)) return named;
  if (named === undefined && candidates.length === 1) return candidates[0] ?? "";
  const listed = candidates.join(", ") || "none";
  problems.push({
    path: `${path}.device`,
    message: named === undefined ? `is missing: which is the ${what}` : `is no ${what}`,
    remedy: `the devices have ${listed}`,
  });
  return "";
}
