import type { Nqn } from "../../../bed/identities";
import type { DeviceCall } from "../call";
import type { HostNvme, NvmeController, NvmeTarget } from "../host-storage";
import type { VimClient } from "./client";
import type { HostAccess } from "./host-access";
import { NvmeCalls } from "./nvme";

/** NVMe controllers of hosts. */
export class NvmeHosts implements HostNvme {
  readonly #calls: NvmeCalls;

  constructor(
    client: VimClient,
    private readonly access: HostAccess,
  ) {
    this.#calls = new NvmeCalls(client);
  }

  async controllers(call: DeviceCall, host: string): Promise<readonly NvmeController[]> {
    return (await this.access.view(call, host, { queueDepths: false })).controllers;
  }

  /** Each adapter with each target, one after the other: a host takes few such calls at once. */
  async connect(call: DeviceCall, host: string, targets: readonly NvmeTarget[]): Promise<void> {
    const at = await this.access.locate(call, host, "connect NVMe controllers on");
    const view = await this.access.viewOf(call, at, { queueDepths: false });
    for (const { name } of view.adapters.filter((one) => one.protocol === "nvme" && one.online)) {
      for (const target of targets) {
        await this.access.on(call, at.host, () =>
          this.#calls.discover(call, at.host.name, at.system, name, target),
        );
      }
    }
  }

  async disconnect(call: DeviceCall, host: string, subsystem: Nqn): Promise<void> {
    const at = await this.access.locate(call, host, "disconnect NVMe controllers on");
    const { controllers } = await this.access.viewOf(call, at, { queueDepths: false });
    const idle = controllers.filter(
      (one) => one.subsystem === subsystem && one.namespaces.length === 0,
    );
    for (const controller of idle) {
      await this.access.on(call, at.host, () =>
        this.#calls.disconnect(call, at.host.name, at.system, controller),
      );
    }
  }
}
