import { readFileSync } from "node:fs";
import { createHash, X509Certificate } from "node:crypto";
import { isDeviceError } from "../../../bed/errors";
import { systemClock } from "../../../provider/devices/clock";
import { HttpSession, type HttpAnswer } from "../../../provider/devices/http-session";
import { RequestLog } from "../../../provider/devices/request-log";
import type { TlsSettings } from "../../../provider/devices/tls";
import { withLab, type TestLab } from "../../support/lab";

jest.setTimeout(20_000);

const log = new RequestLog();

function session(lab: TestLab, tls: TlsSettings, requestTimeoutMs = 5000): HttpSession {
  return new HttpSession({
    device: "array",
    endpoint: lab.site.devices["array"]?.endpoint ?? "",
    tls,
    limits: { concurrency: 2 },
    requestTimeoutMs,
    keepAliveMs: 5000,
    log,
    clock: systemClock,
    baseFolder: lab.dir,
  });
}

async function get(http: HttpSession, signal = AbortSignal.timeout(8000)): Promise<HttpAnswer> {
  return await http.send({
    method: "GET",
    path: "/api/cluster",
    headers: {},
    operation: "look",
    signal,
  });
}

async function outcome(lab: TestLab, tls: TlsSettings): Promise<unknown> {
  const http = session(lab, tls);
  try {
    return (await get(http)).status;
  } catch (error) {
    return error;
  } finally {
    await http.close();
  }
}

test("trusts a device by pin, by authority, or only when told to", async () => {
  await withLab("D", async (lab) => {
    const pem = readFileSync(`${lab.dir}/secrets/array.crt`, "utf8");
    const sha256 = createHash("sha256").update(new X509Certificate(pem).raw).digest("hex");
    const colons = sha256.toUpperCase().replace(/(..)(?=.)/g, "$1:");
    expect(await outcome(lab, { sha256 })).toBe(401);
    expect(await outcome(lab, { sha256: colons })).toBe(401);
    expect(await outcome(lab, { ca: pem })).toBe(401);
    expect(await outcome(lab, { ca: "secrets/array.crt" })).toBe(401);
    expect(await outcome(lab, { insecure: true })).toBe(401);
    const untrusted = await outcome(lab, {});
    expect(isDeviceError(untrusted, "refused")).toBe(true);
    expect((untrusted as Error).message).toContain("tls.sha256");
    const wrong = await outcome(lab, { sha256: "ab".repeat(32) });
    expect(isDeviceError(wrong, "refused")).toBe(true);
    expect((wrong as Error).message).toContain(sha256);
    // A pin wins over the wish not to look.
    expect(
      isDeviceError(await outcome(lab, { sha256: "ab".repeat(32), insecure: true }), "refused"),
    ).toBe(true);
  });
});

test("keeps connections, logs every request, and tells time-outs from cancellation", async () => {
  await withLab("D", async (lab) => {
    const { sha256 } = lab.site.devices["array"]!.tls;
    const http = session(lab, { sha256: sha256! }, 300);
    const before = log.records("array").length;
    await get(http);
    const id = await lab.client.addFault({
      device: "array",
      match: {},
      effect: { latencyMs: 3000 },
    });
    const late = await get(http).catch((error: unknown) => error);
    expect(isDeviceError(late, "timeout")).toBe(true);
    const deadline = await get(http, AbortSignal.timeout(50)).catch((error: unknown) => error);
    expect(isDeviceError(deadline, "timeout")).toBe(true);
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort(new Error("stop"));
    }, 20);
    const cancelled = await get(http, controller.signal).catch((error: unknown) => error);
    expect(isDeviceError(cancelled, "aborted")).toBe(true);
    await lab.client.removeFault(id);
    const records = log.records("array").slice(before);
    expect(records.map((record) => record.outcome)).toEqual([
      "401",
      undefined,
      undefined,
      undefined,
    ]);
    expect(records.every((record) => !record.write && record.durationMs >= 0)).toBe(true);
    await http.close();
    await http.close();
  });
});

test("says where nobody answers", async () => {
  const http = new HttpSession({
    device: "gone",
    endpoint: "https://127.0.0.1:1",
    tls: { insecure: true },
    limits: { concurrency: 1 },
    requestTimeoutMs: 1000,
    keepAliveMs: 1000,
    log,
    clock: systemClock,
    baseFolder: "/",
  });
  const error = await get(http).catch((e: unknown) => e);
  expect(isDeviceError(error, "unreachable")).toBe(true);
  expect((error as Error).message).toContain("https://127.0.0.1:1");
  await http.close();
});
