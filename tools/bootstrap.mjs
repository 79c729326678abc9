#!/usr/bin/env node
// The door of `npm run demo`, `npm test`, `npm run bench` and `npm run setup`. Plain JavaScript
// without dependencies: it must run on a fresh checkout with whatever Node (>= 20) the system has.
// Says what will happen, gets the npm packages, compiles, and goes on under Node 24.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [command = "demo", ...rest] = process.argv.slice(2);
const stampFolder = path.join(root, ".sanbed", "stamps");
const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "sanbed");

checkNode();
announce();
process.chdir(root);
mkdirSync(stampFolder, { recursive: true });
once("packages", lockHash(), installPackages, existsSync(path.join(root, "node_modules", ".bin")));
once("build", sourceHash(), build, existsSync(path.join(root, "dist", "tools")));
hand(command, rest);

function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) fail(`Node ${process.versions.node} is too old: Node 20 or later is needed.`);
}

function announce() {
  const what = {
    demo: "set everything up, start the embedded lab, build the AFF A250 FCP bed on it with a real\n  `pulumi up`, run Sysbench on four guests, write the report, destroy the bed, prove that nothing is left",
    test: "set everything up and run all tests (unit, conformance, end to end)",
    bench: "set everything up and measure the budgets of docs/budgets.md",
    setup: "set everything up and stop",
  }[command];
  if (what === undefined) fail(`unknown command "${command}": demo, test, bench or setup`);
  const engine = onPath("pulumi") || existsSync(path.join(cache, "engine"));
  const tree = existsSync(path.join(cache, "guest-tree"));
  const packages = existsSync(path.join(root, "node_modules", ".bin"));
  const level =
    process.platform === "linux" && process.getuid?.() === 0
      ? "A (real guests) if the machine allows it"
      : "D (emulators only: no root)";
  const row = (name, have, todo) => `  ${name.padEnd(22)} ${have ? "there" : todo}`;
  say(`sanbed ${command}: will ${what}.`);
  say(
    "Needs: git checkout, Node >= 20, Go >= 1.21 that may fetch 1.26.6; nothing is installed on the host.",
  );
  say(row("npm packages", packages, "download, 450 MB on disk, about 1 minute"));
  say(
    row(
      "Pulumi engine 3.276.0",
      engine,
      "from PATH, else downloaded, else built from Go modules (140 MB on disk, about 6 minutes on 2 cores)",
    ),
  );
  say(
    row(
      "lab vCenter and SAN",
      existsSync(path.join(cache, "san")),
      "built with Go, about 1 minute",
    ),
  );
  if (level.startsWith("A"))
    say(
      row(
        "guest tools (Debian)",
        tree,
        "download 107 MB, 460 MB on disk, about 15 seconds, unpacked into the cache only",
      ),
    );
  say(`  ${"lab level".padEnd(22)} ${level}`);
  say(
    "  ports                  free loopback ports, kept in .sanbed/lab/ports.json; guests on 127.0.x.y",
  );
  say(
    `  everything lies in     ${path.join(root, ".sanbed")}, node_modules, dist, plugin and ${cache}\n`,
  );
}

function installPackages() {
  if (spawnSync("npm", ["ci", "--loglevel=error"], { cwd: root, stdio: "inherit" }).status !== 0) {
    fail("npm ci failed (see above). Once the registry is reachable, run the same command again.");
  }
}

function build() {
  const bin = path.join(root, "node_modules", ".bin");
  const env = nodeEnvironment(bin);
  for (const [name, args] of [
    ["tsc", ["-p", "tsconfig.build.json"]],
    ["node", ["dist/tools/bundle.js"]],
  ]) {
    if (spawnSync(path.join(bin, name), args, { cwd: root, env, stdio: "inherit" }).status !== 0) {
      fail(`${name} ${args.join(" ")} failed (see above).`);
    }
  }
}

/** Node 24 first on PATH; what Node compiles is kept in the checkout, not in the temporary folder. */
function nodeEnvironment(bin) {
  return {
    ...process.env,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}`,
    NODE_COMPILE_CACHE: path.join(root, ".sanbed", "cache", "node"),
  };
}

/** Hands over to the compiled tools under Node 24, with the signals of the terminal going to them. */
function hand(name, args) {
  const bin = path.join(root, "node_modules", ".bin");
  const env = nodeEnvironment(bin);
  process.on("SIGINT", () => {});
  process.on("SIGTERM", () => {});
  const result = spawnSync(path.join(bin, "node"), ["dist/tools/run.js", name, ...args], {
    cwd: root,
    env,
    stdio: "inherit",
  });
  process.exit(result.status ?? 1);
}

/** Runs a step unless its stamp says that it ran for the same input. */
function once(name, hash, step, present) {
  const stamp = path.join(stampFolder, name);
  if (present && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  const started = Date.now();
  say(`${name} ...`);
  step();
  writeFileSync(stamp, hash);
  say(`${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function lockHash() {
  return createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
}

function sourceHash() {
  const hash = createHash("sha256");
  const visit = (file) => {
    const info = statSync(file);
    if (info.isDirectory()) {
      for (const name of readdirSync(file).sort())
        if (name !== "node_modules" && name !== "bin") visit(path.join(file, name));
    } else if (/\.(ts|json|hbs)$/.test(file)) {
      hash.update(`${file} ${info.size} ${info.mtimeMs}\n`);
    }
  };
  for (const folder of [
    "bed",
    "components",
    "provider",
    "runner",
    "templates",
    "cli",
    "lab",
    "tools",
  ])
    visit(path.join(root, folder));
  for (const file of ["tsconfig.json", "tsconfig.build.json", "package.json"])
    visit(path.join(root, file));
  return hash.digest("hex");
}

function onPath(name) {
  return (process.env.PATH ?? "")
    .split(path.delimiter)
    .some((folder) => existsSync(path.join(folder, name)));
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(line) {
  process.stderr.write(`sanbed: ${line}\n`);
  process.exit(1);
}
