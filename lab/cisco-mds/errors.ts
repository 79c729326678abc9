/**
 * What a command answers instead of output. Texts that no document or client of the field shows are
 * marked where they are thrown.
 */
export class CliError extends Error {
  constructor(
    message: string,
    /** Code of the ins_api form; JSON-RPC has its own. */
    readonly code: "400" | "401" = "400",
  ) {
    super(message);
  }
}

/** Text that the CLI answers to what it does not know (mdssdk tests). */
export function invalidCommand(): CliError {
  return new CliError("% Invalid command");
}

export function vsanNotConfigured(vsan: number): CliError {
  return new CliError(`VSAN ${vsan.toString()} is not configured`);
}

export function zoneNotPresent(): CliError {
  return new CliError("Zone not present");
}

export function zoneSetNotPresent(): CliError {
  return new CliError("Zoneset not present");
}

/** Another user or switch holds the session of the VSAN (CoprHD networksystem-mds-dialog.properties). */
export function zoneLockBusy(): CliError {
  return new CliError("Lock is currently busy");
}

/** Tail that device alias errors carry (mdssdk tests). */
const rejectedHint =
  "\nPlease use 'show device-alias session rejected' to display the rejected set of commands " +
  "and for the device-alias best-practices recommendation.";

export function aliasError(message: string): CliError {
  return new CliError(`${message}${rejectedHint}`);
}
