import type { BedId } from "../../bed/identities";
import type { Bytes } from "../../bed/units";
import type { DeviceCall } from "./call";
import type { HostStorage } from "./host-storage";

export interface SurveyedDatastore {
  readonly name: string;
  readonly datacenter: string | undefined;
  /** `VMFS`, `NFS`, `vsan`..., in the hypervisor's word. */
  readonly type: string;
  readonly capacityBytes: Bytes | undefined;
  readonly freeBytes: Bytes | undefined;
  /** Hosts that have it mounted and reach it. */
  readonly hosts: readonly string[];
  readonly bedId: BedId | undefined;
}

interface SurveyedTemplate {
  readonly name: string;
  readonly datacenter: string | undefined;
  /** Operating system in the hypervisor's word, `debian12_64Guest`. */
  readonly guestOs: string | undefined;
}

interface SurveyedNetwork {
  readonly name: string;
  readonly datacenter: string | undefined;
  readonly hosts: readonly string[];
}

/** What a bed could be built on in a hypervisor's inventory. */
export interface VirtualSurvey {
  readonly datacenters: readonly string[];
  readonly clusters: readonly { readonly name: string; readonly datacenter: string | undefined }[];
  readonly datastores: readonly SurveyedDatastore[];
  readonly templates: readonly SurveyedTemplate[];
  /** Port groups that machines can be put on: no uplinks. */
  readonly networks: readonly SurveyedNetwork[];
  /** Name in NVMe over Fibre Channel by host, where the host tells one. */
  readonly nqns: ReadonlyMap<string, string>;
  /** IPv4 addresses of machines, as far as their tools report them. */
  readonly addresses: readonly { readonly address: string; readonly bedId: BedId | undefined }[];
}

/** Hypervisors that tell what they offer. Reads only. */
export interface VirtualSurveyor {
  survey(call: DeviceCall): Promise<VirtualSurvey>;
}

export function isVirtualSurveyor(hosts: HostStorage): hosts is HostStorage & VirtualSurveyor {
  return "survey" in hosts;
}
