import { createPublicKey, verify } from "node:crypto";
import { utils } from "ssh2";
import { makeSshKeyPair } from "../../lab/ssh-key";

describe("an SSH key pair of the lab", () => {
  it("is read by an SSH library, and its halves belong together", () => {
    const pair = makeSshKeyPair("lab");
    const parsed = utils.parseKey(pair.privateKey);
    if (parsed instanceof Error) throw parsed;
    expect(parsed.type).toBe("ssh-ed25519");
    expect(parsed.comment).toBe("lab");
    const blob = Buffer.from(pair.publicKey.split(" ")[1] ?? "", "base64");
    expect(parsed.getPublicSSH()).toEqual(blob);
    const signature = parsed.sign(Buffer.from("x"));
    const key = { kty: "OKP", crv: "Ed25519", x: blob.subarray(-32).toString("base64url") };
    const publicKey = createPublicKey({ key, format: "jwk" });
    expect(verify(null, Buffer.from("x"), publicKey, signature)).toBe(true);
  });
});
