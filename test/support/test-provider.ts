import { writeFileSync } from "node:fs";
import { z } from "zod";
import { ConfigError, DeviceError } from "../../bed/errors";
import { fn, resource } from "../../provider/kit/handler";
import type { ProviderDefinition, ResourceCall } from "../../provider/kit/handler";
import { assetSchema } from "../../provider/kit/schema";

/** What the test provider manages: boxes on a shelf, in memory. */
export class Shelf {
  readonly boxes = new Map<string, { inputs: BoxInputs; state: BoxState }>();
  /** What was done, in order: `create alpha`, `update alpha`... */
  readonly journal: string[] = [];
  readonly configs: unknown[] = [];
  closed = 0;
  serial = 0;
}

const mode = z.enum(["thin", "thick"]).meta({ id: "Mode", description: "How space is taken." });
const host = z
  .object({
    name: z.string().min(1),
    wwpn: z.string().regex(/^[0-9a-f]{16}$/, { error: "not a WWPN: expected 16 hex digits" }),
    password: z.string().optional().meta({ secret: true }),
    queueDepth: z.int().positive().default(32),
  })
  .meta({ id: "Host", description: "A host that uses the box." });
const via = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fc"), ports: z.array(z.string()).min(1) }).meta({ id: "ViaFc" }),
  z.object({ kind: z.literal("ip"), address: z.string() }).meta({ id: "ViaIp" }),
]);

const boxInputs = z.object({
  name: z.string().min(1).describe("Name on the shelf."),
  sizeBytes: z.string().regex(/^\d+$/).default("1024"),
  mode: mode.default("thin"),
  labels: z.record(z.string(), z.string()).optional(),
  hosts: z.array(host).default([]),
  via: via.optional(),
  token: z.string().optional().meta({ secret: true }),
  anything: z.unknown().optional(),
  file: assetSchema("Asset").optional(),
});
const boxState = boxInputs.extend({
  serial: z.string(),
  devices: z.record(z.string(), z.string()),
  key: z.string().meta({ secret: true }),
  note: z.string().optional(),
});
type BoxInputs = z.infer<typeof boxInputs>;
type BoxState = z.infer<typeof boxState>;

const box = resource<Shelf, typeof boxInputs, typeof boxState>({
  token: "test:shelf:Box",
  description: "A box.",
  inputs: boxInputs,
  state: boxState,
  replaceOn: ["name", "via"],
  replaceOnUnknown: ["hosts"],
  deleteBeforeReplace: true,
  stables: ["serial", "devices"],
  check: (inputs) =>
    inputs.mode === "thick" &&
    inputs.sizeBytes !== undefined &&
    BigInt(inputs.sizeBytes) > 10n ** 12n
      ? [{ path: "sizeBytes", message: "thick boxes end at 1 TB", remedy: "make it thin" }]
      : [],
  plan: ({ name }) => (name === undefined ? {} : { note: `box ${name}` }),
  diff: (changes) => changes.filter(({ path }) => path !== "labels.ignoreMe"),
  refuse: (olds, news) =>
    BigInt(news.sizeBytes) < BigInt(olds.sizeBytes)
      ? [{ path: "sizeBytes", message: "a box never shrinks", remedy: "make another" }]
      : [],
  lookAhead: ({ log }, { name, token }, olds) => {
    if (name === "hidden") {
      const place = { device: "shelf", operation: "look for box", object: name };
      throw new DeviceError({ ...place, kind: "unreachable", reason: "it is dark" });
    }
    log("info", `would ${olds === undefined ? "make" : "change"} ${name} by ${token ?? "nobody"}`);
    return Promise.resolve();
  },
  create: async ({ context: shelf, began, status, log }, inputs) => {
    status(`making ${inputs.name}`);
    log("info", `token is ${inputs.token ?? "absent"}`);
    const id = `box-${inputs.name}`;
    const known = shelf.boxes.get(id);
    const serial = known?.state.serial ?? `s${(shelf.serial += 1).toString()}`;
    const state: BoxState = {
      ...inputs,
      serial,
      devices: { main: `naa.${serial}` },
      key: `key-of-${inputs.name}`,
      note: `box ${inputs.name}`,
    };
    began(id, state);
    await Promise.resolve();
    shelf.boxes.set(id, { inputs, state });
    shelf.journal.push(`create ${inputs.name}`);
    return { id, state };
  },
  read: ({ context: shelf }, id) => {
    const found = shelf.boxes.get(id);
    return Promise.resolve(found === undefined ? undefined : { id, ...found });
  },
  update: ({ context: shelf }, id, olds, news) => {
    const state = { ...olds, ...news };
    shelf.boxes.set(id, { inputs: news, state });
    shelf.journal.push(`update ${news.name}`);
    return Promise.resolve(state);
  },
  delete: ({ context: shelf }, id) => {
    shelf.boxes.delete(id);
    shelf.journal.push(`delete ${id}`);
    return Promise.resolve();
  },
});

