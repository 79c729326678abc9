import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { HostInfo } from "../host-storage";
import type { VimClient } from "./client";
import type { Attempt } from "./faults";
import { readNqn } from "./nvme";
import { readAll } from "./properties";
import { sharedWork } from "./shared-work";
import type { MoRef } from "./values";
import { refOf } from "./values";

/** A host with the managed objects that its storage calls go to. */
export interface HostEntry extends HostInfo {
  readonly ref: MoRef;
  readonly storageSystem: MoRef | undefined;
}

/** The hosts of a vCenter by name. Names and references are kept; states are read when asked for. */
export class HostDirectory {
  readonly #client: VimClient;
  #known: ReadonlyMap<string, HostEntry> = new Map();
  #listing: Promise<readonly HostEntry[]> | undefined;

  constructor(client: VimClient) {
    this.#client = client;
  }

  async list(call: DeviceCall): Promise<readonly HostEntry[]> {
    const attempt = { operation: "list the hosts" };
    const { rootFolder } = await this.#client.content(call);
    const found = await readAll(this.#client, call, attempt, rootFolder, {
      HostSystem: [
        "name",
        "parent",
        "runtime.connectionState",
        "config.product.version",
        "hardware.systemInfo",
        "configManager.storageSystem",
      ],
      ClusterComputeResource: ["name"],
    });
    const clusters = new Map(
      found
        .filter((o) => o.ref.type === "ClusterComputeResource")
        .map((o) => [o.ref.value, o.values.get("name")?.text]),
    );
    const hosts = found
      .filter((o) => o.ref.type === "HostSystem")
      .map(({ ref: host, values }) => ({
        name: values.get("name")?.text ?? host.value,
        id: host.value,
        ref: host,
        cluster: clusters.get(refOf(values.get("parent"))?.value ?? ""),
        connected: values.get("runtime.connectionState")?.text === "connected",
        version: values.get("config.product.version")?.text ?? "",
        nqn: readNqn(values.get("hardware.systemInfo")),
        storageSystem: refOf(values.get("configManager.storageSystem")),
      }))
      .sort((a, b) => a.name.localeCompare(b.name));
    this.#known = new Map(hosts.map((host) => [host.name, host]));
    return hosts;
  }

  /** A host by its name in the vCenter or its id. Not there: `notFound`, with the names there are. */
  async find(call: DeviceCall, attempt: Attempt, host: string): Promise<HostEntry> {
    const known = this.#lookUp(host);
    if (known !== undefined) return known;
    const hosts = await this.#listOnce(call);
    const found = this.#lookUp(host);
    if (found !== undefined) return found;
    throw new DeviceError({
      kind: "notFound",
      device: this.#client.device,
      ...attempt,
      reason: `the vCenter has no host "${host}"`,
      expected: hosts.length === 0 ? undefined : `one of ${hosts.map((h) => h.name).join(", ")}`,
      remedy: "Write the host's name as the vCenter shows it.",
    });
  }

  /** Calls that come together share one reading: references do not change while a bed is built. */
  #listOnce(call: DeviceCall): Promise<readonly HostEntry[]> {
    return sharedWork(call, () => {
      this.#listing ??= this.list(call).finally(() => {
        this.#listing = undefined;
      });
      return this.#listing;
    });
  }

  /** The host's storage system; a host that has none is not connected. */
  async storageSystem(call: DeviceCall, attempt: Attempt, host: string): Promise<MoRef> {
    const { storageSystem } = await this.find(call, attempt, host);
    if (storageSystem !== undefined) return storageSystem;
    this.#known = new Map();
    throw new DeviceError({
      kind: "unreachable",
      device: this.#client.device,
      ...attempt,
      reason: `host ${host} has no storage system in the vCenter`,
      remedy: "Reconnect the host in vCenter.",
    });
  }

  /** Forgets what is kept, for instance after a host turned out to be gone. */
  forget(): void {
    this.#known = new Map();
  }

  #lookUp(host: string): HostEntry | undefined {
    return this.#known.get(host) ?? [...this.#known.values()].find((entry) => entry.id === host);
  }
}
