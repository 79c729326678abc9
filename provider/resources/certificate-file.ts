import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CertificateDifference, InventoryEntry } from "../../bed/certificate";
import { onFile } from "../../bed/system-error";

/** What `certificate.json` says. */
export interface CertificateContent {
  readonly format: "sanbed-certificate-1";
  readonly bedId: string;
  readonly takenBefore: string;
  readonly takenAfter: string;
  /** SHA-256 of the inventories, which lie beside it. */
  readonly before: string;
  readonly after: string;
  readonly objectsBefore: Readonly<Record<string, number>>;
  readonly objectsAfter: Readonly<Record<string, number>>;
  /** What the final sweep had to remove, because it never reached the state. */
  readonly swept: readonly string[];
  readonly difference: CertificateDifference;
  /** Certificate that was written before this one in the same folder, by its hash; chains them. */
  readonly previous: string | null;
}

/** Canonical text of an inventory: sorted, one object a line. Its SHA-256 is the digest in the state. */
function inventoryText(entries: readonly InventoryEntry[]): string {
  return entries
    .map((e) => JSON.stringify([e.device, e.class, e.name, e.bedId ?? null, e.digest]))
    .sort()
    .map((line) => `${line}\n`)
    .join("");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

export function saveInventory(
  folder: string,
  name: "before" | "after",
  entries: readonly InventoryEntry[],
): string {
  const text = inventoryText(entries);
  writeWhole(path.join(folder, `inventory-${name}.jsonl`), text);
  return sha256(text);
}

/** A file of the bed that cannot be believed. */
export type Unusable = "missing" | "changed";

/** It is read only when whole: `changed` when it is not what `digest` was taken of. */
export function loadInventory(
  folder: string,
  name: "before" | "after",
  digest: string,
): InventoryEntry[] | Unusable {
  const file = path.join(folder, `inventory-${name}.jsonl`);
  if (!existsSync(file)) return "missing";
  const text = onFile(file, () => readFileSync(file, "utf8"));
  if (sha256(text) !== digest) return "changed";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [device, kind, objectName, bedId, objectDigest] = JSON.parse(line) as [
        string,
        string,
        string,
        string | null,
        string,
      ];
      return {
        device,
        class: kind,
        name: objectName,
        bedId: bedId ?? undefined,
        digest: objectDigest,
      };
    });
}

/**
 * Writes the certificate, signed with Ed25519 when a key (PEM) is given, else chained by hash to the
 * one before it.
 */
export function saveCertificate(
  folder: string,
  content: Omit<CertificateContent, "previous">,
  signingKey?: string,
): string {
  const file = path.join(folder, "certificate.json");
  const previous = existsSync(file) ? sha256(readFileSync(file, "utf8")) : null;
  const body: CertificateContent = { ...content, previous };
  const payload = JSON.stringify(body);
  const signature =
    signingKey === undefined
      ? undefined
      : {
          algorithm: "ed25519",
          publicKey: createPublicKey(createPrivateKey(signingKey)).export({
            type: "spki",
            format: "pem",
          }),
          value: sign(null, Buffer.from(payload), createPrivateKey(signingKey)).toString("base64"),
        };
  writeWhole(
    file,
    `${JSON.stringify({ certificate: body, payloadSha256: sha256(payload), signature }, null, 2)}\n`,
  );
  return file;
}

function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  onFile(`${file}.new`, () => {
    writeFileSync(`${file}.new`, text);
  });
  renameSync(`${file}.new`, file);
}
