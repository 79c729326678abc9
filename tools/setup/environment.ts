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
    // An engine without cgo asks the environment who it is; containers often do not say.
    ...(process.env["USER"] === undefined ? { USER: "sanbed" } : {}),
    PULUMI_HOME: workFolder("pulumi-home"),
    PULUMI_BACKEND_URL: `file://${workFolder("state")}`,
    // Always this one: the committed configuration of the lab's stack was made with it.
    PULUMI_CONFIG_PASSPHRASE: "embedded-lab",
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
  await writeFile(file, environmentText(env, process.env["PATH"] ?? ""), { mode: 0o600 });
  return file;
}

/** Lines for a POSIX shell. What PATH holds beyond `pathNow` goes before the shell's own. */
export function environmentText(env: Readonly<Record<string, string>>, pathNow: string): string {
  const before = path.delimiter + pathNow;
  const lines = Object.entries(env).map(([name, value]) =>
    name === "PATH" && value.endsWith(before)
      ? `export PATH="${inQuotes(value.slice(0, -before.length))}:$PATH"`
      : `export ${name}="${inQuotes(value)}"`,
  );
  return `${lines.join("\n")}\n`;
}

/** For a POSIX shell, between double quotes. */
function inQuotes(value: string): string {
  return value.replace(/(["\\`$])/g, "\\$1");
}
