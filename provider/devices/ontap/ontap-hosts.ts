import { DeviceError } from "../../../bed/errors";
import { parseNqn } from "../../../bed/identities";
import { markComment } from "../../../bed/mark";
import type { ArrayHosts, HostGroupInfo, HostInitiators, Initiator, Scope } from "../block-array";
import type { DeviceCall } from "../call";
import type { OntapGateway } from "./gateway";
import { allSettledOrThrow, bedOfGroup, groupName } from "./naming";
import type { Group } from "./objects";
import { readBack, settle } from "./settle";
import type { Side } from "./side";

/**
 * Host groups on ONTAP for ESXi: igroups, or NVMe subsystems. Hosts are their members (WWPNs, NQNs);
 * they have no object of their own.
 */
export class OntapHosts implements ArrayHosts {
  readonly #ontap: OntapGateway;
  readonly #side: Side;

  constructor(ontap: OntapGateway, side: Side) {
    this.#ontap = ontap;
    this.#side = side;
  }

  async get(call: DeviceCall, scope: Scope, group: string): Promise<HostGroupInfo | undefined> {
    const found = await this.find(call, scope, group);
    return found === undefined ? undefined : this.#info(found);
  }

  /** The group as the array has it. Undefined when it does not exist. */
  async find(call: DeviceCall, scope: Scope, group: string): Promise<Group | undefined> {
    const filter = { svm: scope.target, group: groupName(scope, group) };
    const [found] = await this.#side.calls.groups.list(call, filter);
    return found;
  }

  /** The group, which must be there and ours. */
  async ours(call: DeviceCall, scope: Scope, group: string): Promise<Group> {
    const found = await this.find(call, scope, group);
    const word = this.#side.words.group;
    if (found === undefined) {
      throw new DeviceError({
        kind: "notFound",
        device: this.#ontap.device,
        operation: `use ${word}`,
        object: groupName(scope, group),
        reason: `SVM ${scope.target} has no such ${word}`,
        remedy: "Run refresh, then up: it is created again.",
      });
    }
    this.#refuseForeign(found, scope);
    return found;
  }

  async ensureGroup(call: DeviceCall, scope: Scope, group: string): Promise<HostGroupInfo> {
    const found = await this.find(call, scope, group);
    if (found === undefined) await this.#create(call, scope, group);
    const made =
      found ??
      (await readBack(
        this.#ontap,
        call,
        () => this.find(call, scope, group),
        (seen) => seen !== undefined,
      )) ??
      (await this.ours(call, scope, group));
    this.#refuseForeign(made, scope);
    // `mixed` is what ONTAP takes for an igroup when nothing is said; a subsystem has no protocol.
    const fits = made.protocol === undefined || ["fcp", "mixed"].includes(made.protocol);
    if (made.osType === "vmware" && fits) return this.#info(made);
    throw new DeviceError({
      kind: "refused",
      device: this.#ontap.device,
      operation: `adopt ${this.#side.words.group}`,
      object: made.name,
      reason: `it is for ${made.osType ?? "unknown"} over ${made.protocol ?? this.#side.protocol}`,
      expected: `vmware over ${this.#side.protocol}`,
      remedy: "Remove it, or give the bed another name.",
    });
  }

  async removeGroup(call: DeviceCall, scope: Scope, group: string): Promise<void> {
    const found = await this.find(call, scope, group);
    if (found === undefined) return;
    this.#refuseForeign(found, scope);
    await settle(
      this.#ontap,
      call,
      () => this.#side.calls.groups.remove(call, found),
      async () => (await this.find(call, scope, group)) === undefined,
    );
  }

  async ensureHosts(
    call: DeviceCall,
    scope: Scope,
    group: string,
    hosts: readonly HostInitiators[],
  ): Promise<void> {
    const found = await this.ours(call, scope, group);
    const have = new Set(this.#membersOf(found));
    const missing = initiatorsOf(hosts).filter((one) => !have.has(one));
    if (missing.length === 0) return;
    const wanted = async (): Promise<boolean> => {
      const now = this.#membersOf(await this.ours(call, scope, group));
      return missing.every((one) => now.includes(one));
    };
    await settle(
      this.#ontap,
      call,
      () => this.#side.calls.groups.addMembers(call, found, missing),
      wanted,
    );
    if (await readBack(this.#ontap, call, wanted, (done) => done)) return;
    throw new DeviceError({
      kind: "protocol",
      device: this.#ontap.device,
      operation: `add ${hosts.map((host) => host.name).join(", ")} to ${this.#side.words.group}`,
      object: found.name,
      reason: "the array answered success, but a fresh read does not show them all",
    });
  }

  async removeHosts(
    call: DeviceCall,
    scope: Scope,
    group: string,
    hosts: readonly HostInitiators[],
  ): Promise<void> {
    const found = await this.find(call, scope, group);
    if (found === undefined) return;
    this.#refuseForeign(found, scope);
    const have = new Set(this.#membersOf(found));
    const leaving = initiatorsOf(hosts).filter((one) => have.has(one));
    await allSettledOrThrow(
      leaving.map((one) =>
        settle(
          this.#ontap,
          call,
          // The group stays mapped for its other hosts; this host has let go of the devices before.
          () => this.#side.calls.groups.removeMember(call, found, one),
          async () => {
            const now = await this.find(call, scope, group);
            return now === undefined || !this.#membersOf(now).includes(one);
          },
        ),
      ),
    );
  }

  async #create(call: DeviceCall, scope: Scope, group: string): Promise<void> {
    const spec = {
      svm: scope.target,
      name: groupName(scope, group),
      comment: markComment(scope.bedId, "hostGroup"),
    };
    await settle(
      this.#ontap,
      call,
      () => this.#side.calls.groups.create(call, spec),
      async () => (await this.find(call, scope, group)) !== undefined,
    );
  }

  #info(group: Group): HostGroupInfo {
    return {
      name: group.name,
      id: group.uuid,
      bedId: bedOfGroup(group),
      initiators: this.#membersOf(group),
      ...(group.nqn === undefined ? {} : { subsystemNqn: parseNqn(group.nqn) }),
    };
  }

  #membersOf(group: Group): readonly Initiator[] {
    return group.members.flatMap((text) => this.#side.parseMember(text) ?? []);
  }

  #refuseForeign(group: Group, scope: Scope): void {
    if (bedOfGroup(group) === scope.bedId) return;
    throw new DeviceError({
      kind: "refused",
      device: this.#ontap.device,
      operation: `change ${this.#side.words.group}`,
      object: group.name,
      reason: `it does not carry the mark of bed ${scope.bedId}`,
      remedy: "It belongs to somebody else and stays as it is.",
    });
  }
}

function initiatorsOf(hosts: readonly HostInitiators[]): readonly Initiator[] {
  return [...new Set(hosts.flatMap((host) => host.initiators))];
}
