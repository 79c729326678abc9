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
import { sweepCommand } from "./sweep";
import { whyCommand } from "./why/command";

const usage = `sanbed: SAN test beds by Pulumi

  sanbed lab up|status|inventory|reset|down|fault|tamper   the embedded lab
  sanbed doctor                                            what this machine has for sanbed, and what is missing
  sanbed plan [--stack S] [--json] [--svg FILE]            what a stack's bed becomes on its site
  sanbed discover FILE [--out FILE]                        write a site file by asking its devices
  sanbed fabric diff FILE [--destroy]                      what a stack would change on its switches, in their words
  sanbed id                                                a new bed id, for a stack's configuration
  sanbed sweep --site FILE --bed ID [--yes]                list (remove) what carries the bed's mark, without any state
  sanbed why OBJECT [--site FILE | --stack S]              what keeps an object from being deleted, and what lets go of it
  sanbed install-plugin                                    put the provider plugin into Pulumi's plugin cache
`;

/** Exit codes: 0 done, 1 failed, 2 wrong use. */
async function main(argv: readonly string[]): Promise<number> {
  process.env["PATH"] = withSystemFolders(process.env["PATH"]);
  const [command, ...rest] = argv;
  switch (command) {
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
      process.stdout.write(`${makeBedId((size) => randomBytes(size))}\n`);
      return 0;
    case "sweep":
      return sweepCommand(rest);
    case "why":
      return whyCommand(rest);
    case "install-plugin":
      return installPlugin();
    case undefined:
    case "help":
    case "--help":
      process.stdout.write(usage);
      return 0;
    default:
      process.stderr.write(`sanbed: unknown command "${command}"\n${usage}`);
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
