import { mkdir } from "node:fs/promises";
import { findEngine, type Engine } from "./engine";
import { pulumiEnvironment, writeEnvironmentFile } from "./environment";
import { workFolder } from "./paths";
import { installPlugins, type InstalledPlugin } from "./plugins";
import { guestTree } from "../guest-tree/guest-tree";
import { sanBinary } from "../san-binary";
import { probeLevel } from "../../lab/levels";

export interface SetUp {
  readonly engine: Engine;
  readonly env: Record<string, string>;
  readonly plugins: readonly InstalledPlugin[];
  /** The lab's Go process. */
  readonly sanBinary: string;
  /** Lower layer of the guests; undefined where the machine allows level D only. */
  readonly guestTree: string | undefined;
  /** Why level A is not possible; empty when it is. */
  readonly missing: readonly string[];
}

/**
 * Brings everything that the lab and a real `pulumi up` need, from caches where it is there. The two
 * Go builds run one after the other, the guest tree beside them.
 */
export async function setUp(progress: (line: string) => void): Promise<SetUp> {
  // On the very file system that the guests will lie on: not every one carries overlays.
  await mkdir(workFolder(), { recursive: true });
  const { level, missing } = await probeLevel(workFolder());
  if (level !== "A") {
    progress(`lab level ${level} here; for level A is missing: ${(missing.A ?? []).join("; ")}`);
  }
  const [made, tree] = await Promise.all([
    (async () => {
      const engine = await timed("engine", progress, () => findEngine(progress));
      return {
        engine,
        san: await timed("lab vCenter and SAN", progress, () => sanBinary({ progress })),
      };
    })(),
    level !== "D" ? timed("guest tools", progress, () => guestTree({ progress })) : undefined,
  ]);
  progress(`engine ${made.engine.version} from ${made.engine.source}`);
  const env = {
    ...pulumiEnvironment(made.engine),
    SANBED_SAN_BINARY: made.san,
    ...(tree === undefined ? {} : { SANBED_GUEST_TREE: tree.path }),
  };
  await writeEnvironmentFile(env);
  const plugins = await installPlugins(made.engine, { ...process.env, ...env }, progress);
  progress(`plugins: ${plugins.map((p) => `${p.name} ${p.version} (${p.source})`).join(", ")}`);
  return {
    engine: made.engine,
    env,
    plugins,
    sanBinary: made.san,
    guestTree: tree?.path,
    missing: missing.A ?? [],
  };
}

async function timed<T>(
  what: string,
  progress: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const started = Date.now();
  const result = await work();
  const seconds = (Date.now() - started) / 1000;
  if (seconds > 1) progress(`${what}: ready after ${seconds.toFixed(0)} s`);
  return result;
}
