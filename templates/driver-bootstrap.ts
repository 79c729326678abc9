import { quoteWord } from "../bed/shell-words";
import { renderTemplate } from "./render";

/** What the bootstrap of a load generator for SQL Server needs to know. Holds no secret. */
export interface DriverBootstrapArgs {
  readonly bedId: string;
  /** Addresses of the servers under test. */
  readonly servers: readonly string[];
  readonly port: number;
}

/** Shell script (bash, to be run as root) that proves a guest fit to run HammerDB against the servers. */
export function driverBootstrap(args: DriverBootstrapArgs): string {
  return renderTemplate("guests/bootstrap-sqldriver.sh", args, quoteWord);
}
