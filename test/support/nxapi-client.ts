import { readFileSync } from "node:fs";
import { deviceRequest, type DeviceReply } from "./device-request";
import type { TestLab } from "./lab";

/** One answer of the ins_api form. */
export interface InsOutput {
  readonly input?: string;
  readonly code: string;
  readonly msg: string;
  readonly body?: unknown;
  readonly clierror?: string;
}

/** NX-API as the programmability guide describes it, as thin as can be. */
export class NxapiClient {
  constructor(
    readonly lab: Pick<TestLab, "dir" | "site">,
    readonly device = "fabricA",
  ) {}

  get basic(): string {
    const text = readFileSync(`${this.lab.dir}/secrets/${this.device}.json`, "utf8");
    const { user, password } = JSON.parse(text) as { user: string; password: string };
    return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  }

  post(body: unknown, type: string, headers: Record<string, string> = {}): Promise<DeviceReply> {
    return deviceRequest(this.lab, this.device, "POST", "/ins", {
      headers: { authorization: this.basic, "content-type": type, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  ins(type: string, input: string, more: Record<string, unknown> = {}): Promise<DeviceReply> {
    const fields = { version: "1.0", type, chunk: "0", sid: "1", input, output_format: "json" };
    return this.post({ ins_api: { ...fields, ...more } }, "application/json");
  }

  /** Outputs of an ins_api request, always as a list. */
  async outputs(type: string, input: string): Promise<InsOutput[]> {
    const reply = await this.ins(type, input);
    const { ins_api: answer } = JSON.parse(reply.body) as {
      ins_api: { outputs: { output: InsOutput | InsOutput[] } };
    };
    return [answer.outputs.output].flat();
  }

  rpc(commands: readonly string[], method = "cli"): Promise<DeviceReply> {
    const calls = commands.map((cmd, index) => ({
      jsonrpc: "2.0",
      method,
      params: { cmd, version: 1.2 },
      id: index + 1,
    }));
    return this.post(calls, "application/json-rpc");
  }

  /** Structured body of one show command. */
  async show(command: string): Promise<Record<string, unknown>> {
    const [answer] = JSON.parse((await this.rpc([command])).body) as {
      result?: { body?: Record<string, unknown> } | null;
      error?: unknown;
    }[];
    if (answer?.error !== undefined) throw new Error(`${command}: ${JSON.stringify(answer.error)}`);
    return answer?.result?.body ?? {};
  }

  /** Text of one show command. */
  async text(command: string): Promise<string> {
    const [output] = await this.outputs("cli_show_ascii", command);
    if (output?.code !== "200") throw new Error(`${command}: ${JSON.stringify(output)}`);
    return output.body as string;
  }

  /** Runs configuration commands; the texts they print. @throws with the switch's error. */
  async configure(...commands: readonly string[]): Promise<string> {
    const outputs = await this.outputs("cli_conf", commands.join(" ;"));
    const bad = outputs.find(({ code }) => code !== "200");
    if (bad !== undefined) throw new Error(`${bad.input ?? ""}: ${bad.msg}: ${bad.clierror ?? ""}`);
    return outputs.map(({ body }) => (typeof body === "string" ? body : "")).join("");
  }

  /** Status row of one VSAN. */
  async status(vsan: number): Promise<Record<string, unknown>> {
    const body = await this.show(`show zone status vsan ${vsan.toString()}`);
    const table = body["TABLE_zone_status"] as { ROW_zone_status: Record<string, unknown> };
    return table.ROW_zone_status;
  }

  /** Waits until nothing is in progress in a VSAN. @returns the result's text. */
  async settled(vsan: number): Promise<string> {
    for (;;) {
      const text = String((await this.status(vsan))["status"]);
      if (!text.includes("in progress")) return text;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
