import { z } from "zod";
import { siteSchema } from "./schema";

/** The form of site files as JSON Schema (draft 2020-12). What one part says of another is not in it. */
export function siteJsonSchema(): object {
  return {
    title: "sanbed site",
    ...z.toJSONSchema(siteSchema, { io: "input", target: "draft-2020-12" }),
  };
}
