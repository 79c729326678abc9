import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Certificate, fingerprint, makeCertificate } from "./emulator/certificate";
import { z } from "zod";
import { damagedFile, type LabFolder, readLabJson, writeJson } from "./folder";
import { makeSshKeyPair } from "./ssh-key";

const credentialsSchema = z.object({ user: z.string().min(1), password: z.string().min(1) });

export type Credentials = Readonly<z.infer<typeof credentialsSchema>>;

const remake = "the next `sanbed lab up` makes it anew";

const users: Readonly<Record<string, string>> = {
  vcenter: "administrator@vsphere.local",
};

/** What a lab keeps secret. Made once per lab, at its first start. */
export class LabSecrets {
  constructor(private readonly folder: LabFolder) {}

  /** File with `{ "user", "password" }` of a device. */
  credentialsFile(device: string): string {
    return this.folder.file("secrets", `${device}.json`);
  }

  credentials(device: string): Credentials {
    const path = this.credentialsFile(device);
    const found = readLabJson(path, credentialsSchema, `delete it: ${remake}`);
    if (found !== undefined) return found;
    const made = {
      user: users[device] ?? "admin",
      password: randomBytes(18).toString("base64url"),
    };
    writeJson(path, made);
    return made;
  }

  certificate(device: string): Certificate {
    const certPath = this.folder.file("secrets", `${device}.crt`);
    const keyPath = this.folder.file("secrets", `${device}.key`);
    if (!existsSync(certPath) || !existsSync(keyPath)) {
      const made = makeCertificate(`${device}.lab.invalid`);
      writeFileSync(keyPath, made.keyPem, { mode: 0o600 });
      writeFileSync(certPath, made.certPem);
    }
    const certPem = readFileSync(certPath, "utf8");
    const keyPem = readFileSync(keyPath, "utf8");
    const remedy = `delete it and ${keyPath}: ${remake}, and with it the pin in site.json`;
    try {
      if (new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem))) {
        return { certPem, keyPem, sha256: fingerprint(certPem) };
      }
    } catch (error) {
      throw damagedFile(certPath, error, remedy);
    }
    throw damagedFile(certPath, "its key is of another certificate", remedy);
  }

  /** Private key that the guests' user accepts. */
  get guestKey(): string {
    return this.folder.file("secrets", "guest-key");
  }

  /** Private half of the key that every guest answers with. */
  get guestHostKey(): string {
    return this.folder.file("secrets", "guest-host-key");
  }

  /** Public half of a key pair, `ssh-ed25519 AAAA...`; the pair is made when absent. */
  publicKey(path: string): string {
    if (!existsSync(path) || !existsSync(`${path}.pub`)) {
      const pair = makeSshKeyPair("sanbed-lab");
      writeFileSync(path, pair.privateKey, { mode: 0o600 });
      writeFileSync(`${path}.pub`, `${pair.publicKey}\n`);
    }
    const key = readFileSync(`${path}.pub`, "utf8").trim();
    if (/^ssh-ed25519 [A-Za-z0-9+/]{60,}=*( |$)/.test(key)) return key;
    throw damagedFile(`${path}.pub`, "it is no public key", `delete it and ${path}: ${remake}`);
  }
}
