import { readFileSync } from "node:fs";
import { deviceRequest } from "./device-request";
import type { TestLab } from "./lab";

/**
 * What an administrator does with the array's own API, behind everybody's back. Answers the reply's
 * body; a refusal is an error.
 */
export async function asArrayAdmin(
  lab: Pick<TestLab, "dir" | "site">,
  method: string,
  path: string,
  body?: object,
): Promise<string> {
  const file = (lab.site.devices["array"]?.credentials ?? "").slice("file:".length);
  const { user, password } = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  const basic = Buffer.from(`${user ?? ""}:${password ?? ""}`).toString("base64");
  const reply = await deviceRequest(lab, "array", method, path, {
    headers: { authorization: `Basic ${basic}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.body}`);
  return reply.body;
}
