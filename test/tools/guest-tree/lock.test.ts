import { committedLock, debFileName, parseLock, treeHash } from "../../../tools/guest-tree/lock";
import { accountFiles, MYSQL_ID } from "../../../tools/guest-tree/accounts";

describe("the lock of the guest packages", () => {
  const lock = committedLock("amd64");

  it("holds what guests need", () => {
    const names = lock?.packages.map((pkg) => pkg.name) ?? [];
    const needed = ["mariadb-server", "sysbench", "fio", "openssh-server", "systemd", "e2fsprogs"];
    expect(names).toEqual(expect.arrayContaining(needed));
    expect(new Set(names).size).toBe(names.length);
  });

  it("belongs to one architecture", () => {
    expect(committedLock("arm64")).toBeUndefined();
  });

  it("names files as apt does", () => {
    const pkg = lock?.packages.find((p) => p.name === "bsdutils");
    expect(pkg && debFileName(pkg)).toMatch(/^bsdutils_1%3a2\.[^:]+_amd64\.deb$/);
  });

  it("gives another tree for another content or builder, not for another order", () => {
    if (lock === undefined) throw new Error("no lock");
    const first = lock.packages[0];
    if (first === undefined) throw new Error("empty lock");
    const changed = { ...first, sha256: "0".repeat(64) };
    const hash = treeHash(lock, "root");
    expect(treeHash({ ...lock, packages: [...lock.packages].reverse() }, "root")).toBe(hash);
    expect(treeHash({ ...lock, packages: [changed, ...lock.packages.slice(1)] }, "root")).not.toBe(
      hash,
    );
    expect(treeHash(lock, "user")).not.toBe(hash);
  });

  it.each(["../evil", "-oDPkg::Pre-Invoke=x", "a b"])("refuses a package named %s", (name) => {
    const first = lock?.packages[0];
    expect(() => parseLock({ ...lock, packages: [{ ...first, name }] })).toThrow(/name/);
  });
});

describe("accounts of a guest", () => {
  const files = accountFiles("root:*:0:0:root:/root:/bin/bash\n", "root:*:0:\nshadow:*:42:\n");

  it("lets no password in, and locks no account", () => {
    for (const line of files.shadow.trim().split("\n")) expect(line.split(":")[1]).toBe("*");
  });

  it("gives services numbers that no host hands out by itself", () => {
    const ids = files.passwd
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => Number(line.split(":")[2]));
    expect(ids).toContain(MYSQL_ID);
    for (const id of ids) expect(id).toBeGreaterThanOrEqual(64000);
    expect(Math.max(...ids)).toBeLessThan(65000);
  });

  it("keeps the masters' entries", () => {
    expect(files.passwd).toContain("root:x:0:0:root:/root:/bin/bash\n");
    expect(files.group).toContain("shadow:x:42:\n");
  });
});
