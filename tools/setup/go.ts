import { SanbedError } from "../../bed/errors";
import { run, type CommandOptions } from "./command";

const installGo =
  "Install Go 1.26.6 or later, or one from 1.21 on that may download it (GOTOOLCHAIN=auto), from https://go.dev/dl/.";
const reachProxy =
  "Its modules come from the module proxy (`go env GOPROXY`), which must be reachable the first time.";

/**
 * Runs `go build` for a module of this repository. An older Go fetches the version that the module
 * asks for, if it may.
 *
 * @param purpose - what cannot be had without it, as the start of a sentence: `the lab's vCenter`
 * @throws {SanbedError} `setup` when there is no Go, it is too old, or the build fails
 */
export async function goBuild(
  purpose: string,
  args: readonly string[],
  options: CommandOptions & {
    readonly cwd: string;
    /** What else helps where it cannot be built. */
    readonly instead?: string;
  },
): Promise<void> {
  const env = {
    ...process.env,
    CGO_ENABLED: "0",
    GOFLAGS: "-mod=readonly",
    GOWORK: "off",
    GOTOOLCHAIN: process.env["GOTOOLCHAIN"] ?? "auto",
    ...options.env,
  };
  const instead = options.instead === undefined ? "" : ` ${options.instead}`;
  // In the module's folder: this is where an old Go finds out that it must fetch another one.
  await run("go", ["version"], { ...options, env }).catch((cause: unknown) => {
    const what = `${purpose} must be built with Go, which does not run here`;
    throw new SanbedError("setup", `${what}: ${reason(cause)}\n${installGo}${instead}`, { cause });
  });
  const build = ["build", "-trimpath", "-buildvcs=false", ...args];
  await run("go", build, { ...options, env }).catch((cause: unknown) => {
    const what = `${purpose} cannot be built`;
    throw new SanbedError("setup", `${what}: ${reason(cause)}\n${reachProxy}${instead}`, { cause });
  });
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
