import { request as httpRequest } from "node:http";
import { z } from "zod";
import type { Site } from "../bed/site";
import type { LabStatus } from "./running-lab";
import { labError } from "./emulator/lab-error";
import type { FaultRuleInput } from "./emulator/faults";
import type { RequestRecord } from "./emulator/request-log";
import { LabFolder, readLabJson } from "./folder";
import type { Json } from "./world/state";

const errorSchema = z.object({ error: z.string() });

/** Client of a lab's control port. */
export class LabClient {
  constructor(
    readonly folder: LabFolder,
    private readonly port: number,
    private readonly token: string,
  ) {}

  /**
   * Connects to the lab of a folder.
   * @throws {SanbedError} `lab` when none runs there.
   */
  static async connect(dir: string): Promise<LabClient> {
    const folder = new LabFolder(dir);
    const control = folder.readControl();
    if (control === undefined) throw labError(`no lab runs in ${folder.path}`);
    const client = new LabClient(folder, control.port, control.token);
    await client.status();
    return client;
  }

  status(): Promise<LabStatus> {
    return this.call("GET", "/status") as Promise<LabStatus>;
  }

  /** Canonical JSON of everything that the lab emulates. */
  inventory(): Promise<unknown> {
    return this.call("GET", "/inventory");
  }

  async reset(): Promise<void> {
    await this.call("POST", "/reset");
  }

  async down(): Promise<void> {
    await this.call("POST", "/down");
  }

  site(): Site {
    const remedy = "`sanbed lab down` and `sanbed lab up` write it again";
    return readLabJson(this.folder.site, z.looseObject({}), remedy) as unknown as Site;
  }

  async addFault(rule: FaultRuleInput): Promise<string> {
    const { id } = (await this.call("POST", "/faults", rule)) as { id: string };
    return id;
  }

  async removeFault(id: string): Promise<void> {
    await this.call("DELETE", `/faults/${encodeURIComponent(id)}`);
  }

  faults(): Promise<unknown> {
    return this.call("GET", "/faults");
  }

  tamper(device: string, action: string, args: Record<string, Json> = {}): Promise<unknown> {
    return this.call("POST", "/tamper", { ...args, device, action });
  }

  tamperActions(): Promise<{ device: string; action: string; description: string }[]> {
    return this.call("GET", "/tamper") as ReturnType<LabClient["tamperActions"]>;
  }

  /** Requests of one emulator (or all) after the given sequence number. */
  requests(device?: string, since = 0): Promise<readonly RequestRecord[]> {
    const query = new URLSearchParams({ since: since.toString() });
    if (device !== undefined) query.set("device", device);
    return this.call("GET", `/requests?${query.toString()}`) as Promise<RequestRecord[]>;
  }

  /** Any request of docs/lab-protocol.md. @throws {SanbedError} `lab` with the daemon's sentence. */
  call(method: string, path: string, body?: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const outgoing = httpRequest(
        {
          host: "127.0.0.1",
          port: this.port,
          method,
          path,
          agent: false,
          headers: {
            authorization: `Bearer ${this.token}`,
            ...(text === undefined ? {} : { "content-type": "application/json" }),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
          incoming.once("error", reject);
          incoming.once("end", () => {
            const answer = JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
            if ((incoming.statusCode ?? 500) < 400) {
              resolve(answer);
              return;
            }
            const parsed = errorSchema.safeParse(answer);
            const reason = parsed.success ? parsed.data.error : "no reason given";
            reject(labError(`the lab refuses ${method} ${path}: ${reason}`));
          });
        },
      );
      outgoing.once("error", (cause) => {
        reject(labError(`the lab in ${this.folder.path} does not answer: ${cause.message}`, cause));
      });
      outgoing.end(text);
    });
  }
}
