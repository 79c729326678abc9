#!/usr/bin/env node
import { randomBytes } from "node:crypto";
import { makeBedId } from "../bed/identities";
import { doctorCommand } from "./doctor/doctor";
import { discoverCommand } from "./discover/command";
import { printable } from "./errors";
import { fabricCommand } from "./fabric/fabric";
import { installPlugin } from "./install-plugin";
import { labCommand } from "./lab";
import { planCommand } from "./plan/command";
import { withSystemFolders } from "../tools/setup/paths";
import { helpFor, refuseArguments, usage } from "./help";
import { sweepCommand } from "./sweep";
import { whyCommand } from "./why/command";

/** Exit codes: 0 done, 1 failed, 2 wrong use. */
async function main(argv: readonly string[]): Promise<number> {
  process.env["PATH"] = withSystemFolders(process.env["PATH"]);
  const [command, ...rest] = argv;
  const help = helpFor(command, rest);
  if (help !== undefined) {
    process.stdout.write(help);
    return 0;
  }
  switch (command ?? "") {
    case "lab":
      return labCommand(rest);
    case "doctor":
      return doctorCommand(rest);
    case "plan":
      return planCommand(rest);
    case "discover":
      return discoverCommand(rest);
    case "fabric":
      return fabricCommand(rest);
    case "id":
      refuseArguments("id", rest);
      process.stdout.write(`${makeBedId((size) => randomBytes(size))}\n`);
      return 0;
    case "sweep":
      return sweepCommand(rest);
    case "why":
      return whyCommand(rest);
    case "install-plugin":
      refuseArguments("install-plugin", rest);
      return installPlugin();
    default:
      process.stderr.write(`sanbed: unknown command "${command ?? ""}"\n${usage}`);
      return 2;
  }
}

// Whoever reads our output may have enough of it (`| head`): what was begun is still finished.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`sanbed: ${printable(error)}\n`);
    process.exitCode = 1;
  },
);
