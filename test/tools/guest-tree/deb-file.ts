import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** One member of an ar archive: 60 bytes of header, content, padding to an even offset (deb(5)). */
export function arMember(name: string, content: Buffer): Buffer {
  const header = `${name.padEnd(16)}${"0".padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(content.length).padEnd(10)}\`\n`;
  const padding = content.length % 2 === 1 ? "\n" : "";
  return Buffer.concat([Buffer.from(header), content, Buffer.from(padding)]);
}

/** A .deb file with the given files; a value that begins with `->` is a symbolic link. */
export function makeDeb(files: Readonly<Record<string, string>>): Buffer {
  const dir = mkdtempSync(path.join(os.tmpdir(), "sanbed-deb-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(dir, name);
      mkdirSync(path.dirname(file), { recursive: true });
      if (content.startsWith("->")) symlinkSync(content.slice(2), file);
      else writeFileSync(file, content);
    }
    const data = execFileSync("tar", ["--create", "--xz", `--directory=${dir}`, "."]);
    return Buffer.concat([
      Buffer.from("!<arch>\n"),
      arMember("debian-binary", Buffer.from("2.0\n")),
      arMember("control.tar.xz", Buffer.from("odd")),
      arMember("data.tar.xz", data),
    ]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
