/**
 * Errors of the machine that runs us (a full disk, a folder that may not be written) in words. They
 * are not mistakes of the program, and no device is to blame.
 */

/** The parts of Node's system errors, by duck: they cross realms in tests. */
interface SystemError {
  readonly code: string;
  readonly syscall: string;
  readonly path?: string;
  readonly dest?: string;
}

/** Meaning and remedy by errno name (errno(3)). */
const known: Readonly<Record<string, readonly [meaning: string, remedy: string]>> = {
  ENOSPC: ["no space is left on the device", "Free space there"],
  EDQUOT: ["the user's disk quota is used up", "Free space there or raise the quota"],
  EACCES: ["permission is denied", "Give the user that runs this the right to it"],
  EPERM: ["the operation is not permitted", "Give the user that runs this the right to it"],
  EROFS: ["the file system is read-only", "Use a folder on one that can be written"],
  ENOENT: ["it does not exist", "Make it, or correct its path"],
  ENOTDIR: ["a part of the path is no folder", "Correct the path"],
  EISDIR: ["it is a folder, a file was expected", "Correct the path"],
  EMFILE: ["too many files are open in this process", "Raise the limit (ulimit -n)"],
  ENFILE: ["too many files are open on this machine", "Raise the limit (fs.file-max)"],
  EIO: ["the disk answered an input/output error", "Check the disk"],
};

/**
 * Says what a file operation on this machine failed at, and what to do. Undefined for errors of other
 * kinds, among them those of sockets: what a device did is told by its driver.
 */
export function systemErrorText(error: unknown): string | undefined {
  if (!isFileError(error)) return undefined;
  const { code, syscall, path = "a file", dest } = error;
  const [meaning, remedy] = known[code] ?? [code, "Repair that"];
  const object = dest === undefined ? path : `${path} to ${dest}`;
  const name = code === meaning ? "" : ` (${code})`;
  return `cannot ${syscall} ${object} on this machine: ${meaning}${name}. ${remedy}, then run again.`;
}

/**
 * Runs a file operation; what fails in it is told with `file`. Node names no path where it works on an open file: a full
 * disk and a folder in place of a file are then told without.
 */
export function onFile<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isFileError(error) && error.path === undefined) Object.assign(error, { path: file });
    throw error;
  }
}

const fileCalls =
  /^(open|read|write|close|fsync|ftruncate|mkdir|rmdir|unlink|rename|copyfile|scandir|stat|lstat|fstat|access|symlink|chmod|chown|mkdtemp|rm|cp)/;

function isFileError(error: unknown): error is SystemError {
  if (typeof error !== "object" || error === null) return false;
  const { code, syscall } = error as Partial<SystemError>;
  return typeof code === "string" && typeof syscall === "string" && fileCalls.test(syscall);
}
