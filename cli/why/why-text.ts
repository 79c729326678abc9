import type { BedId } from "../../bed/identities";
import { isHeld, type Node, releaseOrder, type WhyGraph } from "./graph";
import { ownerText, remedyFor } from "./remedy";

export interface Why {
  readonly graph: WhyGraph;
  /** The bed from whose side it is told, if one was named. */
  readonly own: BedId | undefined;
  /** Questions that got no answer. */
  readonly unanswered: readonly string[];
}

const words: Readonly<Partial<Record<Node["kind"], string>>> = {
  deletedVolume: "deleted volume",
  hostGroup: "host group",
  hostDevice: "device on",
  copy: "copy",
  hold: "use as",
};

function headline(node: Node, own: BedId | undefined): string {
  const facts = node.facts.length === 0 ? "" : ` (${node.facts.join("; ")})`;
  return `${words[node.kind] ?? node.kind} ${node.name}${facts} [${node.device}] - ${ownerText(node, own)}`;
}

/** What holds what, as a tree, and what to do about it in the order in which it can be done. Pure. */
export function whyText({ graph, own, unanswered }: Why): string {
  const lines: string[] = [];
  const shown = new Set<string>();
  const draw = (id: string, depth: number): void => {
    const node = graph.nodes.get(id);
    if (node === undefined) return;
    const lead = depth === 0 ? "" : `${"   ".repeat(depth - 1)}<- `;
    const again = shown.has(id);
    const short = `${words[node.kind] ?? node.kind} ${node.name}, as above`;
    lines.push(`${lead}${again ? short : headline(node, own)}`);
    if (again) return;
    shown.add(id);
    for (const holder of node.holders) draw(holder, depth + 1);
  };
  for (const root of graph.roots) draw(root, 0);
  const held = isHeld(graph);
  if (held) lines.push("", "what lets go, in this order:", ...steps(graph, own));
  if (unanswered.length > 0) lines.push("", "not known, since these did not answer:");
  lines.push(...unanswered.map((one) => `  ${one}`));
  if (!held) lines.push(unanswered.length > 0 ? "nothing else holds it" : "nothing holds it");
  return `${lines.join("\n")}\n`;
}

function steps(graph: WhyGraph, own: BedId | undefined): string[] {
  return releaseOrder(graph).map((node, index) => {
    const what = `${words[node.kind] ?? node.kind} ${node.name}`;
    return `  ${(index + 1).toString()}. ${what}: ${remedyFor(node, own)}`;
  });
}

/** The same for programs: every node with what holds it, in the order in which they can go. Pure. */
export function whyJson({ graph, own, unanswered }: Why): Readonly<Record<string, unknown>> {
  return {
    bed: own,
    held: isHeld(graph),
    roots: graph.roots,
    nodes: releaseOrder(graph).map((node) => ({
      ...node,
      owner: ownerText(node, own),
      remedy: remedyFor(node, own),
    })),
    unanswered,
  };
}
