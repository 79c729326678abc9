import { z } from "zod";
import type { ResourceCall } from "../../../provider/kit/handler";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import type { VsphereContext } from "./context";

/** Ids of tags on an object, as every taggable resource takes them. */
export const tagsInput = z.array(z.string()).optional().describe("Ids of tags to attach.");

type Call = Pick<ResourceCall<VsphereContext>, "context" | "signal">;

/** Attaches what is new and detaches what has left. */
export async function attachTags(
  call: Call,
  object: MoRef,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const change = async (tag: string, action: "attach" | "detach"): Promise<void> => {
    await call.context.cis.send(call, {
      method: "POST",
      path: `tagging/tag-association/id:${encodeURIComponent(tag)}?~action=${action}`,
      body: { object_id: { type: object.type, id: object.value } },
      operation: `${action} tag`,
      object: tag,
    });
  };
  await Promise.all([
    ...after.filter((tag) => !before.includes(tag)).map((tag) => change(tag, "attach")),
    ...before.filter((tag) => !after.includes(tag)).map((tag) => change(tag, "detach")),
  ]);
}

/** Tags on the object, in the order in which the program names them. */
export async function tagsOf(
  call: Call,
  object: MoRef,
  order: readonly string[],
): Promise<string[]> {
  const value = await call.context.cis.send(call, {
    method: "POST",
    path: "tagging/tag-association?~action=list-attached-tags",
    body: { object_id: { type: object.type, id: object.value } },
    operation: "list the tags of",
    object: object.value,
    readOnly: true,
  });
  // Some servers say null for an empty list.
  const attached = z.array(z.string()).nullish().parse(value) ?? [];
  const known = order.filter((tag) => attached.includes(tag));
  return [...known, ...attached.filter((tag) => !known.includes(tag)).sort()];
}
