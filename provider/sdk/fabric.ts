// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";
import { packageVersion, required } from "./version";

/** Aliases and single-initiator zones of one host on both fabrics, enabled on both or on none. */
export class HostZones extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:fabric:HostZones";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): HostZones {
    return new HostZones(name, undefined as never, { ...opts, id });
  }

  /** True for a HostZones, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is HostZones {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === HostZones.__pulumiType;
  }

  /** Name of the host. */
  declare public readonly host: pulumi.Output<string>;

  /** What the host needs on each fabric, `A` and `B`. */
  declare public readonly fabrics: pulumi.Output<Record<string, HostZonesSide>>;

  /** Aliases and zones that were made: by fabric, then by adapter. */
  declare public readonly owned: pulumi.Output<Record<string, HostZonesOwned>>;

  /** Effective zone configuration that the zones joined, by fabric. */
  declare public readonly configurations: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: HostZonesArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<HostZonesArgs> = (args as HostZonesArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.fabrics, "fabrics");
        required(given.host, "host");
      }
      inputs["host"] = given.host;
      inputs["fabrics"] = given.fabrics;
      inputs["owned"] = undefined;
      inputs["configurations"] = undefined;
    } else {
      inputs["host"] = undefined;
      inputs["fabrics"] = undefined;
      inputs["owned"] = undefined;
      inputs["configurations"] = undefined;
    }
    const own = { version: packageVersion };
    super(HostZones.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link HostZones}. */
export interface HostZonesArgs {
  /** Name of the host. */
  readonly host: pulumi.Input<string>;
  /** What the host needs on each fabric, `A` and `B`. */
  readonly fabrics: pulumi.Input<Record<string, pulumi.Input<HostZonesSideArgs>>>;
}

/** Ports that are logged in to a fabric, from its name server. */
export function getFabricLogins(args: GetFabricLoginsArgs, opts: pulumi.InvokeOptions = {}): Promise<GetFabricLoginsResult> {
  return pulumi.runtime.invoke("sanbed:fabric:getFabricLogins", { device: args.device }, { version: packageVersion, ...opts }) as Promise<GetFabricLoginsResult>;
}

/**
 * Ports that are logged in to a fabric, from its name server.
 * Arguments may be outputs.
 */
export function getFabricLoginsOutput(
  args: GetFabricLoginsOutputArgs,
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<GetFabricLoginsResult> {
  return pulumi.runtime.invokeOutput("sanbed:fabric:getFabricLogins", { device: args.device }, { version: packageVersion, ...opts });
}

/** Arguments of {@link getFabricLogins}. */
export interface GetFabricLoginsArgs {
  /** Name of the switch in the bed. */
  readonly device: string;
}

/** Arguments of {@link getFabricLoginsOutput}. */
export interface GetFabricLoginsOutputArgs {
  /** Name of the switch in the bed. */
  readonly device: pulumi.Input<string>;
}

/** Result of {@link getFabricLogins}. */
export interface GetFabricLoginsResult {
  readonly switchName: string;
  readonly firmware: string;
  /** Everything logged in to the fabric, by WWPN. */
  readonly logins: Record<string, FabricLogin>;
}

export interface FabricLogin {
  readonly wwpn: string;
  readonly wwnn: string;
  /** Fabric address, six hex digits. */
  readonly portId: string;
  /** `initiator`, `target` or `both`, where registered. */
  readonly role?: string;
  /** Port behind a virtual (NPIV) login. */
  readonly physicalWwpn?: string;
  readonly symbolicName: string;
}

export interface HostZonesNames {
  readonly alias: string;
  readonly zone: string;
}

export interface HostZonesOwned {
  readonly device: string;
  readonly ports: Record<string, HostZonesNames[]>;
}

export interface HostZonesSide {
  /** Name of the switch in the bed. */
  readonly device: string;
  /** WWPN of each port of the host on this fabric, by adapter name. */
  readonly initiators: Record<string, string>;
  /** WWPNs of the target ports on this fabric. */
  readonly targets: string[];
  /** Begins every zone's name. */
  readonly zonePrefix: string;
}

export interface HostZonesSideArgs {
  /** Name of the switch in the bed. */
  readonly device: pulumi.Input<string>;
  /** WWPN of each port of the host on this fabric, by adapter name. */
  readonly initiators: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** WWPNs of the target ports on this fabric. */
  readonly targets: pulumi.Input<pulumi.Input<string>[]>;
  /** Begins every zone's name. */
  readonly zonePrefix: pulumi.Input<string>;
}
