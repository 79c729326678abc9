import type { BedId } from "../../../bed/identities";
import { bedOfName } from "../../../bed/mark";
import type { DeviceCall } from "../call";
import type { SurveyedDatastore, VirtualSurvey } from "../virtual-survey";
import type { VimClient } from "./client";
import type { ObjectProperties } from "./properties";
import { readAll } from "./properties";
import { refOf, refsOf } from "./values";
import type { XmlElement } from "../xml";

/** vSphere Web Services API Reference; properties that every release since 6.5 has. */
const types: Readonly<Record<string, readonly string[]>> = {
  Datacenter: ["name", "parent"],
  Folder: ["name", "parent"],
  ClusterComputeResource: ["name", "parent"],
  // The whole, not its `qualifiedName`: asking older releases for that is a fault (7.0.3 brought it).
  HostSystem: ["name", "network", "hardware.systemInfo"],
  Datastore: ["name", "parent", "summary.type", "summary.capacity", "summary.freeSpace", "host"],
  VirtualMachine: ["name", "parent", "config.template", "config.guestId", "guest.net"],
  Network: ["name", "parent"],
  DistributedVirtualPortgroup: ["name", "parent", "config.uplink"],
};

/** Reads in one sweep what a site file says of a vCenter. */
export async function surveyVcenter(client: VimClient, call: DeviceCall): Promise<VirtualSurvey> {
  const { rootFolder } = await client.content(call);
  const found = await readAll(client, call, { operation: "survey the vCenter" }, rootFolder, types);
  return new Survey(found).result();
}

class Survey {
  readonly #found: readonly ObjectProperties[];
  readonly #byId: ReadonlyMap<string, ObjectProperties>;

  constructor(found: readonly ObjectProperties[]) {
    this.#found = found;
    this.#byId = new Map(found.map((one) => [one.ref.value, one]));
  }

  result(): VirtualSurvey {
    const machines = this.#ofType("VirtualMachine");
    return {
      datacenters: this.#ofType("Datacenter").map(nameOf).sort(),
      clusters: this.#named("ClusterComputeResource"),
      datastores: this.#ofType("Datastore").map((one) => this.#datastore(one)),
      templates: machines.filter(isTemplate).map((one) => ({
        name: nameOf(one),
        datacenter: this.#datacenterOf(one),
        guestOs: one.values.get("config.guestId")?.text,
      })),
      networks: [...this.#ofType("Network"), ...this.#ofType("DistributedVirtualPortgroup")]
        .filter((one) => one.values.get("config.uplink")?.text !== "true")
        .map((one) => ({
          name: nameOf(one),
          datacenter: this.#datacenterOf(one),
          hosts: this.#ofType("HostSystem")
            .filter((host) => isOn(host, one))
            .map(nameOf),
        })),
      nqns: new Map(
        this.#ofType("HostSystem").flatMap((host) => {
          const nqn = nqnOf(host.values.get("hardware.systemInfo"));
          return nqn === undefined ? [] : [[nameOf(host), nqn] as const];
        }),
      ),
      addresses: machines.flatMap((machine) =>
        addressesOf(machine.values.get("guest.net")).map((address) => ({
          address,
          bedId: this.#bedOf(machine),
        })),
      ),
    };
  }

  #datastore(one: ObjectProperties): SurveyedDatastore {
    const mounts = one.values.get("host")?.elements ?? [];
    const usable = mounts.filter(
      (mount) =>
        // Absent means so: both are optional in HostMountInfo.
        (mount.boolean("mountInfo.mounted") ?? true) &&
        (mount.boolean("mountInfo.accessible") ?? true),
    );
    return {
      name: nameOf(one),
      datacenter: this.#datacenterOf(one),
      type: one.values.get("summary.type")?.text ?? "unknown",
      capacityBytes: bytes(one.values.get("summary.capacity")),
      freeBytes: bytes(one.values.get("summary.freeSpace")),
      hosts: this.#hostNames(usable.map((mount) => refOf(mount.find("key"))?.value ?? "")),
      bedId: this.#bedOf(one),
    };
  }

  #named(type: string): { name: string; datacenter: string | undefined }[] {
    return this.#ofType(type).map((one) => ({
      name: nameOf(one),
      datacenter: this.#datacenterOf(one),
    }));
  }

  #ofType(type: string): ObjectProperties[] {
    return this.#found
      .filter((one) => one.ref.type === type)
      .sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
  }

  #hostNames(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.#byId.get(id)?.values.get("name")?.text ?? []).sort();
  }

  #datacenterOf(one: ObjectProperties): string | undefined {
    const above = this.#above(one).find((parent) => parent.ref.type === "Datacenter");
    return above && nameOf(above);
  }

  /** The bed in whose folder it lies. */
  #bedOf(one: ObjectProperties): BedId | undefined {
    return this.#above(one)
      .map((parent) => bedOfName(nameOf(parent)))
      .find((bedId) => bedId !== undefined);
  }

  #above(one: ObjectProperties): ObjectProperties[] {
    const parent = this.#byId.get(refOf(one.values.get("parent"))?.value ?? "");
    return parent === undefined ? [] : [parent, ...this.#above(parent)];
  }
}

/** As the vCenter writes it: `/`, `\\` and `%` escaped (ManagedEntity.name), as in every path to it. */
function nameOf(one: ObjectProperties): string {
  return one.values.get("name")?.text ?? one.ref.value;
}

/** The host has the network (HostSystem.network). */
function isOn(host: ObjectProperties, network: ObjectProperties): boolean {
  return refsOf(host.values.get("network")).some((one) => one.value === network.ref.value);
}

function isTemplate(machine: ObjectProperties): boolean {
  return machine.values.get("config.template")?.text === "true";
}

function bytes(element: XmlElement | undefined): bigint | undefined {
  const text = element?.text.trim() ?? "";
  return /^\d+$/.test(text) ? BigInt(text) : undefined;
}

/** HostSystemInfo.qualifiedName, of type `nvmeQualifiedName`. */
function nqnOf(info: XmlElement | undefined): string | undefined {
  return info
    ?.all("qualifiedName")
    .find((name) => name.string("type") === "nvmeQualifiedName")
    ?.string("value");
}

/** GuestNicInfo.ipAddress holds IPv4 and IPv6 addresses alike. */
function addressesOf(net: XmlElement | undefined): string[] {
  const texts = (net?.elements ?? []).flatMap((nic) => nic.all("ipAddress").map((one) => one.text));
  return texts.filter((text) => /^\d+\.\d+\.\d+\.\d+$/.test(text));
}
