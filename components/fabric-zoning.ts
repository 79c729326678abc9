import * as pulumi from "@pulumi/pulumi";
import type { HostZoning } from "../bed/zoning-plan";
import { HostZones } from "../provider/sdk/fabric";
import { asOutput, outputKey } from "./keyed";

export interface FabricZoningArgs {
  /** One entry a host, from `planZoning`. */
  readonly hosts: readonly HostZoning[];
  /** Begins the name of every zone, `<bed>_<stack>`. */
  readonly zonePrefix: string;
  /** Target ports by key, with the WWPN that hosts are zoned with (`Targets.targetPorts`). */
  readonly targetPorts: pulumi.Input<Record<string, { readonly wwpn: string }>>;
}

/**
 * Zones hosts with an array on two fabrics: per host and fabric an alias and a single-initiator zone
 * for each port, joined to the fabric's effective configuration. One resource a host, so that a host
 * can be taken out alone; the provider commits concurrent hosts in one transaction a fabric.
 *
 * ```ts
 * new FabricZoning(
 *   "zoning",
 *   { hosts: planZoning(site, site.hosts), zonePrefix: "lab", targetPorts: targets.targetPorts },
 *   { providers: { sanbed } },
 * );
 * ```
 */
export class FabricZoning extends pulumi.ComponentResource {
  /** By host name. */
  readonly hostZones: Readonly<Record<string, HostZones>>;

  constructor(name: string, args: FabricZoningArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:FabricZoning", name, {}, opts);
    const targetPorts = asOutput(args.targetPorts);
    const side = (host: HostZoning, fabric: "A" | "B") => ({
      device: host.fabrics[fabric].device,
      initiators: host.fabrics[fabric].initiators,
      targets: host.fabrics[fabric].targetKeys.map((key) => outputKey(targetPorts, key).wwpn),
      zonePrefix: args.zonePrefix,
    });
    this.hostZones = Object.fromEntries(
      args.hosts.map((host) => [
        host.host,
        new HostZones(
          `${name}-${host.host}`,
          { host: host.host, fabrics: { A: side(host, "A"), B: side(host, "B") } },
          { parent: this },
        ),
      ]),
    );
    this.registerOutputs({});
  }
}
