// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";
import { packageVersion, required } from "./version";

export class Provider extends pulumi.ProviderResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed";

  /** True for this package's provider, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Provider {
    const type = (value as { __pulumiType?: unknown } | undefined)?.__pulumiType;
    return type === `pulumi:providers:${Provider.__pulumiType}`;
  }

  constructor(name: string, args: ProviderArgs, opts: pulumi.ResourceOptions = {}) {
    required(args.bedId, "bedId");
    required(args.devices, "devices");
    required(args.folder, "folder");
    const inputs: pulumi.Inputs = {
      bedId: args.bedId,
      folder: args.folder,
      devices: jsonText(args.devices),
    };
    super("sanbed", name, inputs, pulumi.mergeOptions({ version: packageVersion }, opts));
  }
}

/** Arguments of {@link Provider}. */
export interface ProviderArgs {
  /**
   * Identity of the bed, made once and kept in the stack's configuration: ten characters of
   * `a-z2-7`. Every object of the bed carries it.
   */
  readonly bedId: pulumi.Input<string>;
  /**
   * Folder for what the bed keeps on disk: inventories, certificate, journals, results. Absolute.
   */
  readonly folder: pulumi.Input<string>;
  /**
   * Devices of the bed by name: `{ kind, endpoint, credentials, tls }`. Credentials are references
   * (`env:`, `file:`, `exec:`) that are resolved at use.
   */
  readonly devices: pulumi.Input<Record<string, pulumi.Input<unknown>>>;
}

/** Settings of a provider travel as text; the plugin takes objects as JSON. */
function jsonText(value: unknown): pulumi.Output<string> | undefined {
  if (value === undefined) return undefined;
  return pulumi.output(value).apply((plain) => JSON.stringify(plain));
}
