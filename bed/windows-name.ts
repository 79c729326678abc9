/** Longest NetBIOS name of a computer (Microsoft: Naming conventions in Active Directory). */
const maxLength = 15;

/**
 * Name of a Windows guest: its key and as much of the bed's id as fits, `sql01-abcdefghi`. Two beds on
 * one network are so kept apart.
 */
export function windowsName(bedId: string, key: string): string {
  return `${key}-${bedId}`.slice(0, maxLength);
}
