import { spawn } from "node:child_process";
import path from "node:path";
import { demo } from "../cli/demo/demo";
import { printable } from "../cli/errors";
import { createTerminal } from "../cli/terminal";
import { projectRoot, withSystemFolders } from "./setup/paths";
import { setUp, type SetUp } from "./setup/setup";

/** Second half of `npm run demo`, `npm test`, `npm run bench` and `npm run setup`: compiled, Node 24. */
async function main(command: string, args: readonly string[]): Promise<number> {
  process.env["PATH"] = withSystemFolders(process.env["PATH"]);
  const terminal = createTerminal((text) => process.stdout.write(text));
  const ready = await setUp((line) => {
    terminal.step(line);
  });
  Object.assign(process.env, ready.env);
  switch (command) {
    case "demo":
      return runDemo(ready, terminal);
    case "test":
      return runNode(["node_modules/jest/bin/jest.js", ...args]);
    case "bench":
      return runNode(["dist/cli/bench/main.js", ...args]);
    case "setup":
      terminal.line(
        `ready. \`. ${path.relative(process.cwd(), path.join(projectRoot(), ".sanbed", "env"))}\` makes plain pulumi work in this shell`,
      );
      return 0;
    default:
      terminal.line(`unknown command "${command}"`);
      return 2;
  }
}

async function runDemo(ready: SetUp, terminal: ReturnType<typeof createTerminal>): Promise<number> {
  const abort = new AbortController();
  // Never `once`: the Automation API's own listeners end a process that has no others left.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      if (abort.signal.aborted) process.exit(1);
      terminal.step(`${signal}: stopping what runs, then taking the bed down; again to leave it`);
      abort.abort();
    });
  }
  const ok = await demo({
    projectRoot: projectRoot(),
    env: ready.env,
    engineBin: ready.engine.bin,
    terminal,
    signal: abort.signal,
  });
  return ok ? 0 : 1;
}

function runNode(args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: projectRoot(), stdio: "inherit" });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => {
        // A terminal's Ctrl-C reaches the whole group by itself.
        if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
      });
    }
    child.on("close", (code) => {
      resolve(code ?? 1);
    });
  });
}

main(process.argv[2] ?? "demo", process.argv.slice(3)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`sanbed: ${printable(error)}\n`);
    process.exitCode = 1;
  },
);
