import { spawn } from "node:child_process";
import { SanbedError } from "../../bed/errors";

/**
 * Runs one at a time per lock file, across processes. The kernel lets go of the lock when this process ends in any way,
 * as it is held by a child that ends with its standard input.
 *
 * @param onWait - called once when another process holds the lock
 */
export async function exclusively<T>(
  lockFile: string,
  onWait: () => void,
  body: () => Promise<T>,
): Promise<T> {
  const holder = spawn("flock", ["--exclusive", lockFile, "sh", "-c", "echo held && exec cat"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) =>
    holder.once("close", () => {
      resolve();
    }),
  );
  try {
    await new Promise<void>((resolve, reject) => {
      const slow = setTimeout(onWait, 500);
      const settle = (done: () => void): void => {
        clearTimeout(slow);
        done();
      };
      holder.stdout.once("data", () => {
        settle(resolve);
      });
      holder.once("error", (error) => {
        settle(() => {
          reject(error);
        });
      });
      holder.once("exit", (code) => {
        settle(() => {
          reject(new Error(`flock ended with ${code ?? "a signal"}`));
        });
      });
    }).catch((error: unknown) => {
      throw new SanbedError("guest-tree", `cannot lock ${lockFile}: ${String(error)}`, {
        cause: error,
      });
    });
    return await body();
  } finally {
    holder.stdin.end();
    await ended;
  }
}
