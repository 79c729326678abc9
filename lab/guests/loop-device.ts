import { open, readFile, stat, type FileHandle } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { run } from "./command";

/**
 * A block device over a file of the block server. While this process holds it open the device stays; when it is closed
 * or the process dies, and no guest has it mounted any more, the kernel takes it down (autoclear).
 */
export interface LoopDevice {
  /** For instance `/dev/loop4`. */
  readonly device: string;
  /** `major:minor`. */
  readonly numbers: string;
  readonly handle: FileHandle;
}

// `losetup --find` of several processes may pick the same device.
let queue: Promise<unknown> = Promise.resolve();

/** Sets a loop device up with direct I/O, so that requests reach the block server one to one. */
export function attachLoop(file: string): Promise<LoopDevice> {
  const attached = queue.then(() => attach(file));
  queue = attached.catch(() => undefined);
  return attached;
}

async function attach(file: string): Promise<LoopDevice> {
  const shown = await run("losetup", ["--find", "--show", "--direct-io=on", file]);
  const device = shown.trim();
  let handle: FileHandle | undefined;
  try {
    handle = await open(device, "r");
    const { rdev } = await stat(device);
    return { device, numbers: deviceNumbers(rdev), handle };
  } catch (error) {
    await handle?.close();
    throw error;
  } finally {
    // While the device is open, this only marks it for autoclear.
    await run("losetup", ["--detach", device]);
  }
}

/** `major:minor` of a Linux device number (gnu_dev_major(3), up to 32 bits). */
export function deviceNumbers(rdev: number): string {
  const major = (rdev >>> 8) & 0xfff;
  const minor = (rdev & 0xff) | ((rdev >>> 12) & 0xfff00);
  return `${major}:${minor}`;
}

/**
 * Lets go of a device and waits until the kernel has taken it down.
 *
 * @throws Error when something still holds it after the time
 */
export async function releaseLoop(loop: LoopDevice, timeoutMs = 20_000): Promise<void> {
  const name = loop.device.replace("/dev/", "");
  const backing = (): Promise<string | undefined> =>
    readFile(`/sys/block/${name}/loop/backing_file`, "utf8").catch(() => undefined);
  const ours = await backing();
  await loop.handle.close();
  const end = Date.now() + timeoutMs;
  // Another guest may get the same device at once; then its backing file is another one.
  while (ours !== undefined && (await backing()) === ours) {
    if (Date.now() > end) {
      const file = ours.trim();
      throw new Error(
        `${loop.device} over ${file} is still in use ${timeoutMs / 1000} s after its guest ended (is a fault rule stalling it?)`,
      );
    }
    await sleep(5);
  }
}
