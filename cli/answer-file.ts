import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { utils } from "ssh2";
import { SanbedError } from "../bed/errors";
import { resolveSecret } from "../provider/devices/credentials";
import { readSite } from "../stacks/input-file";
import { windowsAnswerFile } from "../templates/windows-answer-file";

/**
 * `sanbed answer-file`: the answer file for Windows of the SQL Server template. The only place where its
 * secrets are looked up: they go into the file, which nobody else may read, and nowhere else.
 */
export async function answerFileCommand(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      site: { type: "string" },
      out: { type: "string" },
      "administrator-password": { type: "string" },
      "product-key": { type: "string" },
    },
  });
  const password = values["administrator-password"];
  if (values.site === undefined || values.out === undefined || password === undefined) {
    throw new SanbedError(
      "usage",
      "sanbed answer-file needs --site FILE, --out FILE and --administrator-password REFERENCE (env:, file:, exec:)",
    );
  }
  const site = readSite(path.resolve(values.site));
  const reveal = async (reference: string): Promise<string> =>
    (await resolveSecret(reference, process.cwd())).reveal().trim();
  const key = values["product-key"];
  const text = windowsAnswerFile({
    administratorPassword: await reveal(password),
    productKey: key === undefined ? undefined : await reveal(key),
    authorizedKey: publicKey(await reveal(site.guests.privateKey)),
  });
  writeFileSync(values.out, text, { mode: 0o600, flag: "wx" });
  process.stdout.write(
    `wrote ${values.out}, which holds secrets: delete it when Windows is set up\n`,
  );
  return 0;
}

/** The public half of the key that guests accept. */
function publicKey(privateKey: string): string {
  const key = utils.parseKey(privateKey);
  if (key instanceof Error) {
    throw new SanbedError("config", `guests.privateKey is no private key: ${key.message}`);
  }
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}
