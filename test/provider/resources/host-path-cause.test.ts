import { parseWwnn, parseWwpn, type Wwpn } from "../../../bed/identities";
import type { FabricLogin, ZoningState } from "../../../provider/devices/fabric-switch";
import type { HostAdapter } from "../../../provider/devices/host-storage";
import type { FabricView } from "../../../provider/resources/host-path-cause";
import { adapterStanding, explain } from "../../../provider/resources/host-path-cause";
import type { LackingDevice } from "../../../provider/resources/host-path-check";

const wwpn = (text: string): Wwpn => {
  const parsed = parseWwpn(text);
  if (parsed === undefined) throw new Error(text);
  return parsed;
};

const hba = wwpn("10:00:00:00:00:00:00:01");
const lif = wwpn("20:01:00:00:00:00:00:01");
const physical = wwpn("50:0a:00:00:00:00:00:01");

function login(port: Wwpn, role: FabricLogin["role"], behind: Wwpn | undefined): FabricLogin {
  const wwnn = parseWwnn("20:00:00:00:00:00:00:00");
  if (wwnn === undefined) throw new Error("no name");
  return { wwpn: port, wwnn, portId: "010000", role, physicalWwpn: behind, symbolicName: "" };
}

function view(zones: Record<string, string[]>, without: readonly Wwpn[] = []): FabricView {
  const logins = [
    login(hba, "initiator", hba),
    login(physical, "target", physical),
    login(lif, "target", physical),
  ].filter((entry) => !without.includes(entry.wwpn));
  const zoning: ZoningState = {
    aliases: new Map([["host", [hba]]]),
    zones: new Map(),
    configs: new Map(),
    effective: { name: "cfg", zones: new Map(Object.entries(zones)) },
    defaultAccess: "none",
    version: "1",
  };
  return { fabric: "fabricA", logins, zoning };
}

const adapter = (online = true): HostAdapter => {
  const wwnn = parseWwnn("20:00:00:00:00:00:00:01");
  if (wwnn === undefined) throw new Error("no name");
  return { name: "vmhba2", wwpn: hba, wwnn, protocol: "scsi", online, speedGbps: 32 };
};

describe("where an adapter stands on the fabrics", () => {
  it("is zoned when a target port that is logged in shares a zone with it", () => {
    const standing = adapterStanding(adapter(), [view({ z: [hba, lif] })]);
    expect(standing).toEqual({ kind: "zoned", fabric: "fabricA", targets: [lif] });
  });

  it("counts aliases as what they stand for", () => {
    expect(adapterStanding(adapter(), [view({ z: ["host", lif] })]).kind).toBe("zoned");
  });

  it("is not zoned when zones are about others", () => {
    expect(adapterStanding(adapter(), [view({ z: [lif, "10:00:00:00:00:00:00:99"] })])).toEqual({
      kind: "notZoned",
      fabric: "fabricA",
    });
  });

  it("finds the physical port that was zoned instead of the virtual one", () => {
    expect(adapterStanding(adapter(), [view({ z: [hba, physical] })])).toMatchObject({
      kind: "noTarget",
      physical: [{ zoned: physical, virtual: lif }],
    });
  });

  it("finds a port name that nobody has", () => {
    const typo = "20:01:00:00:00:00:00:10";
    expect(adapterStanding(adapter(), [view({ z: [hba, typo] })])).toEqual({
      kind: "noTarget",
      fabric: "fabricA",
      zonedWith: [typo],
      physical: [],
    });
  });

  it("tells an adapter without link from one that no fabric knows", () => {
    const empty = view({}, [hba]);
    expect(adapterStanding(adapter(false), [empty])).toEqual({ kind: "offline" });
    expect(adapterStanding(adapter(), [empty])).toEqual({ kind: "notLoggedIn" });
  });
});

describe("what is said of an adapter that is zoned, where the target ports are known", () => {
  const other = wwpn("20:02:00:00:00:00:00:01");
  const nvme: HostAdapter = { ...adapter(), name: "vmhba65", protocol: "nvme" };
  const device = (...through: string[]): LackingDevice => ({
    key: "01",
    name: "uuid.0" as LackingDevice["name"],
    found: through.length,
    state: "ok",
    through: new Map([["vmhba65", through]]),
  });
  const both = (zone: readonly string[]): FabricView => {
    const one = view({ z: [hba, ...zone] });
    return { ...one, logins: [...one.logins, login(other, "target", physical)] };
  };
  const said = (zone: readonly string[], ...through: string[]): readonly string[] =>
    explain("esx01", [device(...through)], [nvme], [both(zone)], [lif, other]);

  it("a port that its zone lacks is named", () => {
    expect(said([lif], lif)).toEqual([
      `fabricA: vmhba65 (${hba}) is zoned with ${lif}, but not with ${other}: a target port is missing in the zone.`,
    ]);
  });

  it("with its zone in order the array is left, in the words of NVMe", () => {
    expect(said([lif, other]).join()).toMatch(
      /the namespace is not mapped \(the NQN of host esx01 is missing in the subsystem/,
    );
  });

  it("one that sees all that it should is not accused", () => {
    expect(said([lif, other], lif, other)).toEqual([]);
  });

  it("a port that no fabric sees is told once", () => {
    const dark = "20:03:00:00:00:00:00:01";
    const fabrics = [both([lif, other]), { ...view({}, [hba, lif, physical]), fabric: "fabricB" }];
    const all = explain("esx01", [device(lif, other)], [nvme], fabrics, [lif, other, dark]);
    expect(all).toEqual([`Target ports ${dark} are logged in nowhere: check them on the array.`]);
  });
});
