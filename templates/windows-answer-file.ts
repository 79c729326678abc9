import { escapeXmlText } from "../bed/answer-words";
import { renderTemplate } from "./render";

/** Secrets as text: the file that is made of them must never become part of a state, a log or a report. */
export interface AnswerFileArgs {
  readonly administratorPassword: string;
  /** Undefined: the media's own, or a key management service of the site. */
  readonly productKey: string | undefined;
  /** Public key that may log in over SSH as administrator, authorized_keys form. */
  readonly authorizedKey: string;
}

/**
 * Answer file (unattend.xml) for Windows of the SQL Server guests' template: administrator, no questions,
 * and OpenSSH with the site's key. Clones are then named and addressed by vSphere's customization.
 */
export function windowsAnswerFile(args: AnswerFileArgs): string {
  if (!/^(?:ssh|ecdsa)-[a-z0-9-]+ [A-Za-z0-9+/=]+(?: [\w@.-]+)?$/.test(args.authorizedKey)) {
    throw new RangeError("the public key is no line of authorized_keys");
  }
  const keys = "C:\\ProgramData\\ssh\\administrators_authorized_keys";
  const lines = [
    ["Add-WindowsCapability -Online -Name OpenSSH.Server~~~~0.0.1.0", "OpenSSH server"],
    ["Set-Service -Name sshd -StartupType Automatic", "OpenSSH at every start"],
    [`Set-Content -Encoding ascii -Path ${keys} -Value '${args.authorizedKey}'`, "Key of the site"],
    [
      `icacls ${keys} /inheritance:r /grant SYSTEM:F /grant BUILTIN\\Administrators:F`,
      "Its rights",
    ],
    ["Start-Service -Name sshd", "OpenSSH"],
    ["powercfg /setactive 8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c", "Power plan: high performance"],
  ] as const;
  const commands = lines.map(([command, description], index) => ({
    line: `powershell.exe -NoProfile -NonInteractive -Command "${command}"`,
    description,
    order: index + 1,
  }));
  const { administratorPassword, productKey } = args;
  return renderTemplate(
    "guests/unattend.xml",
    { administratorPassword, productKey: productKey ?? "", commands },
    escapeXmlText,
  );
}
