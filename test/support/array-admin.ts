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
  const reply = await deviceRequest(lab, "array", method, path, {
    headers: { authorization: authorization(lab), "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.body}`);
  return reply.body;
}

/** Takes a FlexVol offline, over the API that the release has. */
export async function takeOffline(
  lab: Pick<TestLab, "dir" | "site">,
  release: string,
  svm: string,
  volume: string,
): Promise<void> {
  if (release === "9.5") {
    const call = `<volume-offline><name>${volume}</name></volume-offline>`;
    await asOntapiAdmin(lab, call, svm);
    return;
  }
  const found = await asArrayAdmin(lab, "GET", `/api/storage/volumes?name=${volume}`);
  const { records } = JSON.parse(found) as { records: { uuid: string }[] };
  const path = `/api/storage/volumes/${records[0]?.uuid ?? ""}?return_timeout=15`;
  await asArrayAdmin(lab, "PATCH", path, { state: "offline" });
}

/** Changes a FlexVol's settings: by the body of a PATCH, or by ONTAPI calls where there is no REST. */
export async function changeVolume(
  lab: Pick<TestLab, "dir" | "site">,
  release: string,
  place: { readonly svm: string; readonly volume: string },
  change: { readonly rest: object; readonly ontapi: readonly string[] },
): Promise<void> {
  if (release === "9.5") {
    for (const call of change.ontapi) await asOntapiAdmin(lab, call, place.svm);
    return;
  }
  const query = `svm.name=${place.svm}&name=${place.volume}&return_timeout=15`;
  await asArrayAdmin(lab, "PATCH", `/api/storage/volumes?${query}`, change.rest);
}

/** One ONTAPI call behind everybody's back; a failure is an error. */
export async function asOntapiAdmin(
  lab: Pick<TestLab, "dir" | "site">,
  call: string,
  vserver: string,
): Promise<void> {
  const path = "/servlets/netapp.servlets.admin.XMLrequest_filer";
  const reply = await deviceRequest(lab, "array", "POST", path, {
    headers: { authorization: authorization(lab), "content-type": "text/xml" },
    body: `<netapp xmlns="http://www.netapp.com/filer/admin" version="1.100" vfiler="${vserver}">${call}</netapp>`,
  });
  if (!/status=.passed/.test(reply.body)) throw new Error(`${call}: ${reply.body}`);
}

function authorization(lab: Pick<TestLab, "dir" | "site">): string {
  const file = (lab.site.devices["array"]?.credentials ?? "").slice("file:".length);
  const { user, password } = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  return `Basic ${Buffer.from(`${user ?? ""}:${password ?? ""}`).toString("base64")}`;
}
