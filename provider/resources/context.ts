import type { BedId } from "../../bed/identities";
import type { BlockArray } from "../devices/block-array";
import type { FabricSwitch } from "../devices/fabric-switch";
import type { GuestAddress, GuestShell } from "../devices/guest-shell";
import type { HostStorage } from "../devices/host-storage";

/** The devices and settings of one bed: one provider instance, one process, one of these. */
export interface BedContext {
  readonly bedId: BedId;
  /** Folder for what the bed keeps on disk: certificate, journals, results. Absolute. */
  readonly folder: string;
  /** A device by its name in the bed. An unknown name or another kind: `ConfigError`. */
  fabric(name: string): FabricSwitch;
  array(name: string): BlockArray;
  hosts(name: string): HostStorage;
  /** A shell on a guest; one per address, connections shared. */
  guest(address: GuestAddress): GuestShell;
  /** All configured devices, for the certificate. */
  readonly fabrics: ReadonlyMap<string, FabricSwitch>;
  readonly arrays: ReadonlyMap<string, BlockArray>;
  readonly hypervisors: ReadonlyMap<string, HostStorage>;
  /**
   * How long, in milliseconds, the first of several calls waits for the others that the engine begins with
   * it (`engineWindowMs`).
   */
  readonly gatherMs: number;
  /** URNs that the program which runs now declares; empty in a plain `pulumi destroy`. */
  readonly declared: Set<string>;
  /** What the user should know of the devices, for instance that a certificate is not verified. */
  readonly warnings: readonly string[];
  /** Resolves a credential reference to its text. Never keep or print it. */
  secret(reference: string): Promise<string>;
}
