import * as pulumi from "@pulumi/pulumi";
import type { BedPlan } from "../bed/bed-plan";
import { Certificate } from "../provider/sdk/bench";
import { ArrayStorage, createTargets } from "./array-storage";
import { BenchmarkSuite } from "./benchmark-suite";
import { Datastores } from "./datastores";
import { FabricZoning } from "./fabric-zoning";
import { SysbenchGuests } from "./sysbench-guests";

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
 * const plan = planBed(affA250Fcp, site, settings);
 * new TestBed("bed", { plan, guestKey }, { providers: { sanbed, vsphere } });
 * ```
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
    super("sanbed:components:TestBed", name, {}, opts);
    const { plan } = args;
    const { site } = plan;
    this.certificate = new Certificate(
      `${name}-certificate`,
      { devices: Object.keys(site.devices) },
      { parent: this },
    );
    const after = { parent: this, dependsOn: [this.certificate] };
    const targets = createTargets(
      `${name}-targets`,
      { array: site.array, target: plan.target, prefix: plan.prefix },
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
        hostGroup: plan.hostGroup,
        hosts: plan.hosts,
        volumeGroups: plan.volumeGroups,
        hypervisor: site.hypervisor.device,
      },
      after,
    );
    this.datastores = this.createDatastores(`${name}-datastores`, args);
    this.guests = new SysbenchGuests(
      `${name}-guests`,
      {
        bedId: plan.settings.bedId,
        site,
        guests: plan.guests,
        sysbench: plan.sysbench,
        datastores: this.datastores.datastores,
        folder: plan.folder,
        privateKey: args.guestKey,
      },
      after,
    );
    this.suite = site.lab?.guests === "emulated" ? undefined : this.createSuite(name, args);
    this.registerOutputs({});
  }

  private createDatastores(name: string, { plan }: TestBedArgs): Datastores {
    return new Datastores(
      name,
      {
        hypervisor: plan.site.hypervisor,
        hosts: plan.hosts,
        zoning: plan.zoning,
        volumeGroups: plan.volumeGroups,
        storage: this.storage,
        hostZones: this.zoning.hostZones,
        folder: plan.folder,
        pathPolicy: plan.bed.host.pathPolicy,
        queueDepth: plan.bed.host.queueDepth,
      },
      { parent: this, dependsOn: [this.certificate] },
    );
  }
  private createSuite(name: string, { plan }: TestBedArgs): BenchmarkSuite {
    return new BenchmarkSuite(
      `${name}-suite`,
      {
        site: plan.site,
        guests: plan.guests,
        machines: this.guests,
        sysbench: plan.sysbench,
        cases: plan.cases,
        runId: plan.settings.runId,
        array: plan.bed.array,
      },
      { parent: this, dependsOn: [this.certificate] },
    );
  }
}
