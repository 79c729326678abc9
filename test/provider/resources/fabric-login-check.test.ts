import { parseWwnn, parseWwpn, type Wwpn } from "../../../bed/identities";
import type { FabricLogin } from "../../../provider/devices/fabric-switch";
import { checkLogins, commonCause } from "../../../provider/resources/fabric-login-check";

const wwpn = (last: string): Wwpn => parseWwpn(`10:00:00:00:00:00:00:${last}`)!;

function login(last: string, role: FabricLogin["role"], physical = last): FabricLogin {
  return {
    wwpn: wwpn(last),
    wwnn: parseWwnn(`20:00:00:00:00:00:00:${last}`)!,
    portId: "010100",
    role,
    physicalWwpn: wwpn(physical),
    symbolicName: `port ${last}`,
  };
}

const a = {
  fabric: "A",
  device: "fabricA",
  logins: [login("01", "initiator"), login("a0", "target"), login("a1", "target", "a0")],
};
const b = { fabric: "B", device: "fabricB", logins: [login("02", "initiator")] };

const check = (initiator: string, target: string): string[] =>
  checkLogins({ initiators: [wwpn(initiator)], targets: [wwpn(target)] }, a, [b]).map(
    (problem) => problem.reason,
  );

test("is content with an initiator and a virtual target port of this fabric", () => {
  expect(check("01", "a1")).toEqual([]);
});

test("names the virtual ports behind a physical one", () => {
  const [reason] = check("01", "a0");
  expect(reason).toContain("physical port");
  expect(reason).toContain(`${wwpn("a1")} (port a1)`);
});

test("names the fabric that a port is on instead", () => {
  expect(check("02", "a1")).toEqual([
    `initiator ${wwpn("02")} is not logged in on fabric A (fabricA) but on fabric B (fabricB)`,
  ]);
});

test("names ports that differ from the missing one by a digit or two", () => {
  const [reason] = check("0f", "a1");
  expect(reason).toContain("not logged in on fabric A (fabricA), which lists 3 ports");
  expect(reason).toContain(wwpn("01"));
});

test("says so where nobody is logged in", () => {
  const empty = { ...a, logins: [] };
  const [problem] = checkLogins({ initiators: [wwpn("01")], targets: [] }, empty, []);
  expect(problem).toMatchObject({ maybeLate: true });
  expect(problem?.reason).toContain("which lists 0 ports");
});

test("refuses a target as initiator", () => {
  expect(check("a1", "a1")).toEqual([
    `initiator ${wwpn("a1")} is logged in on fabric A, but as target`,
  ]);
});

describe("target ports of a controller that is down", () => {
  const planned = { initiators: [wwpn("01")], targets: [wwpn("a1"), wwpn("a2")] };

  test("are not explained by the other controller's port that is there, and the node is named", () => {
    const [problem, ...more] = checkLogins(planned, a, [b]);
    expect(more).toEqual([]);
    expect(problem?.reason).toBe(
      `target ${wwpn("a2")} is not logged in on fabric A (fabricA), which lists 3 ports; close to it are ${wwpn("a0")} (port a0)`,
    );
    expect(problem?.remedy).toContain("controller (node) with this port is up and not taken over");
  });

  test("are told together when they miss on every fabric", () => {
    const missing = checkLogins(planned, a, [b]);
    expect(commonCause([missing, missing])).toMatch(
      /missing on every fabric: a controller \(node\) of the array is probably down or taken over/,
    );
    expect(commonCause([missing, []])).toBeUndefined();
    expect(commonCause([missing])).toBeUndefined();
    const host = checkLogins({ initiators: [wwpn("0f")], targets: [] }, a, [b]);
    expect(commonCause([host, host])).toBeUndefined();
  });
});
