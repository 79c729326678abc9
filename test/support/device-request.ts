import { readFileSync } from "node:fs";
import { request } from "node:https";
import type { TestLab } from "./lab";

export interface DeviceReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request to an emulated device, raw: what a client of anybody's making would send. */
export function deviceRequest(
  lab: Pick<TestLab, "dir" | "site">,
  device: string,
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: string } = {},
): Promise<DeviceReply> {
  const endpoint = new URL(lab.site.devices[device]?.endpoint ?? "");
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: endpoint.hostname,
        port: endpoint.port,
        method,
        path,
        agent: false,
        ca: readFileSync(`${lab.dir}/secrets/${device}.crt`),
        headers: options.headers,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.once("error", reject);
        incoming.once("end", () => {
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks).toString("utf8"),
          });
        });
      },
    );
    outgoing.once("error", reject);
    outgoing.end(options.body);
  });
}