/** A resource that fails or hangs where it is told to. */
const trapInputs = z.object({
  at: z.enum(["before", "after", "never"]).meta({ id: "TrapPoint" }),
  how: z.enum(["device", "bug", "disk", "config", "hang", "hangDeaf"]).meta({ id: "TrapKind" }),
  password: z.string().optional().meta({ secret: true }),
});
const trapState = trapInputs.extend({ step: z.string() });
type TrapInputs = z.infer<typeof trapInputs>;

async function spring(
  call: Pick<ResourceCall<Shelf>, "signal" | "context" | "name">,
  { how, password }: TrapInputs,
): Promise<void> {
  call.context.journal.push(`sprung ${call.name}`);
  const said = `the array said "${password ?? "no"}"`;
  switch (how) {
    case "device":
      throw new DeviceError({
        kind: "refused",
        device: "array",
        operation: "make trap",
        reason: said,
        remedy: "Do not.",
      });
    case "config":
      throw new ConfigError([{ path: "at", message: said }]);
    case "disk":
      // Always full, as Linux offers it.
      writeFileSync("/dev/full", "x");
      return;
    case "bug":
      throw new TypeError(`cannot read ${password ?? "x"} of undefined`);
    case "hang":
      await new Promise((_resolve, reject) => {
        call.signal.addEventListener("abort", () => {
          call.context.journal.push(`aborted ${call.name}`);
          reject(call.signal.reason as Error);
        });
      });
      break;
    case "hangDeaf":
      await new Promise(() => undefined);
  }
}

const trap = resource<Shelf, typeof trapInputs, typeof trapState>({
  token: "test:shelf:Trap",
  description: "Fails where told.",
  inputs: trapInputs,
  state: trapState,
  replaceOn: [],
  deleteBeforeReplace: false,
  create: async (call, inputs) => {
    if (inputs.at === "before") await spring(call, inputs);
    call.began("trap-1", { ...inputs, step: "begun" });
    if (inputs.at === "after") await spring(call, inputs);
    return { id: "trap-1", state: { ...inputs, step: "done" } };
  },
  update: async (call, id, _olds, news) => {
    if (news.at === "before") await spring(call, news);
    call.began(id, { ...news, step: "update begun" });
    if (news.at === "after") await spring(call, news);
    return { ...news, step: "updated" };
  },
  read: async (call, id, state) => {
    if (state === undefined) return undefined;
    if (state.at === "before") await spring(call, state);
    return { id, inputs: trapInputs.parse(state), state };
  },
  delete: async (call, _id, state) => {
    if (state.at === "before") await spring(call, state);
  },
});

/** No update, no read: every change replaces, and it lives in the state only. */
const noteInputs = z.object({ text: z.string(), tags: z.array(z.string()).default([]) });
const note = resource<Shelf, typeof noteInputs, typeof noteInputs>({
  token: "test:shelf:Note",
  description: "A note.",
  inputs: noteInputs,
  state: noteInputs,
  replaceOn: [],
  deleteBeforeReplace: false,
  create: ({ context: shelf }, inputs) => {
    shelf.journal.push(`note ${inputs.text}`);
    return Promise.resolve({ id: `note-${inputs.text.slice(0, 5)}`, state: inputs });
  },
  delete: () => Promise.resolve(),
});

const getBoxInputs = z.object({ name: z.string() });
const getBoxOutputs = z.object({ serial: z.string(), key: z.string().meta({ secret: true }) });
const getBox = fn<Shelf, typeof getBoxInputs, typeof getBoxOutputs>({
  token: "test:shelf:getBox",
  description: "Looks a box up.",
  inputs: getBoxInputs,
  outputs: getBoxOutputs,
  invoke: ({ context: shelf }, { name }) => {
    const found = shelf.boxes.get(`box-${name}`);
    if (found === undefined) {
      throw new DeviceError({
        kind: "notFound",
        device: "shelf",
        operation: "find box",
        object: name,
        reason: "it is not there",
      });
    }
    return Promise.resolve({ serial: found.state.serial, key: found.state.key });
  },
});

const device = z
  .object({
    kind: z.enum(["array", "switch"]).meta({ id: "DeviceKind" }),
    endpoint: z.string(),
    password: z.string().optional().meta({ secret: true }),
  })
  .meta({ id: "Device" });
const config = z.object({
  bedId: z.string().regex(/^[a-z]+$/),
  devices: z.record(z.string(), device),
  retries: z.int().default(3),
});

/** A provider for the kit's own tests: every feature, no device. */
export function testProvider(shelf: Shelf): ProviderDefinition<typeof config, Shelf> {
  return {
    name: "test",
    version: "1.2.3",
    description: "For the tests of the kit.",
    config,
    replaceConfigOn: ["bedId"],
    checkConfig: ({ devices }) =>
      Object.keys(devices).length === 0 ? [{ path: "devices", message: "there is no device" }] : [],
    configure: (settings) => {
      shelf.configs.push(settings);
      return shelf;
    },
    close: () => {
      shelf.closed += 1;
      return Promise.resolve();
    },
    resources: [box, trap, note],
    functions: [getBox],
  };
}
