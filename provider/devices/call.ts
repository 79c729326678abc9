/** What every call to a device carries. */
export interface DeviceCall {
  /** Aborted on Cancel, on loss of the engine and when the resource's deadline has passed. */
  readonly signal: AbortSignal;
  /** A line for the live status of the resource that asked; cheap, may be dropped. */
  readonly status?: (message: string) => void;
  /**
   * Called right before each request that may change the device. Refusals that come without it left
   * everything as it was.
   */
  readonly onWrite?: () => void;
}

/** One request to a device, for the Gantt and for the evidence. Never holds a secret. */
export interface DeviceRequestRecord {
  readonly device: string;
  readonly operation: string;
  readonly startedAt: string;
  readonly durationMs: number;
  /** HTTP status or the protocol's own word; undefined when no answer came. */
  readonly outcome: string | undefined;
  /** True when the request could have changed the device. */
  readonly write: boolean;
}

/** Class of the one inventory object that says which device this is, whatever address it answers at. */
export const identityClass = "device";

/** The identity of a device in its inventory: something that no other device has, and that stays. */
export function deviceIdentity(id: string): InventoryObject {
  return { class: identityClass, name: id, digest: "" };
}

/** One object on a device as the certificate sees it. */
export interface InventoryObject {
  /** Object class in the field's words: `zone`, `alias`, `volume`, `map`, `datastore`... */
  readonly class: string;
  /** Unique within the class on this device. */
  readonly name: string;
  /** The bed whose mark it carries, if any. */
  readonly bedId?: string | undefined;
  /** SHA-256 (hex) over the object's own settings; never over counters or times. */
  readonly digest: string;
}
