import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { GuestSupervisorOptions } from "../control/guest-supervisor";
import type { PowerOnRequest } from "./request";

type CustomizationOptions = Pick<
  GuestSupervisorOptions,
  "hostKeyFile" | "authorizedKey" | "sshPort" | "databasePort"
>;

/**
 * Writes what customization changes in a clone: name, addresses, keys. Only while the guest is off: writing below a
 * mounted overlay gives undefined results (kernel: Documentation/filesystems/overlayfs.rst).
 */
export async function customizeUpper(
  upper: string,
  request: PowerOnRequest,
  lab: CustomizationOptions,
): Promise<void> {
  const short = request.hostname.split(".")[0] ?? request.hostname;
  const names = [...new Set([request.hostname, short])].join(" ");
  const put = async (name: string, text: string | Buffer, mode = 0o644): Promise<void> => {
    await writeFile(path.join(upper, name), text, { mode });
    await chmod(path.join(upper, name), mode);
  };
  await makeFolders(upper);
  await put("etc/hostname", `${short}\n`);
  await put("etc/hosts", `127.0.0.1 localhost\n${request.address} ${names}\n`);
  await put("etc/ssh/ssh_host_ed25519_key", await readFile(lab.hostKeyFile), 0o600);
  await put(
    "etc/ssh/sshd_config.d/lab.conf",
    `ListenAddress ${request.address}\nPort ${lab.sshPort}\n`,
  );
  await put("root/.ssh/authorized_keys", `${lab.authorizedKey.trim()}\n`, 0o600);
  await put(
    "etc/mysql/mariadb.conf.d/61-guest.cnf",
    `[mariadbd]\nbind-address=${request.address}\nport=${lab.databasePort}\n`,
  );
  await keepMachineId(path.join(upper, "etc/machine-id"));
}

// A folder in the upper layer hides the lower one's mode, so these must be right.
const FOLDERS: readonly (readonly [string, number])[] = [
  ["", 0o755],
  ["etc", 0o755],
  ["etc/ssh", 0o755],
  ["etc/ssh/sshd_config.d", 0o755],
  ["etc/mysql", 0o755],
  ["etc/mysql/mariadb.conf.d", 0o755],
  ["root", 0o700],
  ["root/.ssh", 0o700],
];

async function makeFolders(upper: string): Promise<void> {
  for (const [folder, mode] of FOLDERS) {
    await mkdir(path.join(upper, folder), { recursive: true });
    await chmod(path.join(upper, folder), mode);
  }
}

/** Each clone has its own, for life. With an empty one systemd would take every start for the first. */
async function keepMachineId(file: string): Promise<void> {
  const present = await readFile(file, "utf8").catch(() => "");
  if (!/^[0-9a-f]{32}\n$/.test(present))
    await writeFile(file, `${randomBytes(16).toString("hex")}\n`);
}
