import { fosError, meaningOf } from "../../../provider/devices/brocade-fos/fos-errors";
import {
  definedConfigurationShape,
  effectiveConfigurationShape,
  nameServerShape,
  readFault,
  responsePart,
} from "../../../provider/devices/brocade-fos/wire";
import { toDatabase, toLogin } from "../../../provider/devices/brocade-fos/zoning-database";

const fault = (status: number, code: number, module: string, message: string): string =>
  JSON.stringify({
    errors: {
      error: [
        {
          "error-type": "application",
          "error-tag": "Operation-failed",
          "error-message": message,
          "error-info": { "error-code": code, "error-module": module },
        },
      ],
    },
  });

test.each([
  [400, 5, "rest", "Invalid REST URI", "unknownUri", "unsupported"],
  [400, -1, "zone", '"z1" not found', "danglingMember", "refused"],
  [
    400,
    -3,
    "zone",
    "There is an outstanding admin transaction, and you are not the owner",
    "lockedByOther",
    "locked",
  ],
  [
    400,
    -8,
    "zone",
    "create failed due to duplicate name and content.",
    "duplicate",
    "alreadyExists",
  ],
  [403, 14, "rest", "Max limit for REST sessions reached", "sessionLimit", "busy"],
  [400, -1, "zone", "The Fabric is busy, try again", "fabricBusy", "busy"],
  [503, 0, "rest", "Chassis is not ready for management", "booting", "unreachable"],
  [404, 1, "name-server", "No entries in Name Server", "empty", "notFound"],
  [405, 0, "rest", "Method Not Allowed", "unreadable", "unsupported"],
  [400, 99, "zone", "something new", "other", "protocol"],
])("reads status %i, code %i of %s (%s) as %s", (status, code, module, message, meaning, kind) => {
  const read = readFault(status, fault(status, code, module, message));
  expect(meaningOf(read)).toBe(meaning);
  const error = fosError({ device: "fabricA", operation: "zone" }, read);
  expect(error.kind).toBe(kind);
  expect(error.message).toContain(message);
});

test("reads an error that comes as one object, and a page that is no error body", () => {
  const single = JSON.parse(fault(400, -8, "zone", "x")) as { errors: { error: unknown[] } };
  const text = JSON.stringify({ errors: { error: single.errors.error[0] } });
  expect(readFault(400, text)).toMatchObject({ code: -8, module: "zone" });
  expect(meaningOf(readFault(503, "<html>Service Unavailable</html>"))).toBe("throttled");
  expect(meaningOf(readFault(404, "<html>404 Not Found</html>"))).toBe("other");
});

test("takes lists with one element as they come, and absent ones as empty", () => {
  const defined = definedConfigurationShape.parse({
    cfg: { "cfg-name": "c", "member-zone": { "zone-name": "z" } },
    zone: { "zone-name": "z", "member-entry": { "entry-name": "10:00:00:00:00:00:00:0A" } },
  });
  const effective = effectiveConfigurationShape.parse({
    "cfg-name": "c",
    checksum: "0".repeat(32),
    "enabled-zone": {
      "zone-name": "z",
      "member-entry": { "entry-name": ["10:00:00:00:00:00:00:0a"] },
    },
  });
  const { state } = toDatabase(defined, effective);
  expect(state.zones.get("z")?.members).toEqual(["10:00:00:00:00:00:00:0a"]);
  expect(state.configs.get("c")?.zones).toEqual(["z"]);
  expect(state.aliases.size).toBe(0);
  expect(state.effective?.zones.get("z")).toEqual(["10:00:00:00:00:00:00:0a"]);
});

test("does not take the hidden no-access configuration for somebody's", () => {
  const { state } = toDatabase(
    definedConfigurationShape.parse({ cfg: [{ "cfg-name": "d__efault__Cfg" }] }),
    effectiveConfigurationShape.parse({ "cfg-name": "d__efault__Cfg", checksum: "0" }),
  );
  expect(state.effective).toBeUndefined();
  expect(state.configs.size).toBe(0);
});

test("keeps peer zones with principals only, as a kind that is never ours", () => {
  const { state } = toDatabase(
    definedConfigurationShape.parse({
      zone: [
        {
          "zone-name": "p",
          "zone-type": "1",
          "member-entry": { "principal-entry-name": "20:00:00:00:00:00:00:01" },
        },
      ],
    }),
    effectiveConfigurationShape.parse({ checksum: "0", "default-zone-access": "1" }),
  );
  expect(state.zones.get("p")).toEqual({
    name: "p",
    members: ["20:00:00:00:00:00:00:01"],
    type: "user-created-peer-zone",
  });
  expect(state.defaultAccess).toBe("all");
});

test("reads a virtual login with the port behind it", () => {
  const [entry] = nameServerShape.parse({
    "port-id": "0x010A03",
    "port-name": "20:01:00:A0:98:AA:BB:CC",
    "node-name": "20:00:00:a0:98:aa:bb:cc",
    "permanent-port-name": "50:0a:09:82:80:12:34:56",
    "port-symbolic-name": '[9] "lif n1_2a"',
    "fc4-features": "FCP-Target",
    "name-server-device-type": "NPIV Target",
  });
  expect(toLogin(entry!)).toEqual({
    wwpn: "20:01:00:a0:98:aa:bb:cc",
    wwnn: "20:00:00:a0:98:aa:bb:cc",
    portId: "010a03",
    role: "target",
    physicalWwpn: "50:0a:09:82:80:12:34:56",
    symbolicName: "lif n1_2a",
  });
});

test("finds the part of an answer by its name", () => {
  const answer = '{"Response":{"zone":{"zone-name":"z"}}}';
  expect(responsePart(answer, "zone")).toEqual({ part: { "zone-name": "z" } });
  expect(responsePart(answer, "cfg")).toEqual({ part: undefined });
  expect(responsePart("<html>It works!</html>", "zone")).toBeUndefined();
});
