import { DeviceError } from "../../../bed/errors";
import { parseWwpn, type Wwpn } from "../../../bed/identities";
import { markComment } from "../../../bed/mark";
import type { ArrayHosts, HostGroupInfo, HostInitiators, Scope } from "../block-array";
import type { DeviceCall } from "../call";
import { allSettledOrThrow, bedOfIgroup, exactly, igroupName } from "./naming";
import type { OntapClient } from "./ontap-client";
import { igroupShape, type WireIgroup } from "./wire";

/** Host groups on ONTAP: igroups for ESXi over FCP. Hosts are their initiators; they have no object. */
export class OntapHosts implements ArrayHosts {
  readonly #client: OntapClient;

  constructor(client: OntapClient) {
    this.#client = client;
  }

  async get(call: DeviceCall, scope: Scope, group: string): Promise<HostGroupInfo | undefined> {
    const igroup = await this.find(call, scope, group);
    return igroup === undefined ? undefined : toInfo(igroup);
  }

  /** The igroup as the array has it. Undefined when it does not exist. */
  async find(call: DeviceCall, scope: Scope, group: string): Promise<WireIgroup | undefined> {
    const comment = (await this.#client.has(call, "igroupComment")) ? ",comment" : "";
    const [igroup] = await this.#client.list(call, igroupShape, {
      path: "/protocols/san/igroups",
      query: {
        "svm.name": exactly(this.#client.device, [scope.target]),
        name: exactly(this.#client.device, [igroupName(scope, group)]),
        fields: `uuid,name,svm.name,os_type,protocol,initiators${comment}`,
      },
      operation: "read igroup",
      object: igroupName(scope, group),
    });
    return igroup;
  }

  /** The igroup, which must be there and ours. */
  async ours(call: DeviceCall, scope: Scope, group: string): Promise<WireIgroup> {
    const igroup = await this.find(call, scope, group);
    if (igroup === undefined) {
      throw new DeviceError({
        kind: "notFound",
        device: this.#client.device,
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
    if (igroup.os_type !== "vmware" || !["fcp", "mixed"].includes(igroup.protocol ?? "fcp")) {
      throw new DeviceError({
        kind: "refused",
        device: this.#client.device,
        operation: "adopt igroup",
        object: igroup.name,
        reason: `it is for ${igroup.os_type ?? "unknown"} over ${igroup.protocol ?? "unknown"}`,
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
    await this.#client.settle(
      call,
      {
        method: "DELETE",
        path: `/protocols/san/igroups/${igroup.uuid}`,
        operation: "remove igroup",
        object: igroup.name,
      },
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
    await this.#client.settle(
      call,
      {
        method: "POST",
        path: `/protocols/san/igroups/${igroup.uuid}/initiators`,
        body: { records: missing.map((name) => ({ name })) },
        operation: `add ${hosts.map((host) => host.name).join(", ")} to igroup`,
        object: igroup.name,
      },
      wanted,
    );
    if (await wanted()) return;
    throw new DeviceError({
      kind: "protocol",
      device: this.#client.device,
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
    igroup: WireIgroup,
    wwpn: Wwpn,
  ): Promise<void> {
    await this.#client.settle(
      call,
      {
        method: "DELETE",
        path: `/protocols/san/igroups/${igroup.uuid}/initiators/${encodeURIComponent(wwpn)}`,
        // The group stays mapped for its other hosts; this host has let go of the devices before.
        query: { allow_delete_while_mapped: "true" },
        operation: "remove initiator from igroup",
        object: `${igroup.name} ${wwpn}`,
      },
      async () => {
        const now = await this.find(call, scope, group);
        return now === undefined || !initiatorsOf(now).includes(wwpn);
      },
    );
  }

  async #create(call: DeviceCall, scope: Scope, group: string): Promise<void> {
    const name = igroupName(scope, group);
    const comment = (await this.#client.has(call, "igroupComment"))
      ? { comment: markComment(scope.bedId, "hostGroup") }
      : {};
    await this.#client.settle(
      call,
      {
        method: "POST",
        path: "/protocols/san/igroups",
        body: { svm: { name: scope.target }, name, os_type: "vmware", protocol: "fcp", ...comment },
        operation: "create igroup",
        object: name,
      },
      async () => (await this.find(call, scope, group)) !== undefined,
    );
  }

  #refuseForeign(igroup: WireIgroup, scope: Scope): void {
    if (bedOfIgroup(igroup) === scope.bedId) return;
    throw new DeviceError({
      kind: "refused",
      device: this.#client.device,
      operation: "change igroup",
      object: igroup.name,
      reason: `it does not carry the mark of bed ${scope.bedId}`,
      remedy: "It belongs to somebody else and stays as it is.",
    });
  }
}

function initiatorsOf(igroup: WireIgroup): readonly Wwpn[] {
  return (igroup.initiators ?? []).map((initiator) => parseWwpn(initiator.name)).filter(isDefined);
}

function wwpnsOf(hosts: readonly HostInitiators[]): readonly Wwpn[] {
  return [...new Set(hosts.flatMap((host) => host.initiators))];
}

function toInfo(igroup: WireIgroup): HostGroupInfo {
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
