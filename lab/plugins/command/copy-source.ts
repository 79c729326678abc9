import { lstatSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { basename, join } from "node:path";
import type { SFTPWrapper, Stats } from "ssh2";
import { SanbedError } from "../../../bed/errors";
import type { ResourceCall } from "../../../provider/kit/handler";
import { AssetValue } from "../../../provider/kit/values";
import type { Connection } from "./connection-schema";
import { dial } from "./dial";

type Call = Pick<ResourceCall<unknown>, "signal" | "status">;

/** Copies an asset or archive to `remotePath` over SFTP. @throws {SanbedError} `copy`. */
export async function copySource(
  call: Call,
  connection: Connection,
  source: unknown,
  remotePath: string,
): Promise<void> {
  if (!(source instanceof AssetValue)) throw problem("the source is no asset and no archive");
  const client = await dial(call, connection);
  const abort = (): void => {
    client.destroy();
  };
  call.signal.addEventListener("abort", abort, { once: true });
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      // A connection that breaks while SFTP is at work answers none of its requests any more.
      client.once("close", () => {
        reject(problem("the connection broke"));
      });
      client.sftp((error, opened) => {
        if (error === undefined) resolve(opened);
        else reject(error);
      });
    });
    const broken = new Promise<never>((_resolve, reject) => {
      client.once("close", () => {
        reject(problem("the connection broke while files were copied"));
      });
    });
    await Promise.race([copy(new Remote(sftp), source.wire, remotePath), broken]);
  } catch (error) {
    call.signal.throwIfAborted();
    throw error;
  } finally {
    call.signal.removeEventListener("abort", abort);
    client.end();
  }
}

async function copy(
  remote: Remote,
  wire: Readonly<Record<string, unknown>>,
  remotePath: string,
): Promise<void> {
  const { path, text, assets } = wire;
  if (typeof path === "string" && path !== "") {
    await (lstatSync(path).isDirectory()
      ? copyFolder(remote, path, remotePath)
      : copyFile(remote, path, remotePath));
  } else if (typeof assets === "object" && assets !== null) {
    await remote.makeFolders(remotePath);
    for (const [name, entry] of Object.entries(assets as Record<string, AssetValue["wire"]>)) {
      await copy(remote, entry, posix.join(remotePath, name));
    }
  } else if (typeof text === "string") {
    if ((await remote.kind(remotePath)) === "folder") {
      throw problem(`remote path ${remotePath} is a directory; a text needs a file path`);
    }
    await remote.makeFolders(posix.dirname(remotePath));
    await remote.write(remotePath, text);
  } else {
    throw problem("this stand-in copies files, folders and texts, not what lies behind a URI");
  }
}

/** A file goes into an existing directory, else takes the path itself. */
async function copyFile(remote: Remote, path: string, remotePath: string): Promise<void> {
  const kind = await remote.kind(remotePath);
  const target = kind === "folder" ? posix.join(remotePath, basename(path)) : remotePath;
  if (kind === undefined) await remote.makeFolders(posix.dirname(target));
  await remote.put(path, target);
}

/** With a slash at its end a folder's content is copied, else the folder itself. */
async function copyFolder(remote: Remote, path: string, remotePath: string): Promise<void> {
  const target = path.endsWith("/") ? remotePath : posix.join(remotePath, basename(path));
  await remote.makeFolders(target);
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    const inside = join(entry.parentPath, entry.name);
    const to = posix.join(target, inside.slice(path.length));
    if (entry.isDirectory()) await remote.makeFolders(to);
    else await remote.put(inside, to);
  }
}

/** The few SFTP requests that copying needs, as promises. */
class Remote {
  constructor(private readonly sftp: SFTPWrapper) {}

  async kind(path: string): Promise<"folder" | "file" | undefined> {
    const stats = await new Promise<Stats | undefined>((resolve, reject) => {
      this.sftp.stat(path, (error, found) => {
        if (error === undefined) resolve(found);
        // SSH_FX_NO_SUCH_FILE
        else if ((error as { code?: unknown }).code === 2) resolve(undefined);
        else reject(problem(`cannot look at remote path ${path}: ${error.message}`));
      });
    });
    if (stats === undefined) return undefined;
    return stats.isDirectory() ? "folder" : "file";
  }

  async makeFolders(path: string): Promise<void> {
    const kind = await this.kind(path);
    if (kind === "folder") return;
    if (kind === "file") throw problem(`remote path ${path} exists but is not a directory`);
    await this.makeFolders(posix.dirname(path));
    const made = this.done(`make remote directory ${path}`, (end) => {
      this.sftp.mkdir(path, end);
    });
    // Another copy may have made it in between.
    await made.catch(async (error: unknown) => {
      if ((await this.kind(path)) !== "folder") throw error;
    });
  }

  put(from: string, to: string): Promise<void> {
    return this.done(`copy ${from} to remote path ${to}`, (end) => {
      this.sftp.fastPut(from, to, end);
    });
  }

  write(path: string, text: string): Promise<void> {
    return this.done(`write remote path ${path}`, (end) => {
      this.sftp.writeFile(path, text, end);
    });
  }

  private done(
    what: string,
    start: (end: (error: Error | null | undefined) => void) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      start((error) => {
        if (error === undefined || error === null) resolve();
        else reject(problem(`cannot ${what}: ${error.message}`));
      });
    });
  }
}

function problem(message: string): SanbedError {
  return new SanbedError("copy", message);
}
