/**
 * What a guest is made of. Debian 12 whatever the host is, so that a lab behaves alike on every machine.
 */

/** Debian release of the guest tree. */
export const RELEASE = "bookworm";

/** Asked for by name; `?essential` is apt's pattern for all packages marked Essential. */
export const WANTED: readonly string[] = [
  "?essential",
  "base-files",
  "mawk",
  "mariadb-server",
  "sysbench",
  "fio",
  "openssh-server",
  "systemd",
  "systemd-sysv",
  "dbus",
  "iproute2",
  "procps",
  "e2fsprogs",
];

/** Raise it when unpacking or finishing changes what comes out: trees of an older version are not used then. */
export const FINISH_VERSION = 4;

/** Size of a finished tree on disk, measured; grows by a few MB when packages are renewed. */
export const TREE_MB = 482;

/** Debian's word for the architecture of this machine. Undefined where the tree cannot be used. */
export function debianArchitecture(arch: string = process.arch): string | undefined {
  return { x64: "amd64", arm64: "arm64" }[arch];
}
