import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as vsphere from "@pulumi/vsphere";
import { SanbedError } from "../bed/errors";
import { planBed } from "../bed/plan";
import type { Site } from "../bed/site";
import { TestBed } from "../components/test-bed";
import { Provider } from "../provider/sdk/provider";
import { requireVcenter } from "./reachable";
import { readCredentials, readReference } from "./references";
import { readStackInput, type StackConfig } from "./stack-input";

const projectRoot = path.resolve(__dirname, "..");

/** What a reader wants to know after `up`. */
export const { bedFolder, certificate, runs } = withoutStack(build);

function build() {
  const { bed, site, settings } = readStackInput(engineConfig(), pulumi.getStack(), projectRoot);
  const folder = path.join(projectRoot, ".sanbed", "beds", settings.bedId);
  const machines = vcenter(site);
  const sanbed = new Provider("bed", { bedId: settings.bedId, folder, devices: site.devices });
  const testBed = new TestBed(
    "bed",
    {
      plan: planBed(bed, site, settings),
      guestKey: pulumi.secret(readReference(site.guests.privateKey)),
    },
    { providers: { sanbed, vsphere: machines } },
  );
  const figures = Object.entries(testBed.suite?.runs ?? {}).map(
    ([name, { verdict, reasons, tps, avgMs, p99Ms, folder: runFolder }]) => [
      name,
      { verdict, reasons, tps, avgMs, p99Ms, folder: runFolder },
    ],
  );
  return {
    bedFolder: folder,
    certificate: testBed.certificate.digest,
    runs: Object.fromEntries(figures) as Record<string, unknown>,
  };
}

/** The configuration as the engine hands it to the program. */
function engineConfig(): StackConfig {
  const config = new pulumi.Config();
  const own = `${config.name}:`;
  return {
    keys: Object.keys(pulumi.runtime.allConfig())
      .filter((key) => key.startsWith(own))
      .map((key) => key.slice(own.length)),
    get: (key) => config.get(key),
    getObject: (key) => config.getObject(key),
  };
}

/** What is wrong with the input is for a person: the engine prints it without a stack. */
function withoutStack<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof SanbedError ? new pulumi.RunError(error.message) : error;
  }
}

function vcenter(site: Site): vsphere.Provider {
  const device = site.devices[site.hypervisor.device];
  if (device === undefined) throw new SanbedError("config", "the site has no vCenter");
  requireVcenter(device.endpoint, site.lab !== undefined);
  const credentials = readCredentials(device.credentials);
  return new vsphere.Provider("vcenter", {
    vsphereServer: new URL(device.endpoint).host,
    user: credentials.user,
    password: pulumi.secret(credentials.password),
    allowUnverifiedSsl: unverified(device.tls, site),
  });
}

/**
 * The official provider knows no pin. With a pin (or `insecure`) it does not verify, and that is said;
 * our own provider, which talks to the same vCenter first, checks the pin. Without either the system's
 * authorities decide.
 */
function unverified(tls: Site["devices"][string]["tls"], site: Site): boolean {
  if (tls.insecure !== true && (tls.sha256 === undefined || tls.ca !== undefined)) return false;
  if (site.lab === undefined) {
    void pulumi.log.warn(
      "the vSphere provider does not verify the vCenter's certificate: it cannot pin one. Trust its authority " +
        "system-wide and leave tls.sha256 out to have it verified.",
    );
  }
  return true;
}
