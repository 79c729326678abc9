import { join } from "node:path";
import { SanbedError } from "../../bed/errors";
import { engineWindowMs } from "../../provider/kit/group-commit";
import type { ResourceCall, ResourceHandler, WriteCall } from "../../provider/kit/handler";
import type { FabricSwitch } from "../../provider/devices/fabric-switch";
import type { FabricSweeper } from "../../provider/devices/sweep";
import type { BedContext } from "../../provider/resources/context";
import { openArray, openFabric, testBedId } from "./device-rig";
import type { TestLab } from "./lab";

/** A bed on the switches and the array of a lab, without the plugin's server around it. */
export interface TestBed {
  readonly context: BedContext;
  close(): Promise<void>;
}

export type TestSwitch = FabricSwitch & FabricSweeper;

export function openTestBed(
  lab: TestLab,
  open: (lab: TestLab, device: string) => TestSwitch = openFabric,
  gatherMs = engineWindowMs,
): TestBed {
  const fabrics = new Map(["fabricA", "fabricB"].map((name) => [name, open(lab, name)] as const));
  const arrays = new Map<string, ReturnType<typeof openArray>>([["array", openArray(lab)]]);
  const none = (name: string): never => {
    throw new SanbedError("test", `this bed has no ${name}`);
  };
  const context: BedContext = {
    bedId: testBedId,
    folder: join(lab.dir, "bed"),
    fabric: (name) => fabrics.get(name) ?? none(name),
    array: (name) => arrays.get(name) ?? none(name),
    hosts: none,
    guest: () => none("guest"),
    fabrics,
    arrays,
    gatherMs,
    declared: new Set<string>(),
    warnings: [],
    hypervisors: new Map(),
    secret: none,
  };
  return {
    context,
    close: async () => {
      await Promise.all([...fabrics.values(), ...arrays.values()].map((device) => device.close()));
    },
  };
}

export async function withTestBed(
  lab: TestLab,
  test: (context: BedContext) => Promise<void>,
): Promise<void> {
  const bed = openTestBed(lab);
  try {
    await test(bed.context);
  } finally {
    await bed.close();
  }
}

/** What a handler was told to keep in the stack when it began to write. */
interface Began {
  readonly id: string;
  readonly state: Record<string, unknown>;
}

export type TestCall = WriteCall<BedContext, Record<string, unknown>> & {
  readonly begun: Began[];
  readonly logged: string[];
};

export function testCall(context: BedContext, signal = AbortSignal.timeout(30_000)): TestCall {
  const begun: Began[] = [];
  const logged: string[] = [];
  const call: ResourceCall<BedContext> = {
    context,
    signal,
    deadline: undefined,
    urn: "urn:pulumi:test::sanbed::test::test",
    name: "test",
    status: () => undefined,
    log: (_severity, message) => {
      logged.push(message);
    },
  };
  return { ...call, began: (id, state) => void begun.push({ id, state }), begun, logged };
}

type State = Record<string, unknown>;

/**
 * A handler as the server drives it: inputs and state parsed by its own schemas before each call, the
 * structural difference left to the server's tests.
 */
export class Driven {
  constructor(readonly handler: ResourceHandler<BedContext>) {}

  async create(context: BedContext, inputs: object, call = testCall(context)) {
    return await this.handler.create(call, this.handler.inputs.parse(inputs));
  }

  async read(
    context: BedContext,
    id: string,
    state?: State,
  ): Promise<{ readonly id: string; readonly inputs: State; readonly state: State } | undefined> {
    const known = state === undefined ? undefined : this.handler.state.parse(state);
    const found = await this.handler.read?.(testCall(context), id, known, known);
    // The server parses what it gets, too: an answer that is not of the schema fails here.
    if (found !== undefined) {
      this.handler.inputs.parse(found.inputs);
      this.handler.state.parse(found.state);
    }
    return found;
  }

  async update(
    context: BedContext,
    id: string,
    olds: State,
    news: object,
    call = testCall(context),
  ) {
    if (this.handler.update === undefined) throw new Error("the handler has no update");
    const state = this.handler.state.parse(olds);
    return await this.handler.update(call, id, state, this.handler.inputs.parse(news));
  }

  async delete(context: BedContext, id: string, state: State, call = testCall(context)) {
    await this.handler.delete(call, id, this.handler.state.parse(state));
    return call;
  }
}
