import {
  goneVersions,
  networkSettings,
  parseShown,
  parseUris,
} from "../../../tools/guest-tree/apt";
import { findArchive, parseTargets, sourcesList } from "../../../tools/guest-tree/apt-sources";

// Outputs of apt 2.6.1 (Debian 12), commands as in tools/guest-tree; host names replaced.

describe("reading apt", () => {
  it("takes Debian archives only from the machine's sources, whatever release it follows", () => {
    const targets = `Packages https://vendor.invalid/apt/ cloud-sdk-bookworm main
Packages http://mirror.invalid/ubuntu/ noble main
DEP-11 http://first.invalid/debian/ trixie main
Packages http://mirror.invalid/debian/ trixie contrib
Packages http://mirror.invalid/debian/ trixie main
Packages http://other.invalid/debian/ trixie-updates main
Packages http://security.invalid/debian-security/ trixie-security main
`;
    expect(parseTargets(targets)).toEqual({
      main: "http://mirror.invalid/debian/",
      security: "http://security.invalid/debian-security/",
    });
    expect(parseTargets("Packages http://mirror.invalid/ubuntu/ noble main\n")).toEqual({});
  });

  it("lets the environment name a mirror, and asks the release that guests are made of", async () => {
    const archive = await findArchive({
      SANBED_DEBIAN_MIRROR: "http://mirror.invalid/debian",
      SANBED_DEBIAN_KEYRING: "/keys.gpg",
    });
    expect(sourcesList(archive)).toBe(
      "deb [signed-by=/keys.gpg] http://mirror.invalid/debian bookworm main\n" +
        "deb [signed-by=/keys.gpg] http://mirror.invalid/debian bookworm-updates main\n",
    );
  });

  it("keeps the machine's way to the network, and no hook", () => {
    const dump = `DPkg::Post-Invoke:: "rm -f /var/cache/apt/archives/*.deb";
Acquire::http::Proxy "http://proxy.invalid:3128";
Acquire::Check-Valid-Until "false";
Acquire::GzipIndexes "true";
Acquire::AllowInsecureRepositories "1";
`;
    expect(networkSettings(dump)).toEqual([
      'Acquire::http::Proxy "http://proxy.invalid:3128";',
      'Acquire::Check-Valid-Until "false";',
    ]);
  });

  it("names the packages whose locked version has gone", () => {
    const stderr = `E: Version '1:10.11.18-0+deb12u1' for 'mariadb-server' was not found
E: Version '3.0.17-1~deb12u2' for 'libssl3:amd64' was not found
E: Unable to locate package libfmt9
`;
    expect(goneVersions(stderr)).toEqual(["libfmt9", "libssl3", "mariadb-server"]);
    expect(goneVersions("E: Failed to fetch ... Connection refused")).toEqual([]);
  });

  it("undoes the escapes of file names", () => {
    const uris = `'http://m.invalid/pool/main/u/util-linux/mount_2.38.1-5%2bdeb12u3_amd64.deb' mount_2.38.1-5+deb12u3_amd64.deb 134840 MD5Sum:00
'http://m.invalid/pool/main/u/util-linux/bsdutils_2.38.1-5_amd64.deb' bsdutils_1%3a2.38.1-5+deb12u3_amd64.deb 94412 SHA256:00
`;
    expect(parseUris(uris)).toEqual(["mount=2.38.1-5+deb12u3", "bsdutils=1:2.38.1-5+deb12u3"]);
  });

  it("takes hashes of the wanted versions, once each, and misses none silently", () => {
    const stanza = (version: string, hash: string): string => `Package: fio
Version: ${version}
Architecture: amd64
Depends: libc6 (>= 2.34)
Filename: pool/main/f/fio/fio_${version}_amd64.deb
Size: 573344
SHA256: ${hash.repeat(64)}
Description: flexible I/O tester
`;
    const text = [stanza("3.33-3", "a"), stanza("3.33-3", "a"), stanza("3.32-1", "b")].join("\n");
    expect(parseShown(text, ["fio=3.33-3"])).toEqual([
      {
        name: "fio",
        version: "3.33-3",
        architecture: "amd64",
        path: "pool/main/f/fio/fio_3.33-3_amd64.deb",
        size: 573344,
        sha256: "a".repeat(64),
      },
    ]);
    expect(() => parseShown(text, ["fio=3.33-3", "mawk=1.3"])).toThrow(
      /does not describe mawk=1\.3/,
    );
  });
});
