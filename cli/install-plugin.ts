import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { SanbedError } from "../bed/errors";

/** `sanbed install-plugin`: copies the plugin to where the engine looks for plugins of this version. */
export function installPlugin(): number {
  const root = packageRoot(__dirname);
  const source = path.join(root, "plugin");
  if (!existsSync(path.join(source, "pulumi-resource-sanbed"))) {
    throw new SanbedError(
      "setup",
      `${source} holds no plugin: run \`npm run build\` in a checkout, or install the package again`,
    );
  }
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const home = process.env["PULUMI_HOME"] ?? path.join(homedir(), ".pulumi");
  const target = path.join(home, "plugins", `resource-sanbed-v${version}`);
  mkdirSync(target, { recursive: true });
  cpSync(source, target, { recursive: true });
  chmodSync(path.join(target, "pulumi-resource-sanbed"), 0o755);
  process.stdout.write(`installed ${target}\n`);
  return 0;
}

/** The folder with package.json above this file, compiled or not. */
function packageRoot(from: string): string {
  let folder = from;
  while (!existsSync(path.join(folder, "package.json"))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new SanbedError("setup", "the package of sanbed cannot be found");
    folder = parent;
  }
  return folder;
}
