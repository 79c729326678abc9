import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, isAbsolute, resolve, sep } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client, SFTPWrapper } from "ssh2";
import { GuestError } from "../../../bed/errors";

/** Streams a remote file into a temporary file beside `localPath`, syncs it, then renames it. */
export async function fetchBySftp(
  client: Client,
  guest: string,
  path: string,
  localPath: string,
  signal: AbortSignal,
): Promise<{ bytes: number; sha256: string }> {
  const sftp = await openSftp(client, guest);
  const part = `${localPath}.part`;
  await mkdir(dirname(localPath), { recursive: true });
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  try {
    const source = sftp.createReadStream(path);
    await pipeline(source, measure, createWriteStream(part, { mode: 0o600 }), { signal });
    await sync(part);
    await rename(part, localPath);
    return { bytes, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(part, { force: true });
    throw transferError(error, guest, path, signal);
  } finally {
    sftp.end();
  }
}

/**
 * The path of `name` inside `folder`, for names that a guest gave.
 * @throws {GuestError} when the name would lead out of the folder.
 */
export function childPath(guest: string, folder: string, name: string): string {
  const root = resolve(folder);
  const path = resolve(root, name);
  if (name === "" || isAbsolute(name) || name.includes("\0") || !path.startsWith(root + sep)) {
    throw new GuestError(
      guest,
      "harvest",
      `the file name ${JSON.stringify(name)} leads out of the run`,
    );
  }
  return path;
}

function openSftp(client: Client, guest: string): Promise<SFTPWrapper> {
  return new Promise((done, reject) => {
    const lost = (error?: unknown): void => {
      client.removeListener("close", lost);
      const reason = error instanceof Error ? error.message : "the connection was lost";
      reject(new GuestError(guest, "open sftp", reason, undefined, error, "unreachable"));
    };
    client.once("close", lost);
    try {
      client.sftp((error, sftp) => {
        client.removeListener("close", lost);
        if (error) lost(error);
        else done(sftp);
      });
    } catch (error) {
      lost(error);
    }
  });
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** SFTP status 2 is SSH_FX_NO_SUCH_FILE, 3 SSH_FX_PERMISSION_DENIED (draft-ietf-secsh-filexfer-02, 7). */
function transferError(
  error: unknown,
  guest: string,
  path: string,
  signal: AbortSignal,
): GuestError {
  const operation = `fetch ${path}`;
  if (signal.aborted) {
    return new GuestError(guest, operation, "the call was aborted", undefined, error, "aborted");
  }
  const code =
    typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  if (code === 2)
    return new GuestError(guest, operation, "there is no such file", undefined, error);
  if (code === 3) return new GuestError(guest, operation, "permission denied", undefined, error);
  const reason = error instanceof Error ? error.message : String(error);
  const lost = code === undefined || code === "ERR_STREAM_PREMATURE_CLOSE" || code === 7;
  const kind = lost ? "unreachable" : "failed";
  return new GuestError(guest, operation, reason, undefined, error, kind);
}
