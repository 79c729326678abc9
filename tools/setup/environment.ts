import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Engine } from "./engine";
import { projectRoot, workFolder } from "./paths";

/**
 * Environment in which `pulumi` finds engine, plugins and state of this checkout: an own Pulumi home
 * and file backend below `.sanbed/`. The passphrase guards nothing but the lab's own state.
 */
export function pulumiEnvironment(engine: Engine): Record<string, string> {
  const bin = path.join(projectRoot(), "node_modules", ".bin");
  return {
    PATH: [engine.bin, bin, process.env["PATH"] ?? ""].join(path.delimiter),
    PULUMI_HOME: workFolder("pulumi-home"),
    PULUMI_BACKEND_URL: `file://${workFolder("state")}`,
    PULUMI_CONFIG_PASSPHRASE: process.env["PULUMI_CONFIG_PASSPHRASE"] ?? "embedded-lab",
    PULUMI_PARALLEL: process.env["PULUMI_PARALLEL"] ?? "64",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    // Compiled programs are kept in the checkout, not in the system's temporary folder.
    NODE_COMPILE_CACHE: workFolder("cache", "node"),
    TS_NODE_CACHE_DIRECTORY: workFolder("cache", "ts-node"),
  };
}

/** Writes `.sanbed/env`, so that `. .sanbed/env` makes plain `pulumi` work in a shell. */
export async function writeEnvironmentFile(env: Record<string, string>): Promise<string> {
  const file = workFolder("env");
  await mkdir(workFolder("pulumi-home"), { recursive: true });
  await mkdir(workFolder("state"), { recursive: true });
  const lines = Object.entries(env).map(([name, value]) => {
    const text = name === "PATH" ? value.replace(process.env["PATH"] ?? "", "$PATH") : value;
    return `export ${name}="${text.replace(/(["\\`])/g, "\\$1")}"`;
  });
  await writeFile(file, `${lines.join("\n")}\n`, { mode: 0o600 });
  return file;
}
