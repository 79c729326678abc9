#!/usr/bin/env node
// The door of `npm run demo`, `npm test`, `npm run bench` and `npm run setup`. Plain JavaScript
// without dependencies: it must run on a fresh checkout with whatever Node (>= 20) the system has.
// Says what will happen, gets the npm packages, compiles, and goes on under Node 24.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { announcement, gatherFacts, obstacle } from "./announcement.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const bin = path.join(root, "node_modules", ".bin");
const stampFolder = path.join(root, ".sanbed", "stamps");

const commands = {
  demo:
    "set everything up, start the embedded lab, build the AFF A250 FCP bed on it with a real\n" +
    "  `pulumi up`, run Sysbench on four guests, write the report, destroy the bed, prove that nothing is left",
  test: "set everything up and run all tests (unit, lab, conformance, end to end: about ten minutes)",
  bench: "set everything up and measure what sanbed itself costs, on the embedded lab",
  setup: "set everything up and stop",
};

const [command = "demo", ...rest] = process.argv.slice(2);
checkNode();
const what = commands[command];
if (what === undefined) fail(`unknown command "${command}": ${Object.keys(commands).join(", ")}`);
const facts = gatherFacts(root);
for (const line of announcement(command, what, facts)) say(line);
say("");
const problem = obstacle(facts);
if (problem !== undefined) fail(problem);

process.chdir(root);
mkdirSync(stampFolder, { recursive: true });
oneAtATime(() => {
  once("packages", lockHash(), installPackages, existsSync(bin));
  once("build", sourceHash(), build, existsSync(path.join(root, "dist", "tools", "run.js")));
});
handOver();

function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < 20) fail(`Node ${process.versions.node} is too old: Node 20 or later is needed.`);
  // The Node that runs everything else comes as an npm package, which is there for Linux only.
  if (process.platform !== "linux" && major < 22) {
    fail(`on ${process.platform} Node 22 or later is needed; this is ${process.versions.node}.`);
  }
}

function installPackages() {
  if (spawnSync("npm", ["ci", "--loglevel=error"], { cwd: root, stdio: "inherit" }).status !== 0) {
    fail("npm ci failed (see above). When its cause is gone, run the same command again.");
  }
}

function build() {
  for (const args of [
    ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"],
    ["dist/tools/bundle.js"],
  ]) {
    const done = spawnSync(node(), args, { cwd: root, env: nodeEnvironment(), stdio: "inherit" });
    if (done.status !== 0) fail(`node ${args.join(" ")} failed (see above).`);
  }
}

/** Node 24 from the packages; elsewhere the one that runs this. */
function node() {
  const own = path.join(bin, "node");
  return existsSync(own) ? own : process.execPath;
}

/**
 * Node 24 first on PATH; system tools (losetup, pivot_root) also where a login shell has no sbin; what Node
 * compiles is kept in the checkout, not in the temporary folder.
 */
function nodeEnvironment() {
  return {
    ...process.env,
    PATH: [bin, process.env.PATH ?? "", "/usr/sbin", "/sbin"].join(path.delimiter),
    NODE_COMPILE_CACHE: path.join(root, ".sanbed", "cache", "node"),
  };
}

/** Goes on in the compiled tools. They get every signal once, and have the last word. */
function handOver() {
  const child = spawn(node(), ["dist/tools/run.js", command, ...rest], {
    cwd: root,
    env: nodeEnvironment(),
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => {
      // A terminal's Ctrl-C reaches the whole group by itself.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}

/** Two commands in one fresh checkout must not install and compile at the same time. */
function oneAtATime(steps) {
  const file = path.join(stampFolder, "running");
  let told = false;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const owner = ownerOf(file);
    if (owner === undefined) {
      rmSync(file, { force: true });
      continue;
    }
    if (!told) say(`waiting for process ${owner}, which installs or compiles in this checkout`);
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  }
  let held = true;
  const letGo = () => {
    if (held) rmSync(file, { force: true });
    held = false;
  };
  // A step that fails ends the process.
  process.on("exit", letGo);
  steps();
  letGo();
}

/** The living process that holds the lock, as text; undefined when it has gone. */
function ownerOf(file) {
  const made = statSync(file, { throwIfNoEntry: false });
  const pid = made === undefined ? "" : readFileSync(file, "utf8");
  // Made and not yet written; who was killed just then never will.
  if (pid === "") return Date.now() - (made?.mtimeMs ?? 0) < 5000 ? "(unknown)" : undefined;
  try {
    process.kill(Number(pid), 0);
    return pid;
  } catch (error) {
    return error.code === "EPERM" ? pid : undefined;
  }
}

/** Runs a step unless its stamp says that it was finished for the same input. */
function once(name, hash, step, present) {
  const stamp = path.join(stampFolder, name);
  if (present && existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return;
  // No stamp while it runs: an interrupted step is done again.
  rmSync(stamp, { force: true });
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

/** Names, sizes and times of everything that the build reads. */
function sourceHash() {
  const hash = createHash("sha256");
  const visit = (file) => {
    const info = statSync(file);
    if (info.isDirectory()) {
      for (const name of readdirSync(file).sort()) {
        if (name !== "node_modules" && name !== "bin") visit(path.join(file, name));
      }
    } else if (/\.(ts|json|hbs)$/.test(file)) {
      hash.update(`${file} ${info.size} ${info.mtimeMs}\n`);
    }
  };
  const { include } = JSON.parse(readFileSync(path.join(root, "tsconfig.build.json"), "utf8"));
  for (const folder of [...include, "stacks"]) visit(path.join(root, folder));
  for (const file of ["tsconfig.json", "tsconfig.build.json", "package.json"]) {
    visit(path.join(root, file));
  }
  return hash.digest("hex");
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

function fail(line) {
  process.stderr.write(`sanbed: ${line}\n`);
  process.exit(1);
}
