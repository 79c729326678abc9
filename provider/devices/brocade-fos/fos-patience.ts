/** How patient the driver is. Times in milliseconds. */
export interface FosPatience {
  /** For a free session, when all sessions of the switch are taken. */
  readonly sessionWaitMs: number;
  /** For another administrator's transaction to end. */
  readonly lockWaitMs: number;
  /** For a commit to show in fresh reads. */
  readonly verifyMs: number;
  /** Between two looks while one of the above lasts. */
  readonly pollMs: number;
  /** After 503: four seconds is what the vendor's own clients wait (pyfos, brocade/ansible). */
  readonly throttledMs: number;
  /** After "The Fabric is busy" (brcdapi waits ten seconds, five times). */
  readonly busyMs: number;
  /** An unused session is given back after so long. */
  readonly lingerMs: number;
}
