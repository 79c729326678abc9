import { readOutputs, requestBody } from "../../../../provider/devices/cisco-mds/nxapi-wire";
import {
  meaningOf,
  nxosError,
  soundsRefused,
} from "../../../../provider/devices/cisco-mds/nxos-errors";
import {
  foreignObjects,
  holdsOnly,
  pendingAliases,
  pendingObjects,
} from "../../../../provider/devices/cisco-mds/pending-diff";

describe("an answer of NX-API", () => {
  test("is read for one command and for several, with the words of each", () => {
    const one = { code: "200", msg: "Success", input: "show x", body: { a: 1 } };
    const two = {
      code: "400",
      msg: "Input CLI command error",
      clierror: "Zone not present\n",
      input: "y",
    };
    expect(readOutputs(JSON.stringify({ ins_api: { outputs: { output: one } } }))).toEqual([
      { code: "200", input: "show x", body: { a: 1 }, text: "" },
    ]);
    const both = readOutputs(JSON.stringify({ ins_api: { outputs: { output: [one, two] } } }));
    expect(both?.[1]).toMatchObject({
      code: "400",
      text: "Zone not present; Input CLI command error",
    });
  });

  test.each(["", "<html>", "{}", '{"ins_api": 1}'])("is none in %j", (text) => {
    expect(readOutputs(text)).toBeUndefined();
  });

  test("is asked for with the type before the commands", () => {
    const body = requestBody("cli_conf", "type x");
    expect(body.indexOf('"type":"cli_conf"')).toBeLessThan(body.indexOf('"input"'));
  });
});

describe("a refusal", () => {
  test.each([
    ["400", "Lock is currently busy", "locked", "locked"],
    ["400", "% Permission denied for the role", "denied", "unauthorized"],
    ["400", "VSAN 10 is not configured", "noVsan", "notFound"],
    ["400", "Zoneset not present", "absent", "notFound"],
    ["400", "Fabric unstable", "unstable", "busy"],
    ["400", "% Invalid command", "invalidCommand", "unsupported"],
    ["501", "Structured output unsupported", "unstructured", "unsupported"],
    ["500", "Request is rejected because the server is busy", "serverBusy", "busy"],
    ["400", "Zone database size exceeds the limit", "limit", "refused"],
    ["400", "Device Alias already present", "duplicate", "alreadyExists"],
    ["400", "Specified zoneset already active and unchanged", "unchanged", "alreadyExists"],
    ["400", "No pending info found", "nothingPending", "notFound"],
    ["400", "something new", "other", "protocol"],
  ])("%s %j means %s", (code, text, meaning, kind) => {
    expect(meaningOf(code, text)).toBe(meaning);
    const error = nxosError(
      { device: "fabricA", operation: "try" },
      { code, text, input: "zone x" },
    );
    expect(error.kind).toBe(kind);
    expect(error.message).toContain(text);
    expect(error.message).toContain("zone x");
  });

  test.each([
    ["Enhanced zone session has been created. Please 'commit' the changes when done.", false],
    ["Commit operation initiated. Check zone status", false],
    ["Zoneset activation initiated. check zone status", false],
    ["Specified zoneset already active and unchanged", false],
    ["+ device-alias name failed_host pwwn 10:00:00:00:00:00:00:01", false],
    ["", false],
    ["% Invalid command at '^' marker.", true],
    ["Lock is currently busy", true],
    ["device-alias x not present", true],
  ])("is found in words that came with success: %j", (text, refused) => {
    expect(soundsRefused(text)).toBe(refused);
  });
});

describe("pending changes", () => {
  const diff = [
    "+zone name t_h1 vsan 10",
    "+  device-alias sanbed_abcdefghij_h1",
    " zone name prod vsan 10",
    "-  pwwn 10:00:00:00:00:00:00:01",
    " zoneset name cfg vsan 10",
    "+  zone name t_h1 vsan 10",
    " zone name untouched vsan 10",
    "   pwwn 10:00:00:00:00:00:00:02",
    "+fcalias name f vsan 10",
  ].join("\n");

  test("name the objects that would change, and those alone", () => {
    expect([...pendingObjects(diff).keys()].sort()).toEqual([
      "fcalias f",
      "zone prod",
      "zone t_h1",
    ]);
    expect(pendingObjects("")).toEqual(new Map());
  });

  test("are ours when the change names them or they carry its bed's mark, and there are some", () => {
    const none = { touched: new Set<string>(), beds: new Set<string>() };
    const marked = { ...none, beds: new Set(["abcdefghij"]) };
    const pending = pendingObjects(diff);
    expect(foreignObjects(pending, marked)).toEqual(["zone prod", "fcalias f"]);
    expect(holdsOnly(pending, { ...marked, touched: new Set(["zone prod"]) })).toBe(false);
    expect(holdsOnly(pending, { ...marked, touched: new Set(["zone prod", "fcalias f"]) })).toBe(
      true,
    );
    expect(holdsOnly(new Map(), marked)).toBe(false);
  });

  test("of device aliases are read by name", () => {
    expect(
      pendingAliases(
        "+ device-alias name x pwwn 1\n- device-alias name y pwwn 2\n device-alias name z",
      ),
    ).toEqual(["x", "y"]);
  });
});
