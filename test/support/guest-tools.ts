import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Programs of an unpacked guest tree, run by the tree's own loader: nothing of it is installed. */
export interface GuestTools {
  readonly tree: string;
}

const programs = {
  mariadbd: "usr/sbin/mariadbd",
  sshd: "usr/sbin/sshd",
  mariadb: "usr/bin/mariadb",
  sysbench: "usr/bin/sysbench",
} as const;

/**
 * Looks for a guest tree: `SANBED_GUEST_TREE`, else the newest in the machine's cache. Undefined
 * means that tests with real tools are skipped; `npm test` builds the tree first.
 */
export function findGuestTools(): GuestTools | undefined {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const trees = join(cache, "sanbed", "guest-tree");
  const cached = existsSync(trees)
    ? readdirSync(trees)
        .map((name) => join(trees, name))
        .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
    : [];
  const candidates = [process.env["SANBED_GUEST_TREE"], ...cached].filter((t) => t !== undefined);
  const roots = candidates.flatMap((tree) => [tree, join(tree, "tree"), join(tree, "root")]);
  const tree = roots.find((root) =>
    Object.values(programs).every((p) => existsSync(join(root, p))),
  );
  return tree === undefined ? undefined : { tree };
}

/**
 * Writes one wrapper for each program into `folder`, which then goes to the front of PATH. The
 * loader is named by its place in the tree: links in it are absolute and lead to the host's.
 */
export function writeWrappers({ tree }: GuestTools, folder: string): void {
  const triplet = process.arch === "arm64" ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
  const loader = process.arch === "arm64" ? "ld-linux-aarch64.so.1" : "ld-linux-x86-64.so.2";
  const lib = join(tree, "usr/lib", triplet);
  mkdirSync(folder, { recursive: true });
  for (const [name, path] of Object.entries(programs)) {
    const program = join(tree, path);
    const text = [
      "#!/bin/sh",
      `export LUA_PATH='${join(tree, "usr/share/sysbench")}/?.lua'`,
      `exec '${join(lib, loader)}' --inhibit-cache --library-path '${lib}:${lib}/systemd' --argv0 '${program}' '${program}' "$@"`,
      "",
    ].join("\n");
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
}
