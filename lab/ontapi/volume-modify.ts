import { NotModelled, OntapFault } from "../ontap/faults";
import type { JsonObject } from "../world/state";
import { type Apis, command, type ZapiCall } from "./api";
import { errno, extraInput, missingInput, ZapiFault, zapiFault } from "./faults";
import { checkShape, matches } from "./shape";
import { patch } from "./volume-changes";
import { volumeShape } from "./volume-shape";
import { volumeIter } from "./volumes";
import { childOf, type Elem, isNode, type ZNode } from "./xml";

const record = "volume-attributes";

/**
 * Changes all volumes that a query finds. It passes although single volumes could not be changed:
 * `num-failed` and `failure-list` say so.
 */
export const volumeModifyApis: Apis = {
  "volume-modify-iter": command(
    "vserver",
    {
      query: { type: "tree", required: true },
      attributes: { type: "tree", required: true },
      "continue-on-failure": { type: "boolean" },
      "max-failure-count": { type: "integer" },
      "max-records": { type: "integer" },
      "return-failure-list": { type: "boolean" },
      "return-success-list": { type: "boolean" },
      tag: { type: "text", notModelled: true },
    },
    modify,
  ),
};

async function modify(call: ZapiCall): Promise<ZNode> {
  const { args } = call;
  const query = partOf(args.tree("query"), "query");
  const value = changesOf(partOf(args.tree("attributes"), "attributes"));
  const found = volumeIter.list(call).filter((volume) => matches(volume, query));
  const succeeded: ZNode[] = [];
  const failed: ZNode[] = [];
  for (const volume of found.slice(0, args.integer("max-records") ?? 20)) {
    try {
      await patch(call, nameOf(volume), value);
      succeeded.push({ "volume-key": { [record]: keyOf(volume) } });
    } catch (error) {
      failed.push(failure(volume, error));
      if (args.flag("continue-on-failure") !== true) break;
    }
  }
  const list = (wanted: boolean | undefined, infos: ZNode[]): ZNode | undefined =>
    wanted === false || infos.length === 0 ? undefined : { "volume-modify-iter-info": infos };
  return {
    "failure-list": list(args.flag("return-failure-list"), failed),
    "num-failed": failed.length,
    "num-succeeded": succeeded.length,
    "success-list": list(args.flag("return-success-list"), succeeded),
  };
}

function partOf(tree: Elem | undefined, name: string): Elem {
  const other = tree?.children.find((child) => child.name !== record);
  if (other !== undefined) throw extraInput(other.name);
  const elem = childOf(tree, record);
  if (elem === undefined) throw missingInput(`${name}/${record}`);
  checkShape(elem, volumeShape);
  return elem;
}

function nameOf(volume: ZNode): string {
  const id = volume["volume-id-attributes"];
  const name = isNode(id) ? id["name"] : undefined;
  return typeof name === "string" ? name : "";
}

function keyOf(volume: ZNode): ZNode {
  return { "volume-id-attributes": { name: nameOf(volume) } };
}

function failure(volume: ZNode, error: unknown): ZNode {
  const fault = error instanceof OntapFault ? zapiFault(error) : error;
  if (!(fault instanceof ZapiFault)) throw error;
  return {
    "error-code": fault.errno,
    "error-message": fault.reason,
    "volume-key": { [record]: keyOf(volume) },
  };
}

/** What can be changed, by its path in ONTAPI, as the change that the cluster knows. */
const changes: Readonly<Record<string, (text: string) => JsonObject>> = {
  "volume-id-attributes/comment": (text) => ({ comment: text }),
  "volume-space-attributes/space-guarantee": (text) => ({ guarantee: { type: text } }),
  "volume-space-attributes/percentage-snapshot-reserve": (text) => ({
    space: { snapshot: { reserve_percent: Number(text) } },
  }),
  "volume-space-attributes/percentage-fractional-reserve": (text) => ({
    space: { fractional_reserve: Number(text) },
  }),
  "volume-snapshot-attributes/snapshot-policy": (text) => ({ snapshot_policy: { name: text } }),
  "volume-comp-aggr-attributes/tiering-policy": (text) => ({
    tiering: { policy: text.replace("-", "_") },
  }),
  "volume-qos-attributes/policy-group-name": (text) => ({ qos: { policy: { name: text } } }),
  "volume-autosize-attributes/mode": (text) => ({ autosize: { mode: text } }),
};

function changesOf(elem: Elem): JsonObject {
  const out: JsonObject = {};
  for (const group of elem.children) {
    for (const leaf of group.children) {
      const change = changes[`${group.name}/${leaf.name}`];
      if (change === undefined) {
        throw new NotModelled(`change of ${group.name}/${leaf.name} of a volume`);
      }
      merge(out, change(leaf.text));
    }
  }
  if (Object.keys(out).length === 0) {
    throw new ZapiFault(errno.invalid, "No modifiable attribute was specified");
  }
  return out;
}

function merge(into: JsonObject, from: JsonObject): void {
  for (const [key, value] of Object.entries(from)) {
    const before = into[key];
    const both =
      typeof before === "object" &&
      before !== null &&
      !Array.isArray(before) &&
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value);
    if (both) merge(before, value);
    else into[key] = value;
  }
}
