import { parseDeviceName, parseNqn, type Nqn } from "../../../bed/identities";
import type { DeviceCall } from "../call";
import type { NvmeController, NvmeTarget } from "../host-storage";
import type { XmlElement } from "../xml";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import type { MoRef } from "./values";
import { object } from "./values";

/** A controller with what the API's calls take. */
export interface HostController extends NvmeController {
  readonly number: number;
}

/** NVMe controllers that a host is connected to, from HostStorageDeviceInfo.nvmeTopology (vSphere 7.0). */
export function readControllers(info: XmlElement): readonly HostController[] {
  const adapters = new Map(
    info.all("hostBusAdapter").map((hba) => [hba.string("key") ?? "", hba.string("device") ?? ""]),
  );
  return (info.find("nvmeTopology")?.all("adapter") ?? []).flatMap((one) => {
    const key = one.string("adapter") ?? "";
    const adapter = adapters.get(key) ?? key.slice(key.lastIndexOf("-") + 1);
    return one.all("connectedController").flatMap((controller) => {
      const subsystem = parseNqn(controller.string("subnqn") ?? "");
      return subsystem === undefined ? [] : [readController(controller, adapter, subsystem)];
    });
  });
}

function readController(element: XmlElement, adapter: string, subsystem: Nqn): HostController {
  return {
    adapter,
    subsystem,
    number: element.number("controllerNumber") ?? 0,
    namespaces: element.all("attachedNamespace").map((namespace) => ({
      nsid: namespace.number("id"),
      // The name may go on with the place where it is attached, `eui.…@vmhba64:…`.
      device: parseDeviceName((namespace.string("name") ?? "").split("@")[0] ?? ""),
    })),
  };
}

/** The NVMe host's own name: HostSystem.hardware.systemInfo.qualifiedName (vSphere 7.0.3). */
export function readNqn(systemInfo: XmlElement | undefined): Nqn | undefined {
  const names = systemInfo?.all("qualifiedName") ?? [];
  const found = names.find((one) => one.string("type") === "nvmeQualifiedName");
  return parseNqn(found?.string("value") ?? "");
}

export class NvmeCalls {
  readonly #client: VimClient;

  constructor(client: VimClient) {
    this.#client = client;
  }

  /**
   * Looks for controllers behind one target port of one adapter and connects to them. A port that the
   * adapter does not reach (the other fabric's) is refused by the host: that is no failure here.
   */
  async discover(
    call: DeviceCall,
    host: string,
    system: MoRef,
    adapter: string,
    target: NvmeTarget,
  ): Promise<void> {
    const operation = `look on host ${host} through ${adapter} for NVMe controllers at`;
    const attempt = { operation, object: target.wwpn };
    const transportParameters = object("HostNvmeOverFibreChannelParameters", {
      nodeWorldWideName: worldWideNumber(target.wwnn),
      portWorldWideName: worldWideNumber(target.wwpn),
    });
    const discoverSpec = object("HostNvmeDiscoverSpec", {
      hbaName: adapter,
      transportParameters,
      autoConnect: true,
      rootDiscoveryController: true,
    });
    try {
      await this.#client.invoke(call, attempt, "DiscoverNvmeControllers", system, { discoverSpec });
    } catch (error) {
      if (!isFault(error, "HostConfigFault", "NotFound", "MethodNotFound", "NotSupported"))
        throw error;
    }
  }

  /** A controller that is gone already is done. */
  async disconnect(
    call: DeviceCall,
    host: string,
    system: MoRef,
    controller: HostController,
  ): Promise<void> {
    const operation = `disconnect on host ${host} through ${controller.adapter} from subsystem`;
    const attempt = { operation, object: controller.subsystem };
    const disconnectSpec = object("HostNvmeDisconnectSpec", {
      hbaName: controller.adapter,
      subnqn: controller.subsystem,
      controllerNumber: controller.number,
    });
    try {
      await this.#client.invoke(call, attempt, "DisconnectNvmeController", system, {
        disconnectSpec,
      });
    } catch (error) {
      if (!isFault(error, "NotFound", "MethodNotFound", "NotSupported")) throw error;
    }
  }
}

/** The API takes a WWN as a signed 64-bit number. */
function worldWideNumber(wwn: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${wwn.replaceAll(":", "")}`));
}
