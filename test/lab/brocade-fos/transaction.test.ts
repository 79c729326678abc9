import { fosRelease, type Readings, usualReadings } from "../../../lab/brocade-fos/release";
import { lockTimeoutMs, type Owner } from "../../../lab/brocade-fos/transactions";
import { ZoningControl } from "../../../lab/brocade-fos/zoning";
import { a250Preset } from "../../../lab/presets/a250";
import { World } from "../../../lab/world/world";

const owner: Owner = { session: 1, user: "admin", address: "127.0.0.1", application: "test" };

function control(
  version: string,
  readings: Partial<Readings> = {},
): { zoning: ZoningControl; pass: (ms: number) => void } {
  let now = 0;
  const world = new World(() => a250Preset());
  const zoning = new ZoningControl({
    world,
    fabric: "A",
    device: "fabricA",
    release: fosRelease(version),
    readings: { ...usualReadings, ...readings },
    now: () => now,
  });
  zoning.stage(owner, (database) => {
    database.aliases["a1"] = ["1,1"];
    return true;
  });
  return { zoning, pass: (ms) => (now += ms) };
}

describe("the life of a transaction", () => {
  it("ends with the fabric lock on 9.x, and stays on 8.2", () => {
    const nine = control("9.1.1b");
    nine.pass(lockTimeoutMs - 1);
    expect(nine.zoning.transaction).toBeDefined();
    nine.pass(1);
    expect(nine.zoning.transaction).toBeUndefined();
    const eight = control("8.2.3c");
    eight.pass(lockTimeoutMs);
    expect(eight.zoning.transaction).toBeDefined();
  });

  it("outlives the fabric lock in the other reading of its timer, still its owner's alone", () => {
    const { zoning, pass } = control("9.1.1b", { lockExpiry: "lock" });
    pass(lockTimeoutMs);
    expect(zoning.lock).toBeUndefined();
    expect(zoning.transaction?.owner).toBe(owner);
    expect(() => {
      zoning.stage({ ...owner, session: 2 }, () => true);
    }).toThrow(/not the owner/i);
    zoning.save(owner, zoning.checksum);
    expect(zoning.committed.defined.aliases).toHaveProperty("a1");
  });

  it("cannot commit more than the database holds, and stays open", () => {
    const { zoning } = control("8.2.3c");
    zoning.stage(owner, (database) => {
      for (let count = 0; count < 25_000; count++) {
        database.aliases[`alias_number_${count.toString()}`] = ["21:00:00:24:ff:7b:00:01"];
      }
      return true;
    });
    expect(() => {
      zoning.save(owner, zoning.checksum);
    }).toThrow(/too large/);
    expect(zoning.transaction).toBeDefined();
  });

  it("shows the staged database to its owner alone", () => {
    const { zoning } = control("9.1.1b");
    expect(zoning.defined(1).aliases).toHaveProperty("a1");
    expect(zoning.defined(2).aliases).not.toHaveProperty("a1");
    expect(zoning.defined(undefined).aliases).not.toHaveProperty("a1");
  });

  it("loses what a client staged when somebody aborts it at the console", () => {
    const { zoning } = control("9.1.1b");
    zoning.drop();
    const before = zoning.checksum;
    zoning.save(owner, before);
    expect(zoning.checksum).toBe(before);
    expect(zoning.committed.defined.aliases).not.toHaveProperty("a1");
  });

  it("disables only under the checksum, and then nothing is in force", () => {
    const { zoning } = control("9.1.1b");
    expect(() => {
      zoning.disable(owner, "0".repeat(32));
    }).toThrow(/checksum/);
    zoning.disable(owner, zoning.checksum);
    expect(zoning.committed.effective).toBeUndefined();
    expect(zoning.committed.defined.aliases).toHaveProperty("a1");
  });

  it("knows which releases have which names", () => {
    expect(fosRelease("8.2.0")).toMatchObject({ oldRoots: true, newRoots: false });
    expect(fosRelease("8.2.1a")).toMatchObject({ oldRoots: true, newRoots: false });
    expect(fosRelease("8.2.1b")).toMatchObject({ oldRoots: true, newRoots: true });
    expect(fosRelease("9.0.1b")).toMatchObject({ oldRoots: true, newRoots: true, nine: true });
    expect(fosRelease("v9.2.1b")).toMatchObject({ oldRoots: false, nineTwo: true });
    expect(() => fosRelease("7.4.2")).toThrow(/does not know/);
  });
});
