import { ConfigError } from "../../../bed/errors";
import { checkDevices, openDevices, sanDeviceKinds } from "../../../provider/devices/registry";
import { environment } from "../../support/device-environment";

const fos = { kind: "brocade-fos", endpoint: "https://switch", credentials: "env:FOS" };
const mds = { kind: "cisco-mds", endpoint: "https://mds:8443", credentials: "env:MDS", vsan: 10 };
const ontap = { kind: "ontap", endpoint: "https://array", credentials: "file:/etc/array" };

test("opens drivers by kind, without touching a device", async () => {
  const devices = openDevices(sanDeviceKinds, { a: fos, b: mds, array: ontap }, environment());
  expect([...devices.fabrics.keys()]).toEqual(["a", "b"]);
  expect([...devices.arrays.keys()]).toEqual(["array"]);
  expect(devices.hypervisors.size).toBe(0);
  expect(devices.warnings).toEqual([]);
  await devices.close();
});

test("reports every problem of the table at once, with its path", () => {
  const problems = checkDevices(sanDeviceKinds, {
    a: { ...fos, endpoint: "http://switch" },
    b: { ...fos, credentials: "Passw0rd" },
    c: { kind: "tape" },
    d: {},
    e: { ...ontap, tls: { sha256: "zz" } },
    f: { ...ontap, speling: 1 },
    g: { ...mds, vsan: 4094 },
  });
  expect(problems.map((problem) => problem.path)).toEqual([
    "devices.a.endpoint",
    "devices.b.credentials",
    "devices.c.kind",
    "devices.d.kind",
    "devices.e.tls.sha256",
    "devices.f",
    "devices.g.vsan",
  ]);
  expect(JSON.stringify(problems)).not.toContain("Passw0rd");
  expect(() => openDevices(sanDeviceKinds, { c: { kind: "tape" } }, environment())).toThrow(
    ConfigError,
  );
});

test("says which certificates are not verified", async () => {
  const table = { a: { ...fos, tls: { insecure: true } }, array: ontap };
  const devices = openDevices(sanDeviceKinds, table, environment());
  expect(devices.warnings).toEqual([expect.stringContaining("a: its certificate is not verified")]);
  await devices.close();
});
