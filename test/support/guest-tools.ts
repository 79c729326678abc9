import { existsSync, readdirSync, statSync } from "node:fs";
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
