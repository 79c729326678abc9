import { namespaceMap } from "../../provider/resources/array-namespace-map";
import { namespaceSet } from "../../provider/resources/array-volume-set";
import type { BedContext } from "../../provider/resources/context";
import { faultCampaign, type CampaignRig } from "../support/array-campaign";
import {
  entries,
  groupInputs,
  groupName,
  groups,
  place,
  setInputs,
  targetInputsOf,
  tenants,
  withArrayBed,
} from "../support/array-resources";
import { Driven, testCall } from "../support/handler-rig";

jest.setTimeout(180_000);

const protocol = "nvme-fc";
const { "01": only } = setInputs.volumes;

/** One bed over NVMe, in the order of its making. */
const chain: readonly (readonly [Driven, object])[] = [
  [tenants, { ...targetInputsOf("9.9.1"), protocol }],
  [groups, { ...groupInputs, protocol }],
  [new Driven(namespaceSet), { ...setInputs, volumes: { "01": only } }],
  [
    entries,
    {
      ...place,
      group: groupName,
      host: "esx01",
      protocol,
      initiators: ["nqn.2014-08.com.vmware:nvme:esx01"],
    },
  ],
  [
    new Driven(namespaceMap),
    { ...place, group: groupName, guard: "guard", namespaces: { "01": only.name } },
  ],
];

interface Recorded {
  readonly id: string;
  readonly state: Record<string, unknown>;
  /** Initialisation failed: the next update repairs it. */
  readonly failed: boolean;
}

/** What a stack remembers, as the engine keeps it: nothing of a create that failed before its first write. */
class Stack {
  readonly #recorded = new Map<Driven, Recorded>();

  async up(context: BedContext): Promise<void> {
    for (const [driven, inputs] of chain) {
      const known = this.#recorded.get(driven);
      if (known?.failed === false) continue;
      const call = testCall(context);
      try {
        const made =
          known === undefined || driven.handler.update === undefined
            ? await driven.create(context, inputs, call)
            : {
                id: known.id,
                state: await driven.update(context, known.id, known.state, inputs, call),
              };
        this.#recorded.set(driven, { ...made, failed: false });
      } catch (error) {
        const begun = call.begun.at(-1);
        if (begun !== undefined) this.#recorded.set(driven, { ...begun, failed: true });
        throw error;
      }
    }
  }

  async destroy(context: BedContext): Promise<void> {
    for (const [driven] of [...chain].reverse()) {
      const known = this.#recorded.get(driven);
      if (known === undefined) continue;
      await driven.delete(context, known.id, known.state);
      this.#recorded.delete(driven);
    }
  }
}

function rig(): CampaignRig {
  const stack = new Stack();
  let context: BedContext | undefined;
  const inContext = async (work: (context: BedContext) => Promise<void>): Promise<void> => {
    if (context === undefined) throw new Error("the campaign has not begun");
    await work(context);
  };
  return {
    run: (test) =>
      withArrayBed(async (opened, lab) => {
        context = opened;
        await test(opened.array("array"), lab);
      }, "9.9.1"),
    build: () => inContext((opened) => stack.up(opened)),
    tearDown: () => inContext((opened) => stack.destroy(opened)),
  };
}

test.each([
  ["has its effect, and the answer is lost", { dropAfter: true as const }],
  ["is answered with an internal error", { status: 500 }],
])(
  "resources over NVMe are whole after the next up and gone after destroy: a call %s",
  async (_, effect) => {
    expect(await faultCampaign(rig(), effect)).toBeGreaterThan(30);
  },
);
