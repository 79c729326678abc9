import { readFileSync } from "node:fs";
import { deviceRequest, type DeviceReply } from "../../support/device-request";
import type { TestLab } from "../../support/lab";

const json = "application/yang-data+json";

/** A REST session on an emulated switch, as thin as can be. */
export class FosSession {
  private constructor(
    readonly lab: TestLab,
    readonly device: string,
    readonly token: string,
  ) {}

  static async login(lab: TestLab, device = "fabricA"): Promise<FosSession> {
    const reply = await FosSession.tryLogin(lab, device);
    if (reply.status !== 200) throw new Error(`login: ${reply.status.toString()} ${reply.body}`);
    return new FosSession(lab, device, String(reply.headers["authorization"]));
  }

  static tryLogin(lab: TestLab, device = "fabricA", password?: string): Promise<DeviceReply> {
    const { user, password: right } = credentials(lab, device);
    const basic = Buffer.from(`${user}:${password ?? right}`).toString("base64");
    return deviceRequest(lab, device, "POST", "/rest/login", {
      headers: { authorization: `Basic ${basic}`, accept: json, "content-type": json },
    });
  }

  send(method: string, path: string, body?: unknown): Promise<DeviceReply> {
    return deviceRequest(this.lab, this.device, method, path, {
      headers: { authorization: this.token, accept: json, "content-type": json },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  zone(method: string, path: string, body?: unknown): Promise<DeviceReply> {
    return this.send(method, `/rest/running/brocade-zone/${path}`, body);
  }

  /** The content of `Response`. */
  async get(path: string): Promise<Record<string, unknown>> {
    const reply = await this.send("GET", `/rest/running/${path}`);
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status.toString()} ${reply.body}`);
    return (JSON.parse(reply.body) as { Response: Record<string, unknown> }).Response;
  }

  async effective(): Promise<Record<string, unknown>> {
    const response = await this.get("brocade-zone/effective-configuration");
    return response["effective-configuration"] as Record<string, unknown>;
  }

  async checksum(): Promise<string> {
    return String((await this.effective())["checksum"]);
  }

  enable(config: string, checksum: string): Promise<DeviceReply> {
    return this.zone("PATCH", "effective-configuration", {
      "effective-configuration": { "cfg-name": config, checksum },
    });
  }

  logout(): Promise<DeviceReply> {
    return this.send("POST", "/rest/logout");
  }
}

export function credentials(lab: TestLab, device: string): { user: string; password: string } {
  const text = readFileSync(`${lab.dir}/secrets/${device}.json`, "utf8");
  return JSON.parse(text) as { user: string; password: string };
}

/** First error of an error document. */
export function firstError(reply: DeviceReply): {
  message: string;
  code: unknown;
  module: unknown;
  tag: unknown;
} {
  const document = JSON.parse(reply.body) as {
    errors: { error: Record<string, unknown>[] };
  };
  const error = document.errors.error[0] ?? {};
  const info = (error["error-info"] ?? {}) as Record<string, unknown>;
  return {
    message: String(error["error-message"]),
    code: info["error-code"],
    module: info["error-module"],
    tag: error["error-tag"],
  };
}
