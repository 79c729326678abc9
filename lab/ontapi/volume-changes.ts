import { Body } from "../ontap/body";
import type { Operation } from "../ontap/context";
import { NotModelled } from "../ontap/faults";
import { volumes } from "../ontap/volumes";
import type { JsonObject } from "../world/state";
import { type Apis, command, perform, vserverOf, type ZapiCall } from "./api";
import { errno, invalidInput, missingInput, ZapiFault } from "./faults";
import { type Inputs, oneOf, parseBytes, requiredText, text, unmodelled } from "./inputs";
import { asyncAnswer } from "./jobs";
import { directCall, made, recordOf } from "./model";
import { volumeIter, volumeOf } from "./volumes";
import type { ZNode } from "./xml";

const createInputs: Inputs = {
  "containing-aggr-name": text,
  size: text,
  "space-reserve": oneOf("none", "volume", "file"),
  "snapshot-policy": text,
  "percentage-snapshot-reserve": { type: "integer" },
  "tiering-policy": oneOf("none", "snapshot-only", "auto", "all", "backup"),
  "volume-comment": text,
  "volume-state": oneOf("online", "offline", "restricted"),
  "volume-type": oneOf("rw"),
  "efficiency-policy": text,
  encrypt: oneOf("false"),
  "language-code": text,
  "junction-path": unmodelled,
  "export-policy": text,
  "volume-security-style": text,
  "unix-permissions": text,
  "is-nvfail-enabled": oneOf("false"),
  "qos-policy-group-name": unmodelled,
  "qos-adaptive-policy-group-name": unmodelled,
  "space-slo": oneOf("none"),
  "vserver-dr-protection": oneOf("unprotected"),
  "caching-policy": unmodelled,
  "user-id": unmodelled,
  "group-id": unmodelled,
};

const one: Inputs = { name: requiredText };

/** What makes, changes and removes FlexVols. */
export const volumeApis: Apis = {
  "volume-get-iter": volumeIter,
  "volume-create": command("vserver", { volume: requiredText, ...createInputs }, async (call) => {
    await perform(call.ctx, creation(call, "volume"));
    return {};
  }),
  "volume-create-async": command(
    "vserver",
    { "volume-name": requiredText, ...createInputs },
    (call) => asyncAnswer(call.ctx, creation(call, "volume-name")),
  ),
  "volume-size": command("vserver", { volume: requiredText, "new-size": text }, size),
  "volume-offline": command("vserver", { ...one, "cifs-delay": { type: "integer" } }, (call) =>
    setState(call, "offline"),
  ),
  "volume-online": command("vserver", one, (call) => setState(call, "online")),
  "volume-restrict": command("vserver", one, (call) => setState(call, "restricted")),
  "volume-unmount": command(
    "vserver",
    { "volume-name": requiredText, force: { type: "boolean" } },
    unmount,
  ),
  "volume-rename": command(
    "vserver",
    { volume: requiredText, "new-volume-name": requiredText },
    (call) => patch(call, call.args.need("volume"), { name: call.args.need("new-volume-name") }),
  ),
  "volume-destroy": command(
    "vserver",
    { ...one, "unmount-and-offline": { type: "boolean" }, force: { type: "boolean" } },
    async (call) => {
      await perform(call.ctx, removal(call, call.args.need("name")));
      return {};
    },
  ),
  "volume-destroy-async": command(
    "vserver",
    { "volume-name": requiredText, "unmount-and-offline": { type: "boolean" } },
    (call) => asyncAnswer(call.ctx, removal(call, call.args.need("volume-name"))),
  ),
};

