import * as pulumi from "@pulumi/pulumi";
import type { BedPlan } from "../bed/bed-plan";
import { ConfigError } from "../bed/errors";
import { notBuiltYet } from "../bed/not-built";
import type { Targets } from "../provider/sdk/array";
import { Certificate } from "../provider/sdk/bench";
import { ArrayStorage, createTargets } from "./array-storage";
import { BenchmarkSuite } from "./benchmark-suite";
import { Datastores } from "./datastores";
import { FabricZoning } from "./fabric-zoning";
import { byKey, outputKey } from "./keyed";
import { isEmulated } from "./machines";
import { SqlServerGuests } from "./sqlserver-guests";
import { SysbenchGuests } from "./sysbench-guests";
import { createTeardownGates } from "./teardown-gates";
import { VdbenchGuests } from "./vdbench-guests";

/** Guests of any workload. */
export type BedGuests = SysbenchGuests | VdbenchGuests | SqlServerGuests;

export interface TestBedArgs {
  /** From `planBed`: everything is decided there. */
  readonly plan: BedPlan;
  /** Private key that the guests accept; kept as a secret. */
  readonly guestKey: pulumi.Input<string>;
}

/**
 * A whole test bed on a site: zoning, volumes, datastores, guests, measurement, verdict, and the
 * certificate that is taken first and proven last. Destroy is the exact reverse, by dependencies.
 *
 * ```ts
 * const plan = planBed(affA250({ protocol: "fcp" }), site, settings);
 * new TestBed("bed", { plan, guestKey }, { providers: { sanbed, vsphere } });
 * ```
 * @throws {ConfigError} before anything is declared, when the plan needs what cannot be built yet.
 */
export class TestBed extends pulumi.ComponentResource {
  readonly certificate: Certificate;
  readonly zoning: FabricZoning;
  readonly storage: ArrayStorage;
  readonly datastores: Datastores;
  readonly guests: BedGuests;
  /**
   * Undefined where nothing is measured: guests are emulated (the lab at level D), or the settings say
   * `measure: false`.
   */
  readonly suite: BenchmarkSuite | undefined;

  constructor(name: string, args: TestBedArgs, opts?: pulumi.ComponentResourceOptions) {
    const notBuilt = notBuiltYet(args.plan);
    if (notBuilt.length > 0) throw new ConfigError(notBuilt, "the bed cannot be built yet");
    super("sanbed:components:TestBed", name, {}, opts);
    const { plan } = args;
    const { site } = plan;
    const { protocol } = plan.bed.array;
    this.certificate = new Certificate(
      `${name}-certificate`,
      { devices: Object.keys(site.devices) },
      { parent: this },
    );
    const after = { parent: this, dependsOn: [this.certificate] };
    const targets = createTargets(
      `${name}-targets`,
      { array: site.array, target: plan.target, prefix: plan.prefix, protocol },
      after,
    );
    this.zoning = new FabricZoning(
      `${name}-zoning`,
      { hosts: plan.zoning, zonePrefix: plan.prefix, targetPorts: targets.targetPorts },
      after,
    );
    this.storage = new ArrayStorage(
      `${name}-storage`,
      {
        array: site.array,
        targets,
        protocol,
        hostGroup: plan.hostGroups[0]?.name ?? "",
        hosts: plan.hosts,
        volumeGroups: plan.volumeGroups,
        dataReduction: plan.bed.array.dataReduction.on,
        hypervisor: site.hypervisor.device,
      },
      after,
    );
    this.datastores = this.createDatastores(`${name}-datastores`, args, targets);
    this.guests = this.createGuests(`${name}-guests`, args);
    this.createGates(`${name}-gate`, plan);
    this.suite = this.createSuite(`${name}-suite`, args);
    this.registerOutputs({});
  }

  /** Guests of the phase's workload. */
  private createGuests(name: string, { plan, guestKey }: TestBedArgs): BedGuests {
    const args = {
      bedId: plan.settings.bedId,
      site: plan.site,
      guests: plan.guests,
      placement: plan.placement,
      datastores: this.datastores.datastores,
      blockDevices: this.blockDevices(plan),
      folder: plan.folder,
      privateKey: guestKey,
    };
    const after = { parent: this, dependsOn: [this.certificate] };
    switch (plan.workload.kind) {
      case "sysbench":
        return new SysbenchGuests(name, { ...args, sysbench: plan.workload }, after);
      case "vdbench":
        return new VdbenchGuests(name, args, after);
      case "sqlserver":
        return new SqlServerGuests(
          name,
          { ...args, sqlserver: plan.workload, software: softwareOf(plan) },
          after,
        );
    }
  }

  /** What the array says that hosts see of each volume, by `<group>/<key>`. */
  private blockDevices({ volumeGroups }: BedPlan): Record<string, pulumi.Output<string>> {
    return Object.fromEntries(
      volumeGroups.flatMap(({ name, volumes }) => {
        const { devices } = byKey(this.storage.volumeSets, name, "volume group");
        return volumes.map(({ key }) => [`${name}/${key}`, outputKey(devices, key)]);
      }),
    );
  }

  private createDatastores(name: string, { plan }: TestBedArgs, targets: Targets): Datastores {
    return new Datastores(
      name,
      {
        hypervisor: plan.site.hypervisor,
        hosts: plan.hosts,
        zoning: plan.zoning,
        volumeGroups: plan.volumeGroups,
        storage: this.storage,
        nvmeTargets: plan.bed.array.protocol === "nvme-fc" ? targets : undefined,
        hostZones: this.zoning.hostZones,
        folder: plan.folder,
        pathPolicy: plan.hostSettings.pathPolicy,
        queueDepth: plan.hostSettings.queueDepth,
      },
      { parent: this, dependsOn: [this.certificate] },
    );
  }

  private createGates(name: string, plan: BedPlan): void {
    createTeardownGates(
      name,
      {
        hypervisor: plan.site.hypervisor,
        hosts: plan.hosts,
        volumeGroups: plan.volumeGroups,
        storage: this.storage,
        datastores: this.datastores,
        machines: [
          ...Object.values(this.guests.machines),
          ...Object.values(this.guests.pins).flat(),
        ],
      },
      this,
    );
  }

  private createSuite(name: string, { plan }: TestBedArgs): BenchmarkSuite | undefined {
    const { workload, site, settings } = plan;
    // `notBuiltYet` has refused to measure what there is no runner for.
    if (workload.kind !== "sysbench" || !settings.measure) return undefined;
    if (plan.guests.every((guest) => isEmulated(site, guest))) return undefined;
    return new BenchmarkSuite(
      name,
      {
        site,
        guests: plan.guests,
        machines: this.guests,
        sysbench: workload,
        cases: plan.cases,
        runId: settings.runId,
        array: plan.bed.array,
      },
      { parent: this, dependsOn: [this.certificate] },
    );
  }
}

/** Software of the servers in the bed's words. */
function softwareOf({ bed, settings }: BedPlan): string | undefined {
  const classes = Object.values(bed.phases[settings.phase]?.guests ?? {});
  return classes.find(({ role }) => role === "test")?.software;
}
