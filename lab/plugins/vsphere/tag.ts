import { z } from "zod";
import { isDeviceError } from "../../../bed/errors";
import type { ResourceCall } from "../../../provider/kit/handler";
import { resource } from "../../../provider/kit/handler";
import type { VsphereContext } from "./context";
import { autoName } from "./names";

const tagInputs = z.object({
  categoryId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
});

const tagShape = z.object({
  name: z.string(),
  description: z.string().default(""),
  category_id: z.string(),
});

/** Empty and absent descriptions are the same. */
function described(text: string): string | undefined {
  return text === "" ? undefined : text;
}

export const tag = resource<VsphereContext, typeof tagInputs, typeof tagInputs>({
  token: "vsphere:index/tag:Tag",
  description: "A tag of a category.",
  inputs: tagInputs,
  state: tagInputs,
  replaceOn: ["categoryId"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const name = autoName(args.name, call.name);
    const value = await call.context.cis.send(call, {
      method: "POST",
      path: "tagging/tag",
      body: {
        create_spec: {
          category_id: args.categoryId,
          name,
          description: args.description ?? "",
        },
      },
      operation: "create tag",
      object: name,
    });
    return { id: z.string().parse(value), state: { ...args, name } };
  },
  async read(call, id, olds, recorded) {
    const value = await readById(call, "tag", id);
    if (value === undefined) return undefined;
    const found = tagShape.parse(value);
    const state = {
      categoryId: found.category_id,
      name: found.name,
      description: described(found.description),
    };
    const name = recorded?.["name"] === undefined && olds !== undefined ? undefined : state.name;
    return { id, inputs: { ...state, name }, state };
  },
  async update(call, id, olds, news) {
    const name = news.name ?? olds.name;
    await call.context.cis.send(call, {
      method: "PATCH",
      path: `tagging/tag/id:${encodeURIComponent(id)}`,
      body: { update_spec: { name, description: news.description ?? "" } },
      operation: "change tag",
      object: name,
    });
    return { ...news, name };
  },
  delete: (call, id, olds) => removeById(call, "tag", id, olds.name),
});

const categoryInputs = z.object({
  name: z.string().optional(),
  description: z.string().optional(),
  cardinality: z.string().describe("`SINGLE` or `MULTIPLE`."),
  associableTypes: z.array(z.string()).describe("Kinds of objects that its tags may be put on."),
});

const categoryShape = z.object({
  name: z.string(),
  description: z.string().default(""),
  cardinality: z.string(),
  associable_types: z.array(z.string()),
});

export const tagCategory = resource<VsphereContext, typeof categoryInputs, typeof categoryInputs>({
  token: "vsphere:index/tagCategory:TagCategory",
  description: "A category of tags.",
  inputs: categoryInputs,
  state: categoryInputs,
  replaceOn: ["cardinality"],
  deleteBeforeReplace: false,
  async create(call, args) {
    const name = autoName(args.name, call.name);
    const value = await call.context.cis.send(call, {
      method: "POST",
      path: "tagging/category",
      body: {
        create_spec: {
          name,
          description: args.description ?? "",
          cardinality: args.cardinality,
          associable_types: args.associableTypes,
        },
      },
      operation: "create tag category",
      object: name,
    });
    return { id: z.string().parse(value), state: { ...args, name } };
  },
  async read(call, id, olds, recorded) {
    const value = await readById(call, "category", id);
    if (value === undefined) return undefined;
    const found = categoryShape.parse(value);
    const order = olds?.associableTypes ?? [];
    const types = found.associable_types;
    const state = {
      name: found.name,
      description: described(found.description),
      cardinality: found.cardinality,
      associableTypes: [
        ...order.filter((type) => types.includes(type)),
        ...types.filter((type) => !order.includes(type)),
      ],
    };
    const name = recorded?.["name"] === undefined && olds !== undefined ? undefined : state.name;
    return { id, inputs: { ...state, name }, state };
  },
  async update(call, id, olds, news) {
    const name = news.name ?? olds.name;
    await call.context.cis.send(call, {
      method: "PATCH",
      path: `tagging/category/id:${encodeURIComponent(id)}`,
      body: {
        update_spec: {
          name,
          description: news.description ?? "",
          associable_types: news.associableTypes,
        },
      },
      operation: "change tag category",
      object: name,
    });
    return { ...news, name };
  },
  delete: (call, id, olds) => removeById(call, "category", id, olds.name),
});

type Call = Pick<ResourceCall<VsphereContext>, "context" | "signal">;

async function readById(call: Call, kind: "tag" | "category", id: string): Promise<unknown> {
  try {
    return await call.context.cis.send(call, {
      method: "GET",
      path: `tagging/${kind}/id:${encodeURIComponent(id)}`,
      operation: `read ${kind}`,
      object: id,
    });
  } catch (error) {
    if (isDeviceError(error, "notFound")) return undefined;
    throw error;
  }
}

async function removeById(
  call: Call,
  kind: "tag" | "category",
  id: string,
  name: string | undefined,
): Promise<void> {
  try {
    await call.context.cis.send(call, {
      method: "DELETE",
      path: `tagging/${kind}/id:${encodeURIComponent(id)}`,
      operation: `remove ${kind}`,
      object: name,
    });
  } catch (error) {
    if (!isDeviceError(error, "notFound")) throw error;
  }
}
