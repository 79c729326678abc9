import { z } from "zod";

/** Bytes of a whole key, its name and lengths with it (RFC 4253 section 6.6, RFC 5656, RFC 8709). */
const lengths: Readonly<Record<string, (bytes: number) => boolean>> = {
  "ssh-ed25519": (bytes) => bytes === 51,
  "ecdsa-sha2-nistp256": (bytes) => bytes === 104,
  "ecdsa-sha2-nistp384": (bytes) => bytes === 136,
  "ecdsa-sha2-nistp521": (bytes) => bytes === 172,
  // A modulus of 2,048 bits at least: OpenSSH refuses below 1,024, and less than that is no proof.
  "ssh-rsa": (bytes) => bytes >= 275,
};

/** A public host key as one authorized_keys line, `ssh-ed25519 AAAA... comment`, whole and of its kind. */
export const hostKey = z.string().superRefine((text, context) => {
  const [kind = "", blob = ""] = text.trim().split(/\s+/);
  const message = keyProblem(kind, blob);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});

function keyProblem(kind: string, blob: string): string | undefined {
  const fits = lengths[kind];
  if (fits === undefined) {
    return `expected an authorized_keys line that begins with one of ${Object.keys(lengths).join(", ")}`;
  }
  const bytes = decode(blob);
  if (bytes === undefined) return `the key after ${kind} is no base64 text`;
  // The key begins with its kind once more, as text with its length before it.
  const named = bytes.slice(4, 4 + kind.length);
  if (named !== kind || bytes.charCodeAt(3) !== kind.length) {
    return `the key after ${kind} is of another kind, or not whole`;
  }
  if (fits(bytes.length)) return undefined;
  return `the key after ${kind} has ${bytes.length.toString()} bytes, which no whole key of this kind has`;
}

function decode(blob: string): string | undefined {
  try {
    return atob(blob);
  } catch {
    return undefined;
  }
}
