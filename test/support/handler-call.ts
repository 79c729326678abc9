import { engineWindowMs } from "../../provider/kit/group-commit";
import type { BedContext } from "../../provider/resources/context";
import type { ResourceHandler, WriteCall } from "../../provider/kit/handler";
import type { GuestShell } from "../../provider/devices/guest-shell";
import { openGuestShell } from "../../provider/devices/guest-ssh/guest-ssh";
import type { BedId } from "../../bed/identities";

/** What a handler said while it worked. */
export interface Heard {
  readonly status: string[];
  readonly log: string[];
  /** Last thing that `began` was told: what the engine keeps when the call fails. */
  begun: { id: string; state: Record<string, unknown> } | undefined;
}

export interface HandlerCall {
  readonly call: WriteCall<BedContext, Record<string, unknown>>;
  readonly heard: Heard;
  readonly abort: () => void;
}

/** A bed without devices but guests. */
export class GuestBed {
  private readonly shells = new Map<string, GuestShell>();
  readonly context: BedContext;

  constructor(bedId: BedId, folder: string, secret: (reference: string) => Promise<string>) {
    const none = (name: string): never => {
      throw new Error(`no device ${name}`);
    };
    this.context = {
      bedId,
      folder,
      fabric: none,
      array: none,
      hosts: none,
      fabrics: new Map(),
      arrays: new Map(),
      gatherMs: engineWindowMs,
      declared: new Set<string>(),
      warnings: [],
      hypervisors: new Map(),
      secret,
      guest: (address) => {
        const key = `${address.host}:${address.port.toString()}`;
        const shell = this.shells.get(key) ?? openGuestShell(address, { resolve: secret });
        this.shells.set(key, shell);
        return shell;
      },
    };
  }

  call(name: string): HandlerCall {
    const controller = new AbortController();
    const heard: Heard = { status: [], log: [], begun: undefined };
    const call = {
      context: this.context,
      signal: controller.signal,
      deadline: undefined,
      urn: `urn:pulumi:test::test::x::${name}`,
      name,
      status: (message: string) => heard.status.push(message),
      log: (severity: string, message: string) => heard.log.push(`${severity}: ${message}`),
      began: (id: string, state: Record<string, unknown>) => {
        heard.begun = { id, state };
      },
    };
    return {
      call,
      heard,
      abort: () => {
        controller.abort();
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.shells.values()].map((shell) => shell.close()));
  }
}

/** Inputs as the engine hands them over: parsed, with defaults. */
export function parsedInputs(
  handler: ResourceHandler<BedContext>,
  inputs: object,
): Record<string, unknown> {
  return handler.inputs.parse(inputs);
}
