import type { z } from "zod";
import type { BlockArray } from "./block-array";
import type { Clock } from "./clock";
import type { Credentials } from "./credentials";
import type { FabricSwitch } from "./fabric-switch";
import type { HostStorage } from "./host-storage";
import type { RequestLog } from "./request-log";
import type { ArraySweeper, FabricSweeper, HostSweeper } from "./sweep";

/** What every driver gets from the plugin. */
export interface DeviceEnvironment {
  readonly log: RequestLog;
  readonly clock: Clock;
  /** Relative paths in the device table start here. */
  readonly baseFolder: string;
  /** Where a driver keeps what the next process needs (open sessions, encrypted); absent: nowhere. */
  readonly stateFolder?: string | undefined;
  /** Resolves a reference to user and password, at the moment of use. */
  readonly credentials: (reference: string, signal: AbortSignal) => Promise<Credentials>;
}

export type OpenedDevice =
  | { readonly role: "fabric"; readonly fabric: FabricSwitch & FabricSweeper }
  | { readonly role: "array"; readonly array: BlockArray & ArraySweeper }
  | { readonly role: "hypervisor"; readonly hosts: HostStorage & HostSweeper };

/**
 * One kind of device: the form of its entry in the device table, and its driver. A new family is one
 * more of these in the list that is handed to {@link openDevices}.
 */
export interface DeviceKind<Config extends z.ZodObject = z.ZodObject> {
  /** Value of `kind` in the device table. */
  readonly kind: string;
  readonly config: Config;
  /** Must not touch the device. */
  open(name: string, config: z.infer<Config>, environment: DeviceEnvironment): OpenedDevice;
}
