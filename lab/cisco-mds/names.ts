import { CliError } from "./errors";

/**
 * Names of zones and zone sets: 1 to 64 letters, digits and `$ - ^ _`, a letter first.
 * Texts: mdssdk tests (test_zonecreate.py).
 */
export function checkZoneName(name: string): string {
  if (name.length > 64) throw new CliError("% String exceeded max length of (64)");
  if (!/^[A-Za-z]/.test(name)) {
    throw new CliError("Illegal first character (name must start with a letter)");
  }
  if (!/^[A-Za-z0-9$\-^_]+$/.test(name)) {
    throw new CliError("Illegal character present in the name");
  }
  return name;
}

/** Names of device aliases. Texts: mdssdk tests (test_devicealiascreate.py). */
export function checkAliasName(name: string, max: number): string {
  if (name.length > max) {
    throw new CliError(`% String exceeded max length of (${max.toString()})`);
  }
  if (!/^[A-Za-z]/.test(name)) {
    throw new CliError("Illegal first character. Name must start with a letter");
  }
  if (!/^[A-Za-z0-9$\-^_]+$/.test(name)) {
    throw new CliError("Illegal character present in the name");
  }
  return name;
}
