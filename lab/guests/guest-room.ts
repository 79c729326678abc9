import type { PowerOnRequest } from "./request";

/** How a guest ended: by itself, to come back, or without being asked. */
export type GuestEnd = "poweroff" | "reboot" | "killed";

/** A guest that runs. */
export interface RunningGuest {
  /** Resolves when every process of the guest is gone. */
  readonly ended: Promise<GuestEnd>;
  /** Asks its init for an orderly shutdown. */
  requestPowerOff(): Promise<void>;
  /** As if the power was cut. */
  kill(): Promise<void>;
  /** After the end: gives back what the guest held of the machine. */
  release(): Promise<void>;
  /** Last lines of what the guest itself logged, to explain a start that failed. Empty: it cannot tell. */
  journal(lines: number): Promise<string>;
}

/** What guests of one level are made of. The supervisor decides when; this does it. */
export interface GuestRoom {
  /** Writes what customization changes in a clone. Only while the guest is off. */
  customize(vm: string, request: PowerOnRequest): Promise<void>;
  /**
   * Starts a guest; it is not reachable yet.
   *
   * @param running - guests that run then, this one included
   */
  start(vm: string, request: PowerOnRequest, running: number): Promise<RunningGuest>;
  /** Gives back what all guests together held. */
  close(): Promise<void>;
}
