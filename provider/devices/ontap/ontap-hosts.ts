import { DeviceError } from "../../../bed/errors";
import { parseWwpn, type Wwpn } from "../../../bed/identities";
import { markComment } from "../../../bed/mark";
import type { ArrayHosts, HostGroupInfo, HostInitiators, Scope } from "../block-array";
import type { DeviceCall } from "../call";
import { allSettledOrThrow, bedOfIgroup, igroupName } from "./naming";
import type { OntapGateway } from "./gateway";
import type { Igroup } from "./objects";
import { settle } from "./settle";

/** Host groups on ONTAP: igroups for ESXi over FCP. Hosts are their initiators; they have no object. */
export class OntapHosts implements ArrayHosts {
  readonly #ontap: OntapGateway;

  constructor(ontap: OntapGateway) {
    this.#ontap = ontap;
  }

  async get(call: DeviceCall, scope: Scope, group: string): Promise<HostGroupInfo | undefined> {
    const igroup = await this.find(call, scope, group);
    return igroup === undefined ? undefined : toInfo(igroup);
  }

  /** The igroup as the array has it. Undefined when it does not exist. */
  async find(call: DeviceCall, scope: Scope, group: string): Promise<Igroup | undefined> {
    const [igroup] = await this.#ontap.igroups.list(call, {
      svm: scope.target,
      igroup: igroupName(scope, group),
    });
    return igroup;
  }

  /** The igroup, which must be there and ours. */
  async ours(call: DeviceCall, scope: Scope, group: string): Promise<Igroup> {
    const igroup = await this.find(call, scope, group);
    if (igroup === undefined) {
      throw new DeviceError({
        kind: "notFound",
        device: this.#ontap.device,
        operation: "use igroup",
        object: igroupName(scope, group),
        reason: `SVM ${scope.target} has no such igroup`,
        remedy: "Run refresh, then up: it is created again.",
      });
    }
    this.#refuseForeign(igroup, scope);
    return igroup;
  }

  async ensureGroup(call: DeviceCall, scope: Scope, group: string): Promise<HostGroupInfo> {
    const found = await this.find(call, scope, group);
    if (found === undefined) await this.#create(call, scope, group);
    const igroup = found ?? (await this.ours(call, scope, group));
    this.#refuseForeign(igroup, scope);
    // `mixed` is what ONTAP takes when nothing is said; anything else was made for other hosts.
    if (igroup.osType !== "vmware" || !["fcp", "mixed"].includes(igroup.protocol ?? "fcp")) {
      throw new DeviceError({
        kind: "refused",
        device: this.#ontap.device,
        operation: "adopt igroup",
        object: igroup.name,
        reason: `it is for ${igroup.osType ?? "unknown"} over ${igroup.protocol ?? "unknown"}`,
        expected: "vmware over fcp",
        remedy: "Remove it, or give the bed another name.",
      });
    }
    return toInfo(igroup);
  }

  async removeGroup(call: DeviceCall, scope: Scope, group: string): Promise<void> {
    const igroup = await this.find(call, scope, group);
    if (igroup === undefined) return;
    this.#refuseForeign(igroup, scope);
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.igroups.remove(call, igroup),
      async () => (await this.find(call, scope, group)) === undefined,
    );
  }

  async ensureHosts(
    call: DeviceCall,
    scope: Scope,
    group: string,
    hosts: readonly HostInitiators[],
  ): Promise<void> {
    const igroup = await this.ours(call, scope, group);
    const have = new Set(initiatorsOf(igroup));
    const missing = wwpnsOf(hosts).filter((wwpn) => !have.has(wwpn));
    if (missing.length === 0) return;
    const wanted = async (): Promise<boolean> => {
      const now = initiatorsOf(await this.ours(call, scope, group));
      return missing.every((wwpn) => now.includes(wwpn));
    };
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.igroups.addInitiators(call, igroup, missing),
      wanted,
    );
    if (await wanted()) return;
    throw new DeviceError({
      kind: "protocol",
      device: this.#ontap.device,
      operation: "add initiators to igroup",
      object: igroup.name,
      reason: "the array answered success, but a fresh read does not show them all",
    });
  }

  async removeHosts(
    call: DeviceCall,
    scope: Scope,
    group: string,
    hosts: readonly HostInitiators[],
  ): Promise<void> {
    const igroup = await this.find(call, scope, group);
    if (igroup === undefined) return;
    this.#refuseForeign(igroup, scope);
    const have = new Set(initiatorsOf(igroup));
    const leaving = wwpnsOf(hosts).filter((wwpn) => have.has(wwpn));
    await allSettledOrThrow(
      leaving.map((wwpn) => this.#removeInitiator(call, scope, group, igroup, wwpn)),
    );
  }

  async #removeInitiator(
    call: DeviceCall,
    scope: Scope,
    group: string,
    igroup: Igroup,
    wwpn: Wwpn,
  ): Promise<void> {
    await settle(
      this.#ontap,
      call,
      // The group stays mapped for its other hosts; this host has let go of the devices before.
      () => this.#ontap.igroups.removeInitiator(call, igroup, wwpn),
      async () => {
        const now = await this.find(call, scope, group);
        return now === undefined || !initiatorsOf(now).includes(wwpn);
      },
    );
  }

  async #create(call: DeviceCall, scope: Scope, group: string): Promise<void> {
    const spec = {
      svm: scope.target,
      name: igroupName(scope, group),
      comment: markComment(scope.bedId, "hostGroup"),
    };
    await settle(
      this.#ontap,
      call,
      () => this.#ontap.igroups.create(call, spec),
      async () => (await this.find(call, scope, group)) !== undefined,
    );
  }

  #refuseForeign(igroup: Igroup, scope: Scope): void {
    if (bedOfIgroup(igroup) === scope.bedId) return;
    throw new DeviceError({
      kind: "refused",
      device: this.#ontap.device,
      operation: "change igroup",
      object: igroup.name,
      reason: `it does not carry the mark of bed ${scope.bedId}`,
      remedy: "It belongs to somebody else and stays as it is.",
    });
  }
}

function initiatorsOf(igroup: Igroup): readonly Wwpn[] {
  return igroup.initiators.map(parseWwpn).filter(isDefined);
}

function wwpnsOf(hosts: readonly HostInitiators[]): readonly Wwpn[] {
  return [...new Set(hosts.flatMap((host) => host.initiators))];
}

function toInfo(igroup: Igroup): HostGroupInfo {
  return {
    name: igroup.name,
    id: igroup.uuid,
    bedId: bedOfIgroup(igroup),
    initiators: initiatorsOf(igroup),
  };
}

function isDefined<T>(value: T | undefined): value is T {
  return value !== undefined;
}
