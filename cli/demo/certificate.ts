import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { LabClient } from "../../lab/client";
import type { Terminal } from "../terminal";
import { table } from "../terminal";

interface CertificateFile {
  readonly certificate: {
    readonly before: string;
    readonly after: string;
    readonly objectsBefore: Readonly<Record<string, number>>;
    readonly objectsAfter: Readonly<Record<string, number>>;
    readonly swept: readonly string[];
    readonly difference: {
      readonly leftBehind: readonly unknown[];
      readonly notRestored: readonly unknown[];
      readonly byOthers: readonly unknown[];
    };
  };
  readonly payloadSha256: string;
}

/** Digest of everything the lab emulates: a second witness, independent of provider and drivers. */
export async function inventoryDigest(client: LabClient): Promise<string> {
  return createHash("sha256")
    .update(JSON.stringify(await client.inventory()))
    .digest("hex");
}

/** Prints what the certificate of the bed says, and whether the lab itself agrees. */
export function printCertificate(
  terminal: Terminal,
  bedFolder: string,
  labBefore: string,
  labAfter: string,
): boolean {
  const file = path.join(bedFolder, "certificate.json");
  const { certificate, payloadSha256 } = JSON.parse(readFileSync(file, "utf8")) as CertificateFile;
  const classes = [
    ...new Set([
      ...Object.keys(certificate.objectsBefore),
      ...Object.keys(certificate.objectsAfter),
    ]),
  ].sort();
  const rows = classes.map((name) => [
    name,
    (certificate.objectsBefore[name] ?? 0).toString(),
    (certificate.objectsAfter[name] ?? 0).toString(),
  ]);
  for (const line of table([["device, class", "before", "after"], ...rows]))
    terminal.line(`  ${line}`);
  const { leftBehind, notRestored, byOthers } = certificate.difference;
  const identical = certificate.before === certificate.after;
  const witness = labBefore === labAfter;
  terminal.line(
    `  inventory before ${certificate.before.slice(0, 16)}, after ${certificate.after.slice(0, 16)}: ${identical ? "identical" : "different"}`,
  );
  terminal.line(
    `  left behind: ${leftBehind.length.toString()}, not restored: ${notRestored.length.toString()}, swept: ${certificate.swept.length.toString()}, by others: ${byOthers.length.toString()}`,
  );
  terminal.line(
    `  the lab's own inventory: ${witness ? "identical" : "DIFFERENT"} before and after`,
  );
  terminal.line(`  certificate ${payloadSha256.slice(0, 16)}: ${file}`);
  return identical && witness && leftBehind.length === 0 && notRestored.length === 0;
}
