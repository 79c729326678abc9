import { makeSshKeyPair } from "../../lab/ssh-key";

/**
 * Keys as the tests need them: private in OpenSSH PEM, public as one authorized_keys line. Not those
 * of ssh2's `utils.generateKeyPairSync`: it cannot read three in a thousand of its own again.
 */
export function makeKeyPair(): { private: string; public: string } {
  const { privateKey, publicKey } = makeSshKeyPair("test");
  return { private: privateKey, public: publicKey };
}
