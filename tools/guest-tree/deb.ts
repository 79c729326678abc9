import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { SanbedError } from "../../bed/errors";
import { runCommand } from "./command";

/** Left out when unpacking: no guest of a lab reads them, and they are a quarter of the files. */
const EXCLUDED = ["doc", "man", "info", "locale", "lintian", "bug"].map(
  (folder) => `--exclude=./usr/share/${folder}/*`,
);

const HEADER_BYTES = 60;
const MAGIC = "!<arch>\n";

/** Where a member lies in an ar archive. */
export interface ArMember {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/**
 * Lists the members of a .deb file: an ar archive (deb(5)) of debian-binary, control.tar.* and data.tar.*.
 *
 * @throws SanbedError when the file is no ar archive or is cut short
 */
export async function listMembers(file: string): Promise<ArMember[]> {
  const handle = await open(file);
  try {
    const { size: total } = await handle.stat();
    const header = Buffer.alloc(HEADER_BYTES);
    await handle.read(header, 0, MAGIC.length, 0);
    if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) throw broken(file, "no ar archive");
    const members: ArMember[] = [];
    for (let at = MAGIC.length; at < total;) {
      await handle.read(header, 0, HEADER_BYTES, at);
      const name = header.toString("latin1", 0, 16).trim().replace(/\/$/, "");
      const size = Number(header.toString("latin1", 48, 58));
      if (header.toString("latin1", 58, 60) !== "`\n" || !Number.isInteger(size)) {
        throw broken(file, `no member header at byte ${at}`);
      }
      const offset = at + HEADER_BYTES;
      if (offset + size > total) throw broken(file, `member ${name} is cut short`);
      members.push({ name, offset, size });
      // Members start at even offsets.
      at = offset + size + (size % 2);
    }
    return members;
  } finally {
    await handle.close();
  }
}

/**
 * Unpacks the files of a .deb into a folder. No script of the package is run.
 *
 * @param keepOwners - as root: owners as in the package; else everything belongs to the caller
 * @throws SanbedError when the archive is broken or `tar` fails
 */
export async function unpackDeb(file: string, into: string, keepOwners: boolean): Promise<void> {
  const data = (await listMembers(file)).find((member) => member.name.startsWith("data.tar"));
  if (data === undefined) throw broken(file, "no data.tar in it");
  const decompress = compression(file, data.name);
  const input = createReadStream(file, { start: data.offset, end: data.offset + data.size - 1 });
  await runCommand(
    "tar",
    [
      "--extract",
      `--directory=${into}`,
      ...decompress,
      // `lib` and the like are links to usr/lib; a plain unpack would replace them by folders.
      "--keep-directory-symlink",
      "--numeric-owner",
      ...(keepOwners ? ["--same-owner", "--preserve-permissions"] : ["--no-same-owner"]),
      ...EXCLUDED,
    ],
    { input },
  );
}

function compression(file: string, member: string): string[] {
  const suffix = member.slice("data.tar".length);
  const option = { "": [], ".xz": ["--xz"], ".gz": ["--gzip"], ".zst": ["--zstd"] }[suffix];
  if (option === undefined) throw broken(file, `${member} is compressed in an unknown way`);
  return option;
}

function broken(file: string, reason: string): SanbedError {
  return new SanbedError("guest-tree", `${file} is not a usable .deb file: ${reason}`);
}
