/** Names on devices: readable, deterministic, within length and character set, without collision. */

/** What a kind of device allows in a name. */
export interface NameRules {
  readonly maxLength: number;
  /** One allowed character. Others become {@link NameRules.filler}. */
  readonly allowed: RegExp;
  readonly filler: string;
  /** The first character must match this too. */
  readonly first?: RegExp;
}

/** FOS 8.2: letters, digits and `_`, first a letter; 64 characters (FOS Command Reference, zoneCreate). */
export const zoneNameRules: NameRules = {
  maxLength: 64,
  allowed: /[A-Za-z0-9_]/,
  filler: "_",
  first: /[A-Za-z]/,
};
/** ONTAP FlexVol: letters, digits and `_`, not a digit first; 203 characters. */
export const ontapVolumeRules: NameRules = {
  maxLength: 203,
  allowed: /[A-Za-z0-9_]/,
  filler: "_",
  first: /[A-Za-z_]/,
};
/** ONTAP SVM: 47 characters. */
export const ontapSvmRules: NameRules = { ...ontapVolumeRules, maxLength: 47 };
/** VMFS label and datastore name: 42 characters are safe in every client. */
export const datastoreRules: NameRules = { maxLength: 42, allowed: /[A-Za-z0-9_-]/, filler: "-" };
/** Virtual machine whose name is also the guest's host name (RFC 1123 label). */
export const hostnameRules: NameRules = {
  maxLength: 63,
  allowed: /[a-z0-9-]/,
  filler: "-",
  first: /[a-z]/,
};

/** Joins the parts and makes them fit. What is cut or changed is kept apart by a hash of the whole. */
export function physicalName(rules: NameRules, ...parts: readonly string[]): string {
  const wanted = parts.join(rules.filler);
  const lowered = rules.allowed.test("A") ? wanted : wanted.toLowerCase();
  let name = Array.from(lowered, (c) => (rules.allowed.test(c) ? c : rules.filler)).join("");
  if (rules.first && !rules.first.test(name.charAt(0))) name = `b${name}`;
  if (name.length <= rules.maxLength) return name;
  // Where there is hardly any room the hash is all that is left, or its end.
  const suffix = `${rules.filler}${shortHash(wanted)}`.slice(-rules.maxLength);
  return name.slice(0, rules.maxLength - suffix.length) + suffix;
}

/** Eight hex digits of 32-bit FNV-1a: enough to keep the names of one bed apart; not for security. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, "0");
}
