import type { DeviceCall } from "../../../provider/devices/call";
import type { GuestShell } from "../../../provider/devices/guest-shell";

/** Name of a bed's database: it carries the mark. */
export function databaseName(bedId: string): string {
  return `sanbed_${bedId}`;
}

/**
 * Runs SQL as the server's administrator through the local socket, where the server trusts the
 * operating system's root (unix_socket authentication), so that no password exists to be kept.
 * Answers one array of columns for each row.
 */
export async function sql(
  shell: GuestShell,
  call: DeviceCall,
  socket: string,
  statements: string,
): Promise<string[][]> {
  const argv = ["mariadb", "--no-defaults", `--socket=${socket}`, "--user=root", "--batch"];
  const { stdout } = await shell.exec(call, [...argv, "--skip-column-names"], {
    stdin: statements,
  });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));
}

/** SHOW GLOBAL VARIABLES. */
export async function globalVariables(
  shell: GuestShell,
  call: DeviceCall,
  socket: string,
): Promise<Record<string, string>> {
  const rows = await sql(shell, call, socket, "SHOW GLOBAL VARIABLES;");
  return Object.fromEntries(rows.map(([name = "", value = ""]) => [name, value]));
}
