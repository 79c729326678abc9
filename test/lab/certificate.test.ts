import { X509Certificate } from "node:crypto";
import { fingerprint, makeCertificate } from "../../lab/emulator/certificate";

describe("a device's certificate", () => {
  it("is for localhost and 127.0.0.1, signed by itself, and pinned by its SHA-256", () => {
    const made = makeCertificate("fabricA.lab.invalid", new Date("2026-11-30T12:00:00Z"));
    const read = new X509Certificate(made.certPem);
    expect(read.subject).toBe("CN=fabricA.lab.invalid");
    expect(read.checkHost("localhost")).toBe("localhost");
    expect(read.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(read.verify(read.publicKey)).toBe(true);
    expect(read.fingerprint256.replaceAll(":", "").toLowerCase()).toBe(made.sha256);
    expect(fingerprint(made.certPem)).toBe(made.sha256);
    expect(read.validFrom).toContain("Nov 29 12:00:00 2026");
  });
});
