import { existsSync } from "node:fs";
import { SanbedError } from "../../bed/errors";
import { runCommand } from "./command";
import { RELEASE } from "./packages";

/** Where Debian comes from on this machine. Addresses are read from the machine, never from this project. */
export interface DebianArchive {
  /** Base addresses of the main and, where the machine has one, of the security archive. */
  readonly main: string;
  readonly security: string | undefined;
  /** File with the archive's public keys; undefined: the keys that the machine's apt trusts. */
  readonly keyring: string | undefined;
}

/** Suites by which a Debian archive may be named in the machine's sources; any of them serves all releases. */
const DEBIAN_SUITES =
  /^(bullseye|bookworm|trixie|forky|sid|(old)*stable|testing|unstable)(-security)?$/;
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";

/**
 * The Debian archive of the machine's apt, or the one that `SANBED_DEBIAN_MIRROR` and
 * `SANBED_DEBIAN_SECURITY_MIRROR` name (with `SANBED_DEBIAN_KEYRING` where the machine has no Debian keys).
 *
 * @throws SanbedError when there is neither.
 */
export async function findArchive(env: NodeJS.ProcessEnv = process.env): Promise<DebianArchive> {
  const keyring = env["SANBED_DEBIAN_KEYRING"] ?? (existsSync(KEYRING) ? KEYRING : undefined);
  const named = env["SANBED_DEBIAN_MIRROR"];
  if (named !== undefined && named !== "") {
    return { main: named, security: env["SANBED_DEBIAN_SECURITY_MIRROR"], keyring };
  }
  const listed = await runCommand("apt-get", [
    "indextargets",
    "--format",
    "$(CREATED_BY) $(REPO_URI) $(RELEASE) $(COMPONENT)",
  ]);
  const found = parseTargets(listed);
  if (found.main === undefined) {
    throw new SanbedError(
      "guest-tree",
      "cannot find a Debian archive: no source of this machine's apt is one. " +
        "Set SANBED_DEBIAN_MIRROR to a Debian mirror, and SANBED_DEBIAN_KEYRING to its keys.",
    );
  }
  return { main: found.main, security: found.security, keyring };
}

/** Picks the Debian archives out of `apt-get indextargets` (one index a line: kind, address, suite, component). */
export function parseTargets(text: string): { main?: string; security?: string } {
  const found: { main?: string; security?: string } = {};
  for (const line of text.split("\n")) {
    const [kind, uri, suite, component] = line.trim().split(" ");
    if (kind !== "Packages" || uri === undefined || component !== "main") continue;
    const match = DEBIAN_SUITES.exec(suite ?? "");
    if (match === null) continue;
    if (suite?.endsWith("-security") === true) found.security ??= uri;
    else found.main ??= uri;
  }
  return found;
}

/** Lines of a sources.list for {@link RELEASE} only. */
export function sourcesList(archive: DebianArchive): string {
  const option = archive.keyring === undefined ? "" : `[signed-by=${archive.keyring}] `;
  const lines = [
    `deb ${option}${archive.main} ${RELEASE} main`,
    `deb ${option}${archive.main} ${RELEASE}-updates main`,
  ];
  if (archive.security !== undefined && archive.security !== "") {
    lines.push(`deb ${option}${archive.security} ${RELEASE}-security main`);
  }
  return `${lines.join("\n")}\n`;
}