function creation(call: ZapiCall, nameInput: string): Operation {
  const { args } = call;
  const aggregate = args.text("containing-aggr-name");
  if (aggregate === undefined) throw missingInput("containing-aggr-name");
  if (args.text("size") === undefined) throw missingInput("size");
  const reserve = args.text("space-reserve") ?? "volume";
  if (reserve === "file") throw new NotModelled("space guarantee `file`");
  const value: JsonObject = {
    svm: { uuid: vserverOf(call).id },
    name: args.need(nameInput),
    aggregates: [{ name: aggregate }],
    size: (args.bytes("size") ?? 0n).toString(),
    guarantee: { type: reserve },
    state: args.text("volume-state") ?? "online",
    comment: args.text("volume-comment") ?? "",
    tiering: { policy: (args.text("tiering-policy") ?? "snapshot-only").replace("-", "_") },
  };
  const policy = args.text("snapshot-policy");
  if (policy !== undefined) value["snapshot_policy"] = { name: policy };
  const percent = args.integer("percentage-snapshot-reserve");
  if (percent !== undefined) value["space"] = { snapshot: { reserve_percent: percent } };
  const efficiency = args.text("efficiency-policy");
  if (efficiency !== undefined) value["efficiency"] = { policy: { name: efficiency } };
  return made(volumes.create?.(call.ctx, new Body(value), directCall()));
}

/** Answers the size, and sets it first when a new one is given: absolute, or by `+` and `-`. */
async function size(call: ZapiCall): Promise<ZNode> {
  const { args } = call;
  const name = args.need("volume");
  const asked = args.text("new-size");
  const before = volumeOf(call, name);
  if (asked !== undefined) {
    const bytes = parseBytes(asked.replace(/^[+-]/, ""));
    if (bytes === undefined) throw invalidInput(args.api, "new-size", asked);
    const signed = asked.startsWith("-") ? -bytes : bytes;
    const wanted = /^[+-]/.test(asked) ? before.sizeBytes + signed : bytes;
    if (!before.online) throw new ZapiFault(errno.volumeOffline, `Volume "${name}" is offline.`);
    if (wanted <= 0n) throw invalidInput(args.api, "new-size", asked);
    await patch(call, name, { size: wanted.toString() });
  }
  return {
    "is-fixed-size-flex-volume": false,
    "is-readonly-flex-volume": false,
    "is-replica-flex-volume": false,
    "volume-size": volumeOf(call, name).sizeBytes,
  };
}

async function setState(call: ZapiCall, state: string): Promise<ZNode> {
  const name = call.args.need("name");
  const volume = volumeOf(call, name);
  const now = volume.online ? "online" : "offline";
  if (now === state) {
    throw state === "offline"
      ? new ZapiFault(errno.volumeOffline, `Volume "${name}" is already offline.`)
      : new ZapiFault(errno.volumeOnline, `Volume "${name}" is already online.`);
  }
  return patch(call, name, { state });
}

/** Volumes of the FC path are mounted nowhere; the root volume of a vserver cannot be unmounted. */
function unmount(call: ZapiCall): ZNode {
  const name = call.args.need("volume-name");
  if (volumeOf(call, name).attributes["isRoot"] === true) {
    throw new ZapiFault(errno.notAllowed, `Volume "${name}" is the root of the namespace.`);
  }
  throw new ZapiFault(errno.volumeNotMounted, `Volume "${name}" is not mounted.`);
}

/** Changes one FlexVol and waits until the change has taken effect. */
export async function patch(call: ZapiCall, name: string, value: JsonObject): Promise<ZNode> {
  const { ctx } = call;
  const record = recordOf(ctx, volumes, volumeOf(call, name).id);
  await perform(ctx, made(volumes.update?.(ctx, record, new Body(value), directCall())));
  return {};
}

/** Only offline volumes can be destroyed, unless the call asks to take it offline as well. */
function removal(call: ZapiCall, name: string): Operation {
  const { ctx, args } = call;
  const volume = volumeOf(call, name);
  if (volume.online && args.flag("unmount-and-offline") !== true) {
    throw new ZapiFault(errno.volumeNotOffline, `Volume "${name}" is not offline.`);
  }
  return made(volumes.remove?.(ctx, recordOf(ctx, volumes, volume.id), directCall()));
}
