import * as pulumi from "@pulumi/pulumi";
import type { BedPlan } from "../bed/bed-plan";
import { ConfigError, SanbedError } from "../bed/errors";
import { notBuiltYet } from "../bed/not-built";
import type { SysbenchSettings } from "../bed/workload-settings";
import type { Targets } from "../provider/sdk/array";
import { Certificate } from "../provider/sdk/bench";
import { ArrayStorage, createTargets } from "./array-storage";
import { BenchmarkSuite } from "./benchmark-suite";
import { Datastores } from "./datastores";
import { FabricZoning } from "./fabric-zoning";
import { SysbenchGuests } from "./sysbench-guests";
import { createTeardownGates } from "./teardown-gates";

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
  readonly guests: SysbenchGuests;
  /** Undefined where guests are emulated (the lab at level D): nothing can be measured there. */
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
    this.guests = new SysbenchGuests(
      `${name}-guests`,
      {
        bedId: plan.settings.bedId,
        site,
        guests: plan.guests,
        sysbench: sysbenchOf(plan),
        datastores: this.datastores.datastores,
        folder: plan.folder,
        privateKey: args.guestKey,
      },
      after,
    );
    this.createGates(`${name}-gate`, plan);
    this.suite = site.lab?.guests === "emulated" ? undefined : this.createSuite(name, args);
    this.registerOutputs({});
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
        machines: Object.values(this.guests.machines),
      },
      this,
    );
  }

  private createSuite(name: string, { plan }: TestBedArgs): BenchmarkSuite {
    return new BenchmarkSuite(
      `${name}-suite`,
      {
        site: plan.site,
        guests: plan.guests,
        machines: this.guests,
        sysbench: sysbenchOf(plan),
        cases: plan.cases,
        runId: plan.settings.runId,
        array: plan.bed.array,
      },
      { parent: this, dependsOn: [this.certificate] },
    );
  }
}

/** The only workload that is built; {@link notBuiltYet} has refused the others. */
function sysbenchOf({ workload }: BedPlan): SysbenchSettings {
  if (workload.kind === "sysbench") return workload;
  throw new SanbedError("config", `no components for ${workload.kind}`);
}
