import { SanbedError } from "../bed/errors";

export const usage = `sanbed: SAN test beds by Pulumi

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

/** Help of commands that have no page of their own. */
const pages: Readonly<Record<string, string>> = {
  id: `sanbed id

  Prints a new bed id: ten characters of a-z2-7. Keep it in the stack's configuration, \`pulumi config set bedId $(npx sanbed id)\`.
`,
  doctor: `sanbed doctor

  Says what this machine has for sanbed, and what is missing. Exit code 1 when no bed can be built here.
`,
  sweep: `sanbed sweep --site FILE --bed ID [--yes]

  For a stack whose state is lost: lists what carries the mark of the bed, and removes it with --yes. Without --yes it only reads.

  --site FILE   the site whose devices are asked; in the lab .sanbed/lab/site.json
  --bed ID      ten characters of a-z2-7
`,
  discover: `sanbed discover FILE [--out FILE [--force]] [--bed ID] [--timeout SECONDS]

  Writes a site file by asking the devices that FILE names. It only reads.
`,
  why: `sanbed why OBJECT [--site FILE | --stack S]

  Says what keeps an object from being deleted, and what lets go of it. It only reads.
`,
  "install-plugin": `sanbed install-plugin

  Copies the provider's plugin into the plugin cache of Pulumi: $PULUMI_HOME/plugins, else ~/.pulumi/plugins.
`,
};

/** The text that was asked for with `help`, `--help` or `-h`; undefined: none was, or the command has its own. */
export function helpFor(command: string | undefined, args: readonly string[]): string | undefined {
  if (command === undefined || ["help", "--help", "-h"].includes(command)) return usage;
  return args.some((one) => one === "--help" || one === "-h") ? pages[command] : undefined;
}

/** @throws {SanbedError} for a command that takes none. */
export function refuseArguments(command: string, args: readonly string[]): void {
  if (args.length === 0) return;
  throw new SanbedError("usage", `sanbed ${command} takes no argument; it got ${args.join(" ")}`);
}
