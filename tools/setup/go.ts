import { SanbedError } from "../../bed/errors";
import { run, type CommandOptions } from "./command";

const remedy =
  "Install Go 1.26.6 or later, or one from 1.21 on that may download it (GOTOOLCHAIN=auto), from https://go.dev/dl/.";

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
  options: CommandOptions & { readonly cwd: string },
): Promise<void> {
  const env = {
    ...process.env,
    CGO_ENABLED: "0",
    GOFLAGS: "-mod=readonly",
    GOWORK: "off",
    GOTOOLCHAIN: process.env["GOTOOLCHAIN"] ?? "auto",
    ...options.env,
  };
  // In the module's folder: this is where an old Go finds out that it must fetch another one.
  await run("go", ["version"], { ...options, env }).catch((cause: unknown) => {
    throw new SanbedError(
      "setup",
      `${purpose} must be built with Go, which does not run here: ${reason(cause)}\n${remedy}`,
      { cause },
    );
  });
  await run("go", ["build", "-trimpath", "-buildvcs=false", ...args], { ...options, env }).catch(
    (cause: unknown) => {
      throw new SanbedError("setup", `${purpose} cannot be built: ${reason(cause)}\n${remedy}`, {
        cause,
      });
    },
  );
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
