import { chmodSync, cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { SanbedError } from "../bed/errors";
import { sanbedVersion } from "../bed/version";
import { projectRoot } from "../tools/setup/paths";

/** `sanbed install-plugin`: copies the plugin to where the engine looks for plugins of this version. */
export function installPlugin(): number {
  const root = projectRoot();
  const source = path.join(root, "plugin");
  if (!existsSync(path.join(source, "pulumi-resource-sanbed"))) {
    throw new SanbedError(
      "setup",
      `${source} holds no plugin: run \`npm run build\` in a checkout, or install the package again`,
    );
  }
  const home = process.env["PULUMI_HOME"] ?? path.join(homedir(), ".pulumi");
  const target = path.join(home, "plugins", `resource-sanbed-v${sanbedVersion}`);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true });
  chmodSync(path.join(target, "pulumi-resource-sanbed"), 0o755);
  process.stdout.write(`installed ${target}\n`);
  return 0;
}
