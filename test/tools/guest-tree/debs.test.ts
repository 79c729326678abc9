import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { missingDebs, obtainDebs } from "../../../tools/guest-tree/debs";
import { debFileName, type GuestLock, type LockedPackage } from "../../../tools/guest-tree/lock";

/** An apt whose archive has `fio` in version 2 only. It knows the four calls that are made, and fails on any other. */
const APT_GET = `#!/bin/sh
set -eu
case "$1" in
indextargets) echo "Packages http://mirror.invalid/debian/ bookworm main" ;;
update) test -e "$APT_CONFIG" ;;
install)
  case "$*" in
  *--print-uris*) echo "'http://mirror.invalid/fio_2_amd64.deb' fio_2_amd64.deb 5 MD5Sum:0" ;;
  *" fio:amd64=2") printf 'two!\\n' > "$(sed -n 's/.*archives "\\(.*\\)";/\\1/p' "$APT_CONFIG")fio_2_amd64.deb" ;;
  *" fio:amd64="*) echo "E: Version '1' for 'fio' was not found" >&2; exit 100 ;;
  *) exit 9 ;;
  esac ;;
*) exit 9 ;;
esac
`;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const APT_CACHE = `#!/bin/sh
cat <<END
Package: fio
Version: 2
Architecture: amd64
Filename: pool/main/f/fio/fio_2_amd64.deb
Size: 5
SHA256: ${sha256("two!\n")}
END
`;

describe("getting .deb files", () => {
  let dir: string;
  let debs: string;
  let lines: string[];
  const oldPath = process.env["PATH"];

  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), "sanbed-debs-"));
    debs = path.join(dir, "debs");
    mkdirSync(debs);
    lines = [];
    const bin = path.join(dir, "bin");
    mkdirSync(bin);
    writeFileSync(path.join(bin, "apt-get"), APT_GET, { mode: 0o755 });
    writeFileSync(path.join(bin, "apt-cache"), APT_CACHE, { mode: 0o755 });
    writeFileSync(path.join(bin, "apt-config"), "#!/bin/sh\n", { mode: 0o755 });
    process.env["PATH"] = `${bin}:${oldPath ?? ""}`;
  });

  afterEach(() => {
    process.env["PATH"] = oldPath;
    rmSync(dir, { recursive: true, force: true });
  });

  const fio = (version: string, content: string): LockedPackage => ({
    name: "fio",
    version,
    architecture: "amd64",
    path: `pool/main/f/fio/fio_${version}_amd64.deb`,
    size: content.length,
    sha256: sha256(content),
  });
  const lockOf = (...packages: LockedPackage[]): GuestLock => ({
    release: "bookworm",
    architecture: "amd64",
    resolved: "2026-11-30",
    packages,
  });
  const obtain = (lock: GuestLock | undefined): Promise<GuestLock> =>
    obtainDebs({ debs, architecture: "amd64", lock, progress: (line) => lines.push(line) });

  it("asks nobody when the cache has everything", async () => {
    process.env["PATH"] = path.join(dir, "empty");
    const pkg = fio("1", "one!\n");
    writeFileSync(path.join(debs, debFileName(pkg)), "one!\n");
    expect(await obtain(lockOf(pkg))).toEqual(lockOf(pkg));
    expect(lines).toEqual([]);
  });

  it("refuses a file whose hash is wrong, and removes it so that the next try gets it", async () => {
    const pkg = fio("1", "one!\n");
    const file = path.join(debs, debFileName(pkg));
    writeFileSync(file, "evil\n");
    await expect(obtain(lockOf(pkg))).rejects.toThrow(/SHA-256 .* the lock says/);
    expect(existsSync(file)).toBe(false);
  });

  it("downloads what is missing", async () => {
    const lock = lockOf(fio("2", "two!\n"));
    expect(await obtain(lock)).toBe(lock);
    expect(await missingDebs(debs, lock.packages)).toEqual([]);
    expect(readdirSync(dir).sort()).toEqual(["bin", "debs"]);
  });

  it("resolves again, and says so, when the archive no longer has a locked version", async () => {
    const used = await obtain(lockOf(fio("1", "one!\n")));
    expect(used.packages).toEqual([fio("2", "two!\n")]);
    expect(lines.join("\n")).toContain("no longer has 1 of the locked versions (fio)");
  });

  it("takes the newest versions for an architecture without a lock", async () => {
    const used = await obtain(undefined);
    expect(used.packages).toEqual([fio("2", "two!\n")]);
    expect(lines.join("\n")).toContain("no lock for amd64");
  });
});
