import { chmodSync, cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { removeStaleOutput } from "./stale-output";

/** One plugin: compiled or TypeScript entry, and the executable that is made of it. */
export interface PluginBundle {
  readonly entry: string;
  readonly executable: string;
}

/** The plugins of this repository, by their entry without extension. */
const plugins: readonly PluginBundle[] = [
  { entry: "provider/main", executable: "plugin/pulumi-resource-sanbed" },
  {
    entry: "lab/plugins/command/main",
    executable: "lab/plugins/bin/resource-command-v1.2.1/pulumi-resource-command",
  },
  {
    entry: "lab/plugins/vsphere/main",
    executable: "lab/plugins/bin/resource-vsphere-v4.16.2/pulumi-resource-vsphere",
  },
];

/**
 * Bundles one plugin into a single executable JavaScript file that needs no node_modules. ssh2's two
 * native helpers stay outside: it tries them and goes on without.
 */
export async function bundlePlugin({ entry, executable }: PluginBundle): Promise<void> {
  mkdirSync(dirname(executable), { recursive: true });
  await build({
    entryPoints: [entry],
    outfile: executable,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    banner: { js: "#!/usr/bin/env node" },
    external: ["*.node", "cpu-features"],
    logLevel: "error",
  });
  chmodSync(executable, 0o755);
}

/** Last part of a build: bundles the plugins, and puts the templates beside the one that reads them. */
async function bundleAll(root: string): Promise<void> {
  removeStaleOutput(root);
  for (const { entry, executable } of plugins) {
    const compiled = join(root, "dist", `${entry}.js`);
    if (!existsSync(compiled)) continue;
    await bundlePlugin({ entry: compiled, executable: join(root, executable) });
    process.stdout.write(`bundled ${executable}\n`);
  }
  const templates = join(root, "plugin", "templates");
  rmSync(templates, { recursive: true, force: true });
  cpSync(join(root, "templates"), templates, {
    recursive: true,
    filter: (source) => !source.endsWith(".ts"),
  });
}

if (require.main === module) {
  bundleAll(resolve(__dirname, "..", "..")).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
