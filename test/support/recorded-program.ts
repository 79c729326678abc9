import * as pulumi from "@pulumi/pulumi";

/** A resource as a program declared it, before the engine saw it. */
export interface Declared {
  readonly resource: pulumi.Resource;
  /** `sanbed:array:VolumeSet` */
  readonly type: string;
  readonly name: string;
  /** As given: outputs are still outputs. */
  readonly props: pulumi.Inputs;
  readonly opts: pulumi.CustomResourceOptions;
}

/** What an output knows of itself beyond its type. */
interface OutputParts {
  promise(): Promise<unknown>;
  allResources(): Promise<Set<pulumi.Resource>>;
  readonly isSecret: Promise<boolean>;
}

/** Names of the resources that each resource needs: by its inputs, by `dependsOn`, or as its parent. */
export type Needs = ReadonlyMap<string, ReadonlySet<string>>;

/** A program that has run against mocks: everything that it declared. */
export class RecordedProgram {
  constructor(readonly declared: readonly Declared[]) {}

  ofType(type: string): Declared[] {
    return this.declared.filter((one) => one.type === type);
  }

  named(name: string): Declared {
    const found = this.declared.find((one) => one.name === name);
    if (found === undefined) {
      throw new Error(`no "${name}" among ${this.declared.map((one) => one.name).join(", ")}`);
    }
    return found;
  }

  /** Inputs with every output replaced by its value. */
  async inputs(name: string): Promise<Record<string, unknown>> {
    const { props } = this.named(name);
    return (await partsOf(pulumi.output(props)).promise()) as Record<string, unknown>;
  }

  /** Names of the resources that one input is made of. */
  async madeOf(value: unknown): Promise<Set<string>> {
    const resources = await partsOf(pulumi.output(value)).allResources();
    return new Set([...resources].flatMap((one) => this.nameOf(one) ?? []));
  }

  async isSecret(value: unknown): Promise<boolean> {
    return partsOf(pulumi.output(value)).isSecret;
  }

  /** Everything that each resource directly needs. */
  async needs(): Promise<Needs> {
    const entries = this.declared.map(async ({ name, props, opts }) => {
      const needed = await this.madeOf(props);
      const others = [opts.parent, ...(await resolved(opts.dependsOn))];
      for (const other of others) {
        const otherName = other && this.nameOf(other);
        if (otherName !== undefined) needed.add(otherName);
      }
      return [name, needed] as const;
    });
    return new Map(await Promise.all(entries));
  }

  private nameOf(resource: pulumi.Resource): string | undefined {
    return this.declared.find((one) => one.resource === resource)?.name;
  }
}

/** Whether `name` stands only once everything under `other` stands, and is removed before. */
export function comesAfter(needs: Needs, name: string, other: string): boolean {
  const seen = new Set<string>();
  const visit = (current: string): boolean => {
    if (seen.has(current)) return false;
    seen.add(current);
    return [...(needs.get(current) ?? [])].some((next) => next === other || visit(next));
  };
  return visit(name);
}

/**
 * Runs a program against mocks that answer inputs as outputs, and volumes and target ports with
 * identities made of their names.
 *
 * @param build - hands the options that it is given to every component that it makes
 */
export async function recordProgram(
  build: (opts: pulumi.ComponentResourceOptions) => void,
): Promise<RecordedProgram> {
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs }) => ({
        id: `${name}-id`,
        state: { ...(inputs as object), ...madeByDevices(type, name, inputs as DeviceInputs) },
      }),
      call: ({ token, inputs }) => ({ ...(inputs as object), id: `${token}-id`, guestId: "other" }),
    },
    "test",
    "lab",
  );
  const declared: Declared[] = [];
  build({
    transformations: [
      ({ resource, type, name, props, opts }) => {
        declared.push({ resource, type, name, props: props, opts });
        return undefined;
      },
    ],
  });
  await Promise.all(declared.map(({ resource }) => partsOf(resource.urn).promise()));
  return new RecordedProgram(declared);
}

interface DeviceInputs {
  readonly name?: string;
  readonly volumes?: Readonly<Record<string, { readonly name: string }>>;
  readonly ports?: Readonly<Record<string, object>>;
}

function madeByDevices(type: string, name: string, inputs: DeviceInputs): object {
  switch (type) {
    case "sanbed:array:VolumeSet":
      return {
        set: inputs.volumes,
        devices: mapValues(inputs.volumes, (volume) => `naa.${volume.name}`),
      };
    case "sanbed:array:NamespaceSet":
      return {
        set: inputs.volumes,
        devices: mapValues(inputs.volumes, (volume) => `uuid.${volume.name}`),
      };
    case "sanbed:array:HostGroup":
      return { groupName: inputs.name, subsystemNqn: `nqn of ${inputs.name ?? ""}` };
    case "sanbed:array:Targets":
      return {
        targetPorts: mapValues(inputs.ports, (_, key) => ({
          wwpn: `wwpn of ${key}`,
          wwnn: `wwnn of ${key}`,
        })),
      };
    case "vsphere:index/virtualMachine:VirtualMachine":
      return { uuid: `uuid of ${name}` };
    default:
      return {};
  }
}

function mapValues<T, U>(
  record: Readonly<Record<string, T>> | undefined,
  change: (value: T, key: string) => U,
): Record<string, U> {
  return Object.fromEntries(
    Object.entries(record ?? {}).map(([key, value]) => [key, change(value, key)]),
  );
}

async function resolved(
  dependsOn: pulumi.ResourceOptions["dependsOn"],
): Promise<pulumi.Resource[]> {
  const value = await partsOf(pulumi.output(dependsOn as pulumi.Input<unknown>)).promise();
  if (value === undefined) return [];
  return (Array.isArray(value) ? value : [value]) as pulumi.Resource[];
}

function partsOf(output: pulumi.Output<unknown>): OutputParts {
  return output as unknown as OutputParts;
}
