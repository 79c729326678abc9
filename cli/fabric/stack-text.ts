import { z } from "zod";
import { SanbedError } from "../../bed/errors";

/** What the engine writes in place of a value that is not known yet (Pulumi SDK, `unknownValue`). */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const zonesType = "sanbed:fabric:HostZones";
const providerType = "pulumi:providers:sanbed";

const resourceShape = z.looseObject({
  urn: z.string(),
  type: z.string(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});
type Resource = z.infer<typeof resourceShape>;

const stepShape = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: resourceShape.optional(),
  newState: resourceShape.optional(),
});

const previewShape = z.looseObject({ steps: z.array(stepShape) });
const exportShape = z.looseObject({
  deployment: z.looseObject({ resources: z.array(resourceShape).optional() }),
});

/** One host's zones, as a stack has or will have them. */
export interface StackHost {
  readonly name: string;
  readonly change: "ensure" | "remove";
  readonly inputs: Readonly<Record<string, unknown>> | undefined;
  /** The recorded state of what is there. */
  readonly recorded: Readonly<Record<string, unknown>> | undefined;
}

export interface StackText {
  /** Settings of the provider; undefined where the text does not have them. */
  readonly provider: Readonly<Record<string, unknown>> | undefined;
  readonly hosts: readonly StackHost[];
  /** Hosts whose inputs are not all known before the `up` has made something. */
  readonly unknown: readonly string[];
}

/**
 * Reads what `pulumi preview --json` or `pulumi stack export` printed. A preview has the changes of the next
 * `up`, removals included; an export has what is recorded: then what differs from it is looked for, or
 * with `destroy` what a destroy would do. Pure.
 * @throws {SanbedError} when it is neither.
 */
export function readStackText(text: string, destroy: boolean): StackText {
  const json = parseJson(text);
  const preview = previewShape.safeParse(json);
  if (preview.success) return fromPreview(preview.data.steps);
  const exported = exportShape.safeParse(json);
  if (exported.success) return fromExport(exported.data.deployment.resources ?? [], destroy);
  throw new SanbedError(
    "config",
    "this is neither what `pulumi preview --json` prints nor what `pulumi stack export` does",
  );
}

function fromPreview(steps: readonly z.infer<typeof stepShape>[]): StackText {
  const states = steps.flatMap(({ oldState, newState }) => newState ?? oldState ?? []);
  const hosts = steps.flatMap(({ op, oldState, newState }): StackHost[] => {
    const state = newState ?? oldState;
    if (state?.type !== zonesType) return [];
    const name = nameOf(state.urn);
    switch (op) {
      case "create":
      case "create-replacement":
      case "update":
        return [{ name, change: "ensure", inputs: newState?.inputs, recorded: oldState?.outputs }];
      case "delete":
      case "delete-replaced":
        return [{ name, change: "remove", inputs: undefined, recorded: oldState?.outputs }];
      default:
        // The same, or only the engine's own bookkeeping.
        return [];
    }
  });
  return split(hosts, providerOf(states));
}

function fromExport(resources: readonly Resource[], destroy: boolean): StackText {
  const hosts = resources
    .filter(({ type }) => type === zonesType)
    .map(({ urn, inputs, outputs }): StackHost => ({
      name: nameOf(urn),
      change: destroy ? "remove" : "ensure",
      inputs: destroy ? undefined : inputs,
      recorded: outputs,
    }));
  return split(hosts, providerOf(resources));
}

function split(hosts: readonly StackHost[], provider: StackText["provider"]): StackText {
  const isKnown = ({ inputs }: StackHost): boolean =>
    !JSON.stringify(inputs ?? {}).includes(unknownText);
  return {
    provider,
    hosts: hosts.filter(isKnown),
    unknown: hosts.filter((host) => !isKnown(host)).map(({ name }) => name),
  };
}

function providerOf(resources: readonly Resource[]): StackText["provider"] {
  const inputs = resources.find(({ type }) => type === providerType)?.inputs;
  if (inputs === undefined) return undefined;
  const { devices } = inputs;
  // SDKs send it as text.
  return { ...inputs, devices: typeof devices === "string" ? parseJson(devices) : devices };
}

function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
