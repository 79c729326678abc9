import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { SanbedError } from "../../bed/errors";
import { findArchive, sourcesList } from "./apt-sources";
import { runCommand, tryCommand } from "./command";
import { type GuestLock, type LockedPackage } from "./lock";
import { RELEASE, WANTED } from "./packages";

/** An apt with a state of its own: it knows no installed package and touches nothing of the machine. */
export interface PrivateApt {
  readonly env: NodeJS.ProcessEnv;
  readonly architecture: string;
}

/**
 * Sets up apt in a folder, with the machine's Debian source, proxy and credentials, and gets the package index.
 *
 * @param dir - working folder, made when absent
 * @param archives - where .deb files are kept
 * @throws SanbedError when there is no apt, no Debian source, or the archive cannot be reached
 */
export async function openApt(
  dir: string,
  archives: string,
  architecture: string,
): Promise<PrivateApt> {
  const folders = [
    "etc/sources.list.d",
    "etc/apt.conf.d",
    "etc/preferences.d",
    "lists/partial",
    "log",
  ];
  for (const folder of folders) await mkdir(path.join(dir, folder), { recursive: true });
  await mkdir(path.join(archives, "partial"), { recursive: true });
  const archive = await findArchive();
  await writeFile(path.join(dir, "etc/sources.list"), sourcesList(archive));
  await writeFile(path.join(dir, "status"), "");
  const machine = networkSettings(await runCommand("apt-config", ["dump"]));
  const config = path.join(dir, "apt.conf");
  await writeFile(config, [...machine, ...ownSettings(dir, archives, architecture), ""].join("\n"));
  const env = {
    ...process.env,
    APT_CONFIG: config,
    LC_ALL: "C",
    DEBIAN_FRONTEND: "noninteractive",
  };
  const update = await tryCommand("apt-get", ["update", "-q", "--error-on=any"], { env });
  if (update.status !== 0) {
    throw new SanbedError(
      "guest-tree",
      `cannot get the package index of Debian ${RELEASE}: ${update.stderr.trim()}\n` +
        "  Check the network, or put the .deb files of tools/guest-tree/lock.json into the cache folder debs/.",
    );
  }
  return { env, architecture };
}

/** How the machine reaches its archive; everything else of its apt configuration is left out, hooks above all. */
export function networkSettings(dump: string): string[] {
  const wanted = /^Acquire::(https?::|Check-Date|Check-Valid-Until|Retries)/;
  return dump.split("\n").filter((line) => wanted.test(line));
}

function ownSettings(dir: string, archives: string, architecture: string): string[] {
  const etc = path.join(dir, "etc");
  // Private lists, state and configuration folders (apt.conf(5), section DIRECTORIES). Login data and, where no
  // keyring is named in sources.list, trusted keys stay the machine's.
  return [
    `Dir::Etc::sourcelist "${etc}/sources.list";`,
    `Dir::Etc::sourceparts "${etc}/sources.list.d/";`,
    `Dir::Etc::parts "${etc}/apt.conf.d/";`,
    `Dir::Etc::main "${etc}/none.conf";`,
    `Dir::Etc::preferences "${etc}/none";`,
    `Dir::Etc::preferencesparts "${etc}/preferences.d/";`,
    `Dir::State "${dir}/";`,
    `Dir::State::lists "${dir}/lists/";`,
    `Dir::State::status "${dir}/status";`,
    `Dir::Cache "${dir}/";`,
    `Dir::Cache::archives "${archives}/";`,
    `Dir::Log "${dir}/log/";`,
    `APT::Architecture "${architecture}";`,
    `APT::Architectures { "${architecture}"; };`,
    'APT::Install-Recommends "false";',
    'Acquire::Languages "none";',
    'APT::Sandbox::User "";',
  ];
}

/**
 * Downloads packages into apt's archive folder.
 *
 * @returns names whose locked version the archive no longer has; nothing was downloaded then
 */
export async function download(
  apt: PrivateApt,
  packages: readonly LockedPackage[],
): Promise<string[]> {
  const args = packages.map((p) => `${p.name}:${apt.architecture}=${p.version}`);
  const result = await tryCommand("apt-get", ["install", "-y", "-d", "-q", "--", ...args], apt);
  if (result.status === 0) return [];
  const gone = goneVersions(result.stderr);
  if (gone.length > 0) return gone;
  throw new SanbedError(
    "guest-tree",
    `cannot download the guest packages: ${result.stderr.trim()}`,
  );
}

/** Package names in apt's "Version '…' for '…' was not found" and "Unable to locate package …". */
export function goneVersions(stderr: string): string[] {
  const patterns = [
    /Version '[^']*' for '([^':]+)[^']*' was not found/g,
    /Unable to locate package (\S+)/g,
  ];
  const names = patterns.flatMap((pattern) => [...stderr.matchAll(pattern)].map((m) => m[1] ?? ""));
  return [...new Set(names)].sort();
}

/** Finds the newest versions of everything that {@link WANTED} needs. Hashes come from the signed index. */
export async function resolve(apt: PrivateApt, today: string): Promise<GuestLock> {
  const uris = await runCommand(
    "apt-get",
    ["install", "-y", "--print-uris", "-qq", "--", ...WANTED],
    apt,
  );
  const versions = parseUris(uris);
  const shown = await runCommand("apt-cache", ["show", "--", ...versions], apt);
  const packages = parseShown(shown, versions);
  return { release: RELEASE, architecture: apt.architecture, resolved: today, packages };
}

/** `name=version` of each line of `--print-uris`: address, file name, size, hash. */
export function parseUris(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "")
    .filter((file) => file.endsWith(".deb"))
    .map((file) => {
      const [name, version] = file.split("_");
      return `${name ?? ""}=${decodeURIComponent(version ?? "")}`;
    });
}

/** Picks the stanzas of `apt-cache show` that are wanted; the same version may be listed by several suites. */
export function parseShown(text: string, versions: readonly string[]): LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  for (const stanza of text.split("\n\n")) {
    const field = (name: string): string =>
      new RegExp(`^${name}: (.*)$`, "m").exec(stanza)?.[1]?.trim() ?? "";
    const key = `${field("Package")}=${field("Version")}`;
    if (!versions.includes(key)) continue;
    found.set(key, {
      name: field("Package"),
      version: field("Version"),
      architecture: field("Architecture"),
      path: field("Filename"),
      size: Number(field("Size")),
      sha256: field("SHA256"),
    });
  }
  const missing = versions.filter((version) => !found.has(version));
  if (missing.length > 0) {
    throw new SanbedError(
      "guest-tree",
      `the package index does not describe ${missing.join(", ")}`,
    );
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
