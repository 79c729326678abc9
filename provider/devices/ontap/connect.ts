import { DeviceError, isDeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { OntapiClient } from "../ontapi/ontapi-client";
import { OntapiGateway } from "../ontapi/ontapi-gateway";
import type { OntapGateway } from "./gateway";
import { restUsable } from "./ontap-versions";
import type { RestClient } from "./rest/rest-client";
import { RestGateway } from "./rest/rest-gateway";
import type { WireCluster } from "./rest/wire";

/** Which interface to speak; `auto`: by the release that the cluster reports. */
export type OntapInterface = "auto" | "rest" | "ontapi";

/**
 * The gateway to one cluster, chosen at the first call. That call is the first request of all and is made
 * once: a wrong password is refused once and not once per parallel call, which may lock the account.
 */
export class OntapConnection {
  readonly device: string;
  readonly #rest: RestClient;
  readonly #ontapi: OntapiClient;
  readonly #wanted: OntapInterface;
  #gateway: Promise<OntapGateway> | undefined;

  constructor(rest: RestClient, ontapi: OntapiClient, wanted: OntapInterface) {
    this.device = rest.device;
    this.#rest = rest;
    this.#ontapi = ontapi;
    this.#wanted = wanted;
  }

  async gateway(call: DeviceCall): Promise<OntapGateway> {
    for (;;) {
      this.#gateway ??= this.#choose(call).catch((error: unknown) => {
        this.#gateway = undefined;
        throw error;
      });
      try {
        return await this.#gateway;
      } catch (error) {
        // The one who asked first gave up; we did not.
        if (!isDeviceError(error, "aborted") || call.signal.aborted) throw error;
      }
    }
  }

  async #choose(call: DeviceCall): Promise<OntapGateway> {
    if (this.#wanted === "ontapi") return await this.#overOntapi(call);
    const cluster = await this.#probeRest(call);
    if (!(cluster instanceof Error) && restUsable(cluster.version)) {
      return new RestGateway(this.#rest, cluster);
    }
    if (this.#wanted === "auto") return await this.#overOntapi(call, cluster);
    if (cluster instanceof Error) throw cluster;
    throw this.#error("unsupported", `its REST API (${cluster.version.full}) is too old`, {
      expected: "ONTAP 9.8 or later",
      remedy: 'Set `api` of the device to "auto" or "ontapi".',
    });
  }

  /** The cluster as REST tells it, or why REST is not there: before 9.6 there is none to rely on. */
  async #probeRest(call: DeviceCall): Promise<WireCluster | DeviceError> {
    try {
      return await this.#rest.probe(call);
    } catch (error) {
      if (isDeviceError(error, "notFound", "unsupported", "protocol")) return error;
      throw error;
    }
  }

  async #overOntapi(call: DeviceCall, rest?: WireCluster | DeviceError): Promise<OntapGateway> {
    try {
      return new OntapiGateway(this.#ontapi, await this.#ontapi.probe(call));
    } catch (error) {
      if (!(rest instanceof Error) || !isDeviceError(error, "notFound", "unsupported", "protocol"))
        throw error;
      throw this.#error("protocol", "the endpoint does not answer as a cluster does", {
        expected: "the REST API (ONTAP 9.8 and later) or ONTAPI (before)",
        remedy: "Check the endpoint: it must be the cluster management interface.",
        cause: error,
      });
    }
  }

  #error(
    kind: "unsupported" | "protocol",
    reason: string,
    more: { readonly expected: string; readonly remedy: string; readonly cause?: unknown },
  ): DeviceError {
    const operation = "read the cluster's release";
    return new DeviceError({ kind, device: this.device, operation, reason, ...more });
  }
}
